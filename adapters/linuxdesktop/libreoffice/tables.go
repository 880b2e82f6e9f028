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
	b := block{Type: "table", Name: e.attrs["name"]}
	t := &grid{document: d}
	if !t.rowsOf(e) {
		d.add(block{Type: "note", Text: "here is the table " + b.Name + " with tables in its cells, or too many cells, which is not read"})
		return
	}
	b.Rows, b.Merged = t.rows, t.merged
	d.add(b)
}

// grid is a table while it is read.
type grid struct {
	*document
	rows   [][]string
	merged []merged
}

// rowsOf reads the rows in a table, or in a part of it. It reports whether they could be read.
func (t *grid) rowsOf(e *element) bool {
	for _, c := range e.elements() {
		switch c.name {
		case "table-row":
			for range repeated(c, "number-rows-repeated") {
				if !t.row(c) {
					return false
				}
			}
		case "table-header-rows", "table-rows", "table-row-group":
			if !t.rowsOf(c) {
				return false
			}
		}
	}
	return true
}

func (t *grid) row(e *element) bool {
	var row []string
	for _, c := range e.elements() {
		if c.name != "table-cell" && c.name != "covered-table-cell" {
			continue
		}
		for range repeated(c, "number-columns-repeated") {
			text, ok := "", true
			if c.name == "table-cell" {
				rows, columns := repeated(c, "number-rows-spanned"), repeated(c, "number-columns-spanned")
				if rows > 1 || columns > 1 {
					t.merged = append(t.merged, merged{len(t.rows) + 1, len(row) + 1, rows, columns})
				}
				text, ok = t.cell(c)
			}
			if row = append(row, text); !ok || len(row)*(len(t.rows)+1) > maxCells {
				return false
			}
		}
	}
	t.rows = append(t.rows, row)
	return true
}

// cell is the text of a cell, a line for each paragraph. ok is false if it has a table.
func (t *grid) cell(e *element) (text string, ok bool) {
	var lines []string
	for _, c := range e.elements() {
		switch {
		case c.attrs["display"] == "none":
		case c.name == "table":
			return "", false
		case c.name == "p" || c.name == "h":
			if line, _ := t.paragraph(c); line != "" {
				lines = append(lines, line)
			}
		case drawn[c.name] != "":
			t.note(c)
		default: // a list, a section
			inside, ok := t.cell(c)
			if !ok {
				return "", false
			}
			if inside != "" {
				lines = append(lines, inside)
			}
		}
	}
	return strings.Join(lines, "\n"), true
}

// repeated reads how often something is there.
func repeated(e *element, attribute string) int {
	n, err := strconv.Atoi(e.attrs[attribute])
	if err != nil {
		return 1
	}
	return max(1, min(n, maxCells))
}
