package docx

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxColumns is how wide a table may be; Word itself stops at 63.
const maxColumns = 1024

// rawTable is a table as it stands in the file.
type rawTable struct {
	caption string // its alternative text
	rows    []rawRow
}

type rawRow struct {
	header  bool
	deleted bool
	cells   []rawCell
}

type rawCell struct {
	col, span int
	goesOn    bool // continues the cell above
	joins     bool // continues the cell to the left
	nodes     []node
}

func (p *parser) table() (*rawTable, error) {
	t := &rawTable{}
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "tblPr"):
			return p.children(func(e xml.StartElement) error {
				if isW(e, "tblCaption") || isW(e, "tblDescription") && t.caption == "" {
					t.caption = strings.TrimSpace(attr(e, "val"))
				}
				return p.skip()
			})
		case isW(e, "tr"):
			row, err := p.row()
			if !row.deleted {
				t.rows = append(t.rows, row)
			}
			return err
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		}
		return p.skip()
	}
	if err := p.children(visit); err != nil {
		return nil, err
	}
	// Short rows are filled up: one wide row makes all of them wide.
	for width, i := t.width(), 0; i < len(t.rows); i++ {
		p.cells += width - t.rows[i].width()
	}
	return t, p.checkCells()
}

// width is the number of columns of the rectangle.
func (t *rawTable) width() int {
	width := 0
	for _, row := range t.rows {
		width = max(width, row.width())
	}
	return width
}

func (r rawRow) width() int {
	if n := len(r.cells); n > 0 {
		return r.cells[n-1].col + r.cells[n-1].span
	}
	return 0
}

func (p *parser) checkCells() error {
	if p.cells > p.limits.MaxCells {
		return tooBig(p.part, fmt.Sprintf("more than %d cells", p.limits.MaxCells))
	}
	return nil
}

func (p *parser) row() (rawRow, error) {
	var row rawRow
	width := 0
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "trPr"):
			return p.children(func(e xml.StartElement) error {
				switch {
				case isW(e, "gridBefore"):
					width = count(attr(e, "val"), 0)
				case isW(e, "tblHeader"):
					row.header = on(attr(e, "val"), true)
				case isW(e, "del"):
					row.deleted = true
				}
				return p.skip()
			})
		case isW(e, "tc"):
			c, err := p.cell()
			if err != nil {
				return err
			}
			c.col = width
			if width += c.span; width > maxColumns {
				return tooBig(p.part, fmt.Sprintf("a table of more than %d columns", maxColumns))
			}
			if c.joins && len(row.cells) > 0 {
				row.cells[len(row.cells)-1].span += c.span
				return nil
			}
			row.cells = append(row.cells, c)
			return nil
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		}
		return p.skip()
	}
	if err := p.children(visit); err != nil {
		return row, err
	}
	p.cells += row.width()
	return row, p.checkCells()
}

func (p *parser) cell() (rawCell, error) {
	c := rawCell{span: 1}
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "tcPr"):
			return p.children(func(e xml.StartElement) error {
				// A merge that does not say "restart" goes on.
				switch val := attr(e, "val"); {
				case isW(e, "gridSpan"):
					c.span = max(1, count(val, 1))
				case isW(e, "vMerge"):
					c.goesOn = val != "restart"
				case isW(e, "hMerge"):
					c.joins = val != "restart"
				}
				return p.skip()
			})
		case isW(e, "p"):
			n, boxes, err := p.paragraph()
			c.nodes = append(append(c.nodes, n), boxes...)
			return err
		case isW(e, "tbl"):
			t, err := p.table()
			c.nodes = append(c.nodes, node{table: t})
			return err
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		}
		return p.skip()
	}
	return c, p.children(visit)
}

// count reads a number of columns. What is too big stays too big, without an
// overflow in sums.
func count(val string, otherwise int) int {
	n, err := strconv.ParseInt(val, 10, 32)
	if err != nil || n < 0 {
		if strings.Trim(val, "0123456789") == "" && val != "" {
			return math.MaxInt16
		}
		return otherwise
	}
	return int(min(n, math.MaxInt16))
}

// text is what a cell says, without the tables inside.
func (c rawCell) text() string {
	var lines []string
	for _, n := range c.nodes {
		if n.table == nil && n.text != "" {
			lines = append(lines, n.text)
		}
	}
	return strings.Join(lines, "\n")
}

// grid lays the cells out as a rectangle.
func (t *rawTable) grid() (rows [][]string, merges []Merge) {
	width := t.width()
	rows = make([][]string, len(t.rows))
	above := map[int]int{} // column of a cell that may go on below: index into all
	var all []Merge
	for y, row := range t.rows {
		rows[y] = make([]string, width)
		here := map[int]int{}
		for _, c := range row.cells {
			if i, ok := above[c.col]; ok && c.goesOn && all[i].Cols == c.span {
				all[i].Rows++ // Word does not show what such a cell says
				here[c.col] = i
				continue
			}
			rows[y][c.col] = c.text()
			here[c.col] = len(all)
			all = append(all, Merge{Row: y, Col: c.col, Rows: 1, Cols: c.span})
		}
		above = here
	}
	for _, m := range all {
		if m.Rows > 1 || m.Cols > 1 {
			merges = append(merges, m)
		}
	}
	return rows, merges
}

// headerRows counts the first rows that are marked as header.
func (t *rawTable) headerRows() int {
	for i, row := range t.rows {
		if !row.header {
			return i
		}
	}
	return len(t.rows)
}
