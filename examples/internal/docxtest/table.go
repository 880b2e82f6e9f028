package docxtest

import (
	"fmt"
	"strings"
)

// Table is a table to write.
type Table struct {
	Header int // number of first rows that are marked as header
	Rows   [][]Cell
}

// Cell is one cell as it stands in the file: a cell that spans columns is
// given once, one that spans rows once in each row.
type Cell struct {
	Text  string
	Cols  int    // columns that it spans; 0: one
	Down  bool   // the cells below it, with Above, belong to it
	Above bool   // belongs to the cell above
	Table *Table // a table in the cell, after the text
}

// Texts makes rows of plain cells.
func Texts(rows ...[]string) [][]Cell {
	out := make([][]Cell, len(rows))
	for i, row := range rows {
		for _, text := range row {
			out[i] = append(out[i], Cell{Text: text})
		}
	}
	return out
}

func (t Table) xml() string {
	var b strings.Builder
	b.WriteString(`<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>`)
	width := 0
	for _, row := range t.Rows {
		n := 0
		for _, c := range row {
			n += max(1, c.Cols)
		}
		width = max(width, n)
	}
	b.WriteString(strings.Repeat(`<w:gridCol w:w="1500"/>`, width) + `</w:tblGrid>`)
	for i, row := range t.Rows {
		b.WriteString("<w:tr>")
		if i < t.Header {
			b.WriteString("<w:trPr><w:tblHeader/></w:trPr>")
		}
		for _, c := range row {
			b.WriteString(c.xml())
		}
		b.WriteString("</w:tr>")
	}
	b.WriteString("</w:tbl>")
	return b.String()
}

func (c Cell) xml() string {
	props := ""
	if c.Cols > 1 {
		props += fmt.Sprintf(`<w:gridSpan w:val="%d"/>`, c.Cols)
	}
	switch {
	case c.Down:
		props += `<w:vMerge w:val="restart"/>`
	case c.Above:
		props += `<w:vMerge/>`
	}
	inner := "<w:p>" + run(c.Text) + "</w:p>"
	if c.Table != nil {
		inner += c.Table.xml() + "<w:p/>" // a cell ends with a paragraph
	}
	return "<w:tc><w:tcPr>" + props + "</w:tcPr>" + inner + "</w:tc>"
}
