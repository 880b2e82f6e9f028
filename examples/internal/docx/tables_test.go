package docx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

func TestMergedCells(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Table(docxtest.Table{Header: 2, Rows: [][]docxtest.Cell{
		{{Text: "Region", Down: true}, {Text: "2023", Cols: 2}, {Text: "2024", Cols: 2}},
		{{Text: "hidden", Above: true}, {Text: "H1"}, {Text: "H2"}, {Text: "H1"}, {Text: "H2"}},
		{{Text: "North", Down: true}, {Text: "1"}, {Text: "2"}, {Text: "3"}, {Text: "4"}},
		{{Above: true}, {Text: "5", Cols: 3}, {Text: "6"}},
		{{Text: "not above", Above: true, Cols: 2}, {Text: "7"}},
	}})
	table := read(t, d).Tables[0]
	assert.Equal(t, 2, table.HeaderRows)
	assert.Equal(t, [][]string{
		{"Region", "2023", "", "2024", ""},
		{"", "H1", "H2", "H1", "H2"},
		{"North", "1", "2", "3", "4"},
		{"", "5", "", "", "6"},
		{"not above", "", "7", "", ""},
	}, table.Rows)
	assert.Equal(t, []docx.Merge{
		{Row: 0, Col: 0, Rows: 2, Cols: 1},
		{Row: 0, Col: 1, Rows: 1, Cols: 2},
		{Row: 0, Col: 3, Rows: 1, Cols: 2},
		{Row: 2, Col: 0, Rows: 2, Cols: 1},
		{Row: 3, Col: 1, Rows: 1, Cols: 3},
		{Row: 4, Col: 0, Rows: 1, Cols: 2},
	}, table.Merges)
}

func TestOtherShapesOfTables(t *testing.T) {
	t.Parallel()
	c := func(text string) string { return `<w:tc><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:tc>` }
	tests := []struct {
		name, xml string
		want      [][]string
	}{
		{"places before a row", `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>` + c("a") + `</w:tr><w:tr>` + c("b") + c("c") + `</w:tr>`, [][]string{{"", "a"}, {"b", "c"}}},
		{"cells joined the old way", `<w:tr><w:tc><w:tcPr><w:hMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:hMerge/></w:tcPr><w:p/></w:tc>` + c("b") + `</w:tr>`, [][]string{{"a", "", "b"}}},
		{"rows and cells in controls", `<w:sdt><w:sdtContent><w:tr><w:sdt><w:sdtContent>` + c("a") + `</w:sdtContent></w:sdt><w:tc><w:sdt><w:sdtContent><w:p><w:r><w:t>b</w:t></w:r></w:p></w:sdtContent></w:sdt></w:tc></w:tr></w:sdtContent></w:sdt>`, [][]string{{"a", "b"}}},
		{"a deleted row", `<w:tr><w:trPr><w:del/></w:trPr>` + c("a") + `</w:tr><w:tr>` + c("b") + `</w:tr>`, [][]string{{"b"}}},
		{"several paragraphs in a cell", `<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p><w:p/><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>`, [][]string{{"a\nb"}}},
		{"wrong spans count as one", `<w:tr><w:tc><w:tcPr><w:gridSpan w:val="0"/></w:tcPr><w:p/></w:tc><w:tc><w:tcPr><w:gridSpan w:val="x"/></w:tcPr><w:p/></w:tc>` + c("a") + `</w:tr>`, [][]string{{"", "", "a"}}},
		{"no rows", ``, [][]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := raw(t, `<w:tbl>`+tt.xml+`</w:tbl>`)
			require.Len(t, doc.Tables, 1)
			assert.Equal(t, tt.want, doc.Tables[0].Rows)
		})
	}
}

func TestNestedTables(t *testing.T) {
	t.Parallel()
	inner := docxtest.Table{Rows: docxtest.Texts([]string{"deep", "1"})}
	d := docxtest.New()
	d.Heading(1, "Layout")
	d.Table(docxtest.Table{Rows: [][]docxtest.Cell{
		{{Text: "left"}, {Text: "Table 9: inside", Table: &inner}},
	}})
	d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"after"})})
	doc := read(t, d)
	require.Len(t, doc.Tables, 3)
	assert.Equal(t, [][]string{{"left", "Table 9: inside"}}, doc.Tables[0].Rows)
	assert.Equal(t, docx.Table{Number: 2, Parent: 1, Heading: "Layout", Caption: "Table 9: inside", Rows: [][]string{{"deep", "1"}}}, doc.Tables[1])
	assert.Equal(t, 3, doc.Tables[2].Number)
	assert.Equal(t, []docx.Block{
		{Kind: docx.KindHeading, Level: 1, Text: "Layout"}, {Kind: docx.KindTable, Table: 1}, {Kind: docx.KindTable, Table: 3},
	}, doc.Blocks)
}

func TestCaptions(t *testing.T) {
	t.Parallel()
	const (
		table   = "|"
		caption = "*" // a caption by its style
	)
	tests := []struct {
		name   string
		blocks []string
		want   []string // of each table
	}{
		{"above", []string{caption + "a", table, caption + "b", table, caption + "c", table}, []string{"a", "b", "c"}},
		{"below", []string{table, caption + "a", table, caption + "b", table, caption + "c"}, []string{"a", "b", "c"}},
		{"only some", []string{table, "text", caption + "b", table, table}, []string{"", "b", ""}},
		{"one between two", []string{table, caption + "a", table}, []string{"", "a"}},
		{"two between two", []string{table, caption + "a", caption + "b", table}, []string{"a", "b"}},
		{"typed", []string{"Table 1: a", table, "text", "Tabelle 2.1 – b", table, "text", "表 3：売上", table, "text", "Таблица ٤. c", table}, []string{"Table 1: a", "Tabelle 2.1 – b", "表 3：売上", "Таблица ٤. c"}},
		{"a sentence is none", []string{"In 2023 sales rose:", table}, []string{""}},
		{"too far away", []string{caption + "a", "text", table}, []string{""}},
		{"empty paragraphs do not count", []string{caption + "a", "", table}, []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := docxtest.New()
			for _, b := range tt.blocks {
				switch {
				case b == table:
					d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"x"})})
				case len(b) > 0 && b[:1] == caption:
					d.Raw(`<w:p><w:pPr><w:pStyle w:val="Caption"/></w:pPr><w:r><w:t>` + b[1:] + `</w:t></w:r></w:p>`)
				default:
					d.Paragraph(b)
				}
			}
			var got []string
			for _, table := range read(t, d).Tables {
				got = append(got, table.Caption)
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestCaptionOfAPictureIsNotTheTables(t *testing.T) {
	t.Parallel()
	doc := raw(t, `<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p><w:r><w:drawing/></w:r></w:p>`+
		`<w:p><w:fldSimple w:instr=" SEQ Figure "><w:r><w:t>Figure one</w:t></w:r></w:fldSimple></w:p>`)
	assert.Empty(t, doc.Tables[0].Caption)
}

func TestAlternativeTextIsACaption(t *testing.T) {
	t.Parallel()
	doc := raw(t, `<w:tbl><w:tblPr><w:tblCaption w:val="Costs"/><w:tblDescription w:val="more"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>`)
	assert.Equal(t, "Costs", doc.Tables[0].Caption)
}
