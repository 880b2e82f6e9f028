package docx

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
	gone    bool   // deleted or hidden
	unclear string // what is not known of it
	cells   []rawCell
}

type rawCell struct {
	col, span int
	goesOn    bool   // continues the cell above
	joins     bool   // continues the cell to the left
	unclear   string // what is not known of it
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
			if !row.gone {
				t.rows = append(t.rows, row)
			}
			return err
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		case !unseen[wName(e)]:
			strange := strange(e)
			t.rows = append(t.rows, rawRow{cells: []rawCell{{span: 1, nodes: []node{strange}}}})
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
					row.gone = true
				case isW(e, "hidden"):
					row.gone = row.gone || on(attr(e, "val"), true)
				case wName(e) != "" && !plainRow[e.Name.Local]:
					row.unclear = "the property " + e.Name.Local
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
				into := &row.cells[len(row.cells)-1]
				if into.span += c.span; c.text() != "" {
					into.unclear = "a text in a merged cell"
				}
				return nil
			}
			row.cells = append(row.cells, c)
			return nil
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		case !unseen[wName(e)]:
			row.unclear = "the element " + e.Name.Local
		}
		return p.skip()
	}
	if err := p.children(visit); err != nil {
		return row, err
	}
	for i := range row.cells {
		row.cells[i].unclear = cmp.Or(row.unclear, row.cells[i].unclear)
	}
	p.cells += row.width()
	return row, p.checkCells()
}

func (p *parser) cell() (rawCell, error) {
	c, deleted := rawCell{span: 1}, false
	var err error
	c.nodes, err = p.nodes(func(e xml.StartElement) error {
		// A merge that does not say "restart" goes on.
		switch val := attr(e, "val"); {
		case isW(e, "gridSpan"):
			c.span = max(1, count(val, 1))
		case isW(e, "vMerge"):
			c.goesOn = val != "restart"
		case isW(e, "hMerge"):
			c.joins = val != "restart"
		case isW(e, "cellDel"):
			deleted = true
		case wName(e) != "" && !plainCell[e.Name.Local]:
			c.unclear = "the property " + e.Name.Local
		}
		return p.skip()
	})
	if deleted {
		c.nodes, c.unclear = nil, "a deleted cell" // unless the whole column is, the rest of the row moves
	}
	return c, err
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

// why is what a person sees in a cell and text does not say; "" for nothing. A picture or the bullet of a list changes a
// number, but no words.
func (c rawCell) why() string {
	text, struck, why := c.text(), false, c.unclear
	words := strings.IndexFunc(text, unicode.IsLetter) == 0
	for _, n := range c.nodes {
		struck = struck || n.struck
		switch {
		case n.table != nil || why != "":
		case n.unclear != "":
			why = n.unclear
		case n.picture && !words:
			why = "a picture"
		case n.listed && !words && n.text != "":
			why = "the number or bullet of a list"
		}
	}
	if why == "" && struck && text == "" {
		why = "a text that is struck through"
	}
	return why
}

// languages are those of the numbers in the cells; "" if that of any is not known.
func (t *rawTable) languages() string {
	found := map[string]bool{}
	for _, row := range t.rows {
		for _, c := range row.cells {
			for _, n := range c.nodes {
				maps.Copy(found, n.language)
			}
		}
	}
	if found[""] {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

// grid lays the cells out as a rectangle.
func (t *rawTable) grid() (rows [][]string, merges []Merge, unclear []Unclear) {
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
			if why := c.why(); why != "" {
				unclear = append(unclear, Unclear{Row: y, Col: c.col, Why: why})
			}
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
	return rows, merges, unclear
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
