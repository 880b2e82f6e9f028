package tables

import (
	"cmp"
	"fmt"
	"strings"
)

// column is one column below the header.
type column struct {
	numbers map[int]amount // by row
	others  int            // how many cells look like numbers and are none
	words   int            // how many cells have other texts
	decimal byte
	unit    string
	why     string // it cannot be drawn
}

// numeric reports whether most cells are numbers or look like numbers.
func (c *column) numeric() bool { return len(c.numbers)+c.others > c.words }

// refuse notes the first reason why the column cannot be drawn.
func (c *column) refuse(format string, args ...any) {
	c.why = cmp.Or(c.why, fmt.Sprintf(format, args...))
}

// readColumn reads the cells of a column in some rows. sign finds the decimal sign if the column does not prove it.
func readColumn(g *grid, col int, rows []int, sign func(open byte) byte) *column {
	c := &column{numbers: map[int]amount{}, decimal: '.'}
	open, proved := map[byte]string{}, map[byte]string{} // a number for each sign
	for _, row := range rows {
		cell := strings.TrimSpace(g.cell(row, col))
		a, k := parse(cell)
		switch {
		case k == number && g.merges[[2]int{row, col}].Rows > 1:
			c.others++
			c.refuse("%q stands beside several rows", cell)
		case k == number:
			c.numbers[row] = a
			proved[a.proves()] = a.body
			if a.proves() == 0 && a.value('.') != a.value(',') {
				s := a.body[strings.IndexAny(a.body, ".,")]
				open[s] = cmp.Or(open[s], a.body)
			}
		case k == doubtful:
			c.others++
			c.refuse("%q is not a number to me", cell)
		case k == text:
			c.words++
			c.refuse("%q is not a number to me", cell)
		}
	}
	switch {
	case !c.numeric():
		c.why = "it has words"
	case proved['.'] != "" && proved[','] != "":
		c.refuse("the decimal sign is a point in %q and a comma in %q", proved['.'], proved[','])
	case proved[','] != "":
		c.decimal = ','
	case proved['.'] == "":
		for s, body := range open {
			if c.decimal = sign(s); c.decimal == 0 || len(open) > 1 {
				c.refuse("%q may have thousands or decimals, and the document does not prove which", body)
			}
		}
	}
	if c.why == "" {
		c.readUnit()
	}
	return c
}

// readUnit finds the unit. Beside a currency a number may have none; zero has any.
func (c *column) readUnit() {
	units := map[string]bool{}
	for _, a := range c.numbers {
		if a.value(c.decimal) != 0 {
			units[a.unit] = true
		}
	}
	if len(units) == 2 && !units["%"] {
		delete(units, "")
	}
	for unit := range units {
		c.unit = unit
	}
	if len(units) > 1 {
		c.refuse("its numbers are of different units")
	}
}

// format returns the number format that shows the column as the document does.
func (c *column) format() string {
	decimals, f := 0, "0"
	for _, a := range c.numbers {
		whole, fraction, _ := a.split(c.decimal)
		decimals = max(decimals, len(fraction))
		if !strings.HasPrefix(a.body, whole) {
			f = "#,##0"
		}
	}
	if decimals > 0 {
		f += "." + strings.Repeat("0", decimals)
	}
	switch c.unit {
	case "":
		return f
	case "%":
		return f + "%"
	}
	return f + ` "` + c.unit + `"`
}
