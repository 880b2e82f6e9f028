package job_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
)

// docxDocument is a Word document that is being written. The same calls give the same bytes.
type docxDocument struct {
	body     strings.Builder
	captions map[string]int
}

// Title adds the title of the document.
func (d *docxDocument) Title(text string) { d.styled("Title", run(text)) }

// Heading adds a heading of that level, 1 to 3.
func (d *docxDocument) Heading(level int, text string) {
	d.styled(fmt.Sprintf("Heading%d", level), run(text))
}

// Paragraph adds a text.
func (d *docxDocument) Paragraph(text string) { d.styled("", run(text)) }

// Caption adds a caption of Word's kind: label, number from a field, text.
func (d *docxDocument) Caption(label, text string) {
	if d.captions == nil {
		d.captions = map[string]int{}
	}
	d.captions[label]++
	d.styled("Caption", run(label+" ")+
		`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> SEQ `+escape(label)+` \* ARABIC </w:instrText></w:r>`+
		`<w:r><w:fldChar w:fldCharType="separate"/></w:r>`+run(fmt.Sprint(d.captions[label]))+`<w:r><w:fldChar w:fldCharType="end"/></w:r>`+
		run(": "+text))
}

// Table adds a table, and an empty paragraph: without one, Word makes one table
// of two.
func (d *docxDocument) Table(t docxTable) { d.body.WriteString(t.xml() + "<w:p/>") }

func (d *docxDocument) styled(style, content string) {
	d.body.WriteString("<w:p>")
	if style != "" {
		fmt.Fprintf(&d.body, `<w:pPr><w:pStyle w:val="%s"/></w:pPr>`, style)
	}
	d.body.WriteString(content + "</w:p>")
}

// WriteFile writes the file at path.
func (d *docxDocument) WriteFile(path string) error {
	return os.WriteFile(path, wordcases.Zip(wordcases.Parts(d.body.String())), 0o644)
}

// run is a text as an element w:r.
func run(text string) string {
	return `<w:r><w:t xml:space="preserve">` + escape(text) + `</w:t></w:r>`
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// docxTable is a table to write.
type docxTable struct {
	Header int // number of first rows that are marked as header
	Rows   [][]docxCell
}

// docxCell is one cell as it stands in the file: a cell that spans columns is
// given once, one that spans rows once in each row.
type docxCell struct {
	Text  string
	Cols  int  // columns that it spans; 0: one
	Down  bool // the cells below it, with Above, belong to it
	Above bool // belongs to the cell above
}

// docxTexts makes rows of plain cells.
func docxTexts(rows ...[]string) [][]docxCell {
	out := make([][]docxCell, len(rows))
	for i, row := range rows {
		for _, text := range row {
			out[i] = append(out[i], docxCell{Text: text})
		}
	}
	return out
}

func (t docxTable) xml() string {
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

func (c docxCell) xml() string {
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
	return "<w:tc><w:tcPr>" + props + "</w:tcPr>" + inner + "</w:tc>"
}
