package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// kind is what the cells of a column are.
type kind uint8

const (
	kindEmpty   kind = iota // nothing but blanks and dashes
	kindWords               // as many words as numbers, or more
	kindNumbers             // more numbers than words
	kindMixed               // numbers of different units
	kindUnclear             // numbers, of which one cannot be read for sure
)

// column is one column below the header.
type column struct {
	kind    kind
	amounts map[int]amount // by row
	words   []int          // rows with something else
	// quantities are those of the words that look like numbers, such as 1.5 kg.
	quantities []string
	dec        byte   // the decimal sign
	unclear    string // why its cells cannot be read for sure
}

// readColumn looks at the cells of one column in the given rows.
func readColumn(g *grid, col int, rows []int) column {
	c := column{amounts: map[int]amount{}}
	inDoubt := 0
	for _, row := range rows {
		cell := g.cell(row, col)
		a, number, dash := parseAmount(cell)
		switch why := g.unclear[[2]int{row, col}]; {
		case why != "":
			c.unclear = cmp.Or(c.unclear, why)
			if strings.ContainsFunc(cell, unicode.IsDigit) {
				inDoubt++
			} else if cell != "" {
				c.words = append(c.words, row)
			}
		case number:
			c.amounts[row] = a
		case !dash && strings.TrimSpace(cell) != "":
			c.words = append(c.words, row)
			if isQuantity(cell) {
				c.quantities = append(c.quantities, cell)
			}
		}
	}
	if numbers := len(c.amounts) + inDoubt; numbers <= len(c.words) {
		if len(c.words) > 0 {
			c.kind = kindWords
		}
		return c
	}
	c.decide(g.habits)
	if len(c.quantities) > 0 {
		c.unclear = cmp.Or(c.unclear, notToMe(c.quantities[0]))
	}
	switch c.kind = kindNumbers; {
	case c.unclear != "":
		c.kind = kindUnclear
	case !c.oneUnit():
		c.kind = kindMixed
	}
	return c
}

// decide finds the decimal sign of the column: its own cells prove it, or else the document.
func (c *column) decide(h habits) {
	proved, signs, doubt := map[byte]string{}, map[byte]bool{}, ""
	for _, row := range slices.Sorted(maps.Keys(c.amounts)) {
		a := c.amounts[row]
		proved[a.proves()] = a.body
		if point, comma, open := a.readings(); open != 0 {
			signs[h.sign(open)] = true
			if doubt == "" {
				doubt = fmt.Sprintf("%q may be %s or %s, and the document does not prove which", a.body, point, comma)
			}
		}
	}
	_, point := proved['.']
	_, comma := proved[',']
	c.dec = '.'
	switch {
	case point && comma:
		c.unclear = cmp.Or(c.unclear, fmt.Sprintf("the decimal sign is a point in %q and a comma in %q", proved['.'], proved[',']))
	case comma, !point && signs[',']:
		c.dec = ','
	}
	if !point && !comma && (signs[0] || len(signs) > 1) {
		c.unclear = cmp.Or(c.unclear, doubt)
	}
}

// value is the number in a row, or none.
func (c *column) value(row int) Number {
	n, _ := c.amounts[row].reading(c.dec)
	return n
}

// oneUnit says whether the numbers can be compared. A number without a
// currency has that of the others, as in accounts; zero has any unit.
func (c *column) oneUnit() bool {
	percent, plain, money := false, false, ""
	for row, a := range c.amounts {
		n := c.value(row)
		if n == "" || n == "0" {
			continue
		}
		if a.percent {
			percent = true
		} else {
			plain = true
		}
		if u := a.unit(); u != "" {
			if money != "" && money != u {
				return false
			}
			money = u
		}
	}
	return !(percent && plain) && !(percent && money != "")
}

// unit is what the numbers of the column are of; "" for plain numbers.
func (c *column) unit(rows []int) string {
	for _, row := range rows {
		a, ok := c.amounts[row]
		switch {
		case !ok || c.value(row) == "":
		case a.percent:
			return "%"
		case a.unit() != "":
			return a.unit()
		}
	}
	return ""
}

// format is the number format that shows the column as the document does; ""
// for plain integers.
func (c *column) format(rows []int) string {
	decimals, grouped, percent, prefix, suffix := 0, false, false, "", ""
	for _, row := range rows {
		a, ok := c.amounts[row]
		if !ok || c.value(row) == "" {
			continue
		}
		decimals = max(decimals, a.decimals(c.dec))
		grouped = grouped || a.grouped(c.dec)
		percent = percent || a.percent
		if prefix == "" && suffix == "" {
			prefix, suffix = a.prefix, a.suffix
		}
	}
	f := "0"
	if grouped {
		f = "#,##0"
	}
	if decimals > 0 {
		f += "." + strings.Repeat("0", min(decimals, 10))
	}
	switch {
	case percent:
		return f + "%"
	case prefix != "":
		return `"` + prefix + `"` + f
	case suffix != "":
		return f + `" ` + suffix + `"`
	case f == "0":
		return ""
	}
	return f
}

// counts says whether the column can label rows though it has no words:
// different years, or 1 2 3.
func (c *column) counts(rows []int) bool {
	if c.kind != kindNumbers || len(c.words) > 0 {
		return false
	}
	years, next, seen, last := true, true, map[Number]bool{}, 0.0
	for _, row := range rows {
		a, ok := c.amounts[row]
		if !ok {
			return false
		}
		n := c.value(row)
		f, _ := n.Float()
		years = years && a.isYear() && !seen[n]
		next = next && a.unit() == "" && !a.percent && f == float64(int64(f)) && (len(seen) == 0 || f == last+1)
		seen[n] = true
		last = f
	}
	return years || next
}
