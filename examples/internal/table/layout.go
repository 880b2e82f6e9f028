package table

import (
	"fmt"
	"slices"
	"strings"
)

// layout is where in a table the header, the labels and the numbers are.
type layout struct {
	grid    *grid
	header  int      // how many rows
	rows    []int    // those below it that say something
	columns []column // of the grid
	label   int      // the column that labels the rows; -1 for none
	numeric int      // how many columns have numbers
	mixed   int      // how many have them in different units
}

func lay(s Source) *layout {
	l := &layout{grid: newGrid(s)}
	l.header = headerRows(l.grid, s.HeaderRows)
	l.rows = bodyRows(l.grid, l.header)
	l.columns = make([]column, l.grid.width)
	for c := range l.columns {
		l.columns[c] = readColumn(l.grid, c, l.rows)
		for h := range l.header {
			if why := l.grid.unclear[[2]int{h, c}]; why != "" && l.columns[c].kind == kindNumbers {
				l.columns[c].kind, l.columns[c].unclear = kindUnclear, why
			}
		}
		switch l.columns[c].kind {
		case kindNumbers:
			l.numeric++
		case kindMixed:
			l.mixed++
		default: // words label the rows
		}
	}
	l.label = l.labelColumn()
	return l
}

// labelColumn is the first one of words, else the first one if it counts; -1 for
// none. "1.5 kg" are words, but label rows only where nothing else does.
func (l *layout) labelColumn() int {
	words := slices.IndexFunc(l.columns, func(c column) bool { return c.kind == kindWords && !l.quantities(&c) })
	switch {
	case words >= 0:
		return words
	case len(l.columns) > 0 && l.columns[0].counts(l.rows):
		return 0
	}
	return slices.IndexFunc(l.columns, func(c column) bool { return c.kind == kindWords })
}

// quantities reports whether most words of a column look like numbers.
func (l *layout) quantities(c *column) bool {
	return 2*len(c.quantities) > len(c.words)
}

// over is what the header says over several columns at once.
func (l *layout) over() []string {
	var texts []string
	for h := range l.header {
		if text := l.grid.label(h, 0); l.grid.banner(h) && text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// unread says why a column is not drawn.
func (l *layout) unread(col int) Unread {
	c := &l.columns[col]
	u := Unread{Name: name(l.grid, l.header, col), Quantities: l.quantities(c)}
	switch {
	case c.kind == kindUnclear:
		u.Why = c.unclear
	case c.kind == kindMixed:
		u.Why = strings.TrimPrefix(ErrMixed.Error(), "table: ")
	case u.Quantities:
		u.Why = notToMe(c.quantities[0])
	default:
		u.Why = "it has words"
	}
	return u
}

// noNumbers is ErrUnclear if there are numbers, or else ErrNoNumbers, with a cell that looks like a number if there is one.
func (l *layout) noNumbers() error {
	if why := l.doubt(); why != "" {
		return fmt.Errorf("%w: %s", ErrUnclear, why)
	}
	for _, c := range l.columns {
		if len(c.quantities) > 0 {
			return fmt.Errorf("%w: %s", ErrNoNumbers, notToMe(c.quantities[0]))
		}
	}
	return ErrNoNumbers
}

// doubt says why a column of numbers cannot be read for sure; "" if all can.
func (l *layout) doubt() string {
	for _, c := range l.columns {
		if c.kind == kindUnclear {
			return c.unclear
		}
	}
	return ""
}

func notToMe(cell string) string { return fmt.Sprintf("%q is not a number to me", oneLine(cell)) }
