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

// value returns the number of a row, nil for none.
func (c *column) value(row int) any {
	if a, ok := c.numbers[row]; ok {
		return a.values[c.decimal]
	}
	return nil
}

// allYears reports whether the column has another year in each of n rows.
func (c *column) allYears(n int) bool {
	seen := map[string]bool{}
	for _, a := range c.numbers {
		if a.year() {
			seen[a.text] = true
		}
	}
	return len(seen) == n
}

// readColumn reads the cells of a column in some rows. sign finds the decimal sign if the column does not prove it.
func readColumn(g *grid, col int, rows []int, sign func(open byte) byte) *column {
	c := &column{numbers: map[int]amount{}, decimal: '.'}
	open, proved := map[byte]string{}, map[byte]string{} // a number for each sign
	for _, row := range rows {
		cell := strings.TrimSpace(g.rows[row][col])
		a, k := parse(cell)
		switch {
		case k == number && g.merges[[2]int{row, col}].Rows > 1:
			c.others++
			c.refuse("%q stands beside several rows", cell)
		case k == number:
			c.numbers[row] = a
			proved[a.proves()] = a.text
			if a.proves() == 0 && a.values['.'] != a.values[','] {
				s := a.text[strings.IndexAny(a.text, ".,")]
				open[s] = cmp.Or(open[s], a.text)
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
		for s, number := range open {
			if c.decimal = sign(s); c.decimal == 0 || len(open) > 1 {
				c.refuse("%q may have thousands or decimals, and the document does not prove which", number)
			}
		}
	}
	// Beside a currency a number may have no unit; zero has any.
	units := map[string]bool{}
	for _, a := range c.numbers {
		if a.values[c.decimal] != 0 {
			units[a.unit] = true
		}
	}
	if len(units) == 2 && !units["%"] {
		delete(units, "")
	}
	if len(units) > 1 {
		c.refuse("its numbers are of different units")
	}
	for unit := range units {
		c.unit = unit
	}
	return c
}
