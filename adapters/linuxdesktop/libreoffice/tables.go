package libreoffice

import (
	"strconv"
	"strings"
)

const (
	maxRows    = 500 // of one read_table
	maxColumns = 100
	maxCells   = 1_000_000 // of a table of a document
)

// table reads a table. One with tables in its cells is noted, and not read.
func (d *document) table(e *element) {
	t := &grid{document: d}
	t.rowsOf(e)
	name := e.attrs["name"]
	if t.unread {
		d.add(block{Type: "note", Text: "here is the table " + name + " with tables in its cells, or too many cells, which is not read"})
		return
	}
	d.add(block{Type: "table", Name: name, Rows: t.rows, Merged: t.merged})
}

// grid is a table while it is read.
type grid struct {
	*document
	rows   [][]string
	merged []merged
	cells  int
	unread bool // it has tables in its cells, or too many cells
}

// rowsOf reads the rows in a table, or in a part of it.
func (t *grid) rowsOf(e *element) {
	for _, c := range e.elements() {
		switch c.name {
		case "table-row":
			for range repeated(c, "number-rows-repeated") {
				if t.row(c); t.unread {
					return
				}
			}
		case "table-header-rows", "table-rows", "table-row-group":
			t.rowsOf(c)
		}
	}
}

func (t *grid) row(e *element) {
	var row []string
	for _, c := range e.elements() {
		if c.name != "table-cell" && c.name != "covered-table-cell" {
			continue
		}
		for range repeated(c, "number-columns-repeated") {
			if t.cells++; t.unread || t.cells > maxCells {
				t.unread = true
				return
			}
			text := ""
			if c.name == "table-cell" {
				rows, columns := repeated(c, "number-rows-spanned"), repeated(c, "number-columns-spanned")
				if rows > 1 || columns > 1 {
					t.merged = append(t.merged, merged{len(t.rows) + 1, len(row) + 1, rows, columns})
				}
				text = strings.Join(t.lines(c), "\n")
			}
			row = append(row, text)
		}
	}
	t.rows = append(t.rows, row)
}

// lines are the texts of the paragraphs of a cell, or of a part of it.
func (t *grid) lines(e *element) (lines []string) {
	for _, c := range e.elements() {
		switch {
		case c.attrs["display"] == "none":
		case c.name == "table":
			t.unread = true
		case c.name == "p" || c.name == "h":
			if line, _ := t.paragraph(c); line != "" {
				lines = append(lines, line)
			}
		case drawn[c.name] != "":
			t.note(c)
		default: // a list, a section
			lines = append(lines, t.lines(c)...)
		}
	}
	return lines
}

// repeated reads how often something is there.
func repeated(e *element, attribute string) int {
	n, err := strconv.Atoi(e.attrs[attribute])
	if err != nil {
		return 1
	}
	return max(1, min(n, maxCells))
}
