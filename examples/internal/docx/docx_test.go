package docx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

func read(t testing.TB, d *docxtest.Document) *docx.Document {
	t.Helper()
	return readBytes(t, d.Bytes())
}

func readBytes(t testing.TB, data []byte) *docx.Document {
	t.Helper()
	doc, err := docx.Read(context.Background(), bytes.NewReader(data), int64(len(data)), nil)
	require.NoError(t, err)
	return doc
}

// raw reads a document of the given WordprocessingML.
func raw(t testing.TB, xml string) *docx.Document {
	t.Helper()
	d := docxtest.New()
	d.Raw(xml)
	return read(t, d)
}

func TestBlocksInReadingOrder(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Title("Report")
	d.Heading(1, "Sales")
	d.Paragraph("First\tline\nsecond line")
	d.Paragraph("   ")
	d.Caption("Table", "By region")
	d.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts([]string{"Region", "2024"}, []string{"North", "1,204.5"})})
	d.Heading(2, "Notes")
	d.Paragraph("The end.")

	doc := read(t, d)
	assert.Equal(t, []docx.Block{
		{Kind: docx.KindHeading, Level: 0, Text: "Report"},
		{Kind: docx.KindHeading, Level: 1, Text: "Sales"},
		{Kind: docx.KindParagraph, Text: "First\tline\nsecond line"},
		{Kind: docx.KindCaption, Text: "Table 1: By region"},
		{Kind: docx.KindTable, Table: 1},
		{Kind: docx.KindHeading, Level: 2, Text: "Notes"},
		{Kind: docx.KindParagraph, Text: "The end."},
	}, doc.Blocks)
	assert.Equal(t, []docx.Table{{
		Number: 1, Heading: "Sales", Sections: []string{"Report"}, Caption: "Table 1: By region", HeaderRows: 1,
		Rows: [][]string{{"Region", "2024"}, {"North", "1,204.5"}},
	}}, doc.Tables)
	assert.Len(t, doc.Headings(), 3)
	assert.Len(t, doc.Paragraphs(), 3)
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Heading(1, "Ventes <été> & 売上")
	d.Table(docxtest.Table{Rows: [][]docxtest.Cell{{{Text: "a", Cols: 2}}, {{Text: "b"}, {Text: "c"}}}})
	doc := read(t, d)
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	var back docx.Document
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, *doc, back)

	empty, err := json.Marshal(raw(t, ""))
	require.NoError(t, err)
	assert.JSONEq(t, `{"blocks":[],"tables":[]}`, string(empty), "lists, not null")
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		styles string // styles.xml's content; "-": no such part
		pPr    string
		want   int // level, 0 is the title, -1 no heading
	}{
		{"by Word's name, whatever the id", `<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>`, `<w:pStyle w:val="berschrift2"/>`, 2},
		{"by the style's outline level", `<w:style w:type="paragraph" w:styleId="x"><w:name w:val="Chapter"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>`, `<w:pStyle w:val="x"/>`, 3},
		{"by the style it is based on", `<w:style w:type="paragraph" w:styleId="x"><w:name w:val="Mine"/><w:basedOn w:val="y"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="y"><w:name w:val="Theirs"/><w:basedOn w:val="h"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 4"/></w:style>`, `<w:pStyle w:val="x"/>`, 4},
		{"a style that is text again", `<w:style w:type="paragraph" w:styleId="toc"><w:name w:val="TOC Heading"/><w:basedOn w:val="h"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/></w:style>`, `<w:pStyle w:val="toc"/>`, -1},
		{"by its own outline level", ``, `<w:outlineLvl w:val="0"/>`, 1},
		{"its own level says text", `<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/></w:style>`, `<w:pStyle w:val="h"/><w:outlineLvl w:val="9"/>`, -1},
		{"by the default style", `<w:style w:type="paragraph" w:default="1" w:styleId="d"><w:name w:val="heading 1"/></w:style>`, ``, 1},
		{"a circle of styles", `<w:style w:type="paragraph" w:styleId="a"><w:name w:val="A"/><w:basedOn w:val="b"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="b"><w:name w:val="B"/><w:basedOn w:val="a"/></w:style>`, `<w:pStyle w:val="a"/>`, -1},
		{"a character style of that name", `<w:style w:type="character" w:styleId="x"><w:name w:val="heading 1"/></w:style>`, `<w:pStyle w:val="x"/>`, -1},
		{"no styles at all", `-`, `<w:pStyle w:val="Heading3"/>`, 3},
		{"no styles, a title", `-`, `<w:pStyle w:val="Title"/>`, 0},
		{"no styles, another id", `-`, `<w:pStyle w:val="Heading10"/>`, -1},
		{"nothing", ``, ``, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := docxtest.New()
			d.Raw(`<w:p><w:pPr>` + tt.pPr + `</w:pPr><w:r><w:t>Text</w:t></w:r></w:p>`)
			parts := d.Parts()
			if tt.styles == "-" {
				delete(parts, "word/styles.xml")
			} else {
				parts["word/styles.xml"] = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` + tt.styles + `</w:styles>`
			}
			doc := readBytes(t, docxtest.Zip(parts))
			require.Len(t, doc.Blocks, 1)
			if tt.want < 0 {
				assert.Equal(t, docx.KindParagraph, doc.Blocks[0].Kind)
				return
			}
			assert.Equal(t, docx.Block{Kind: docx.KindHeading, Level: tt.want, Text: "Text"}, doc.Blocks[0])
		})
	}
}

func TestHeadingOfATable(t *testing.T) {
	t.Parallel()
	one := docxtest.Table{Rows: docxtest.Texts([]string{"x"})}
	d := docxtest.New()
	d.Table(one)
	d.Title("T")
	d.Heading(1, "A")
	d.Heading(2, "A1")
	d.Table(one)
	d.Heading(2, "A2")
	d.Table(one)
	d.Heading(1, "B")
	d.Table(one)
	doc := read(t, d)
	require.Len(t, doc.Tables, 4)
	assert.Empty(t, doc.Tables[0].Heading)
	for i, want := range [][]string{{"T", "A", "A1"}, {"T", "A", "A2"}, {"T", "B"}} {
		table := doc.Tables[i+1]
		assert.Equal(t, want, append(table.Sections, table.Heading))
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	p := func(inner string) string { return "<w:p>" + inner + "</w:p>" }
	r := func(text string) string { return "<w:r><w:t>" + text + "</w:t></w:r>" }
	tests := []struct{ name, xml, want string }{
		{"runs are one text", p(r("Sa") + r("les")), "Sales"},
		{"spaces at the ends count only when preserved", p(`<w:r><w:t> a </w:t></w:r><w:r><w:t xml:space="preserve"> b</w:t></w:r>`), "a b"},
		{"tab, breaks, hyphen", p(`<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t><w:noBreakHyphen/><w:t>e</w:t><w:softHyphen/><w:t>f</w:t></w:r>`), "a\tb\nc\nd\u2011ef"},
		{"insertions count, deletions do not", p(`<w:ins>` + r("new") + `</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveTo>` + r("er") + `</w:moveTo><w:moveFrom>` + r("gone") + `</w:moveFrom>`), "newer"},
		{"links, controls, tags", p(`<w:hyperlink>` + r("a") + `</w:hyperlink><w:sdt><w:sdtPr><w:t>no</w:t></w:sdtPr><w:sdtContent>` + r("b") + `</w:sdtContent></w:sdt><w:smartTag>` + r("c") + `</w:smartTag>`), "abc"},
		{"a field is its result", p(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` + r("7")), "7"},
		{"a simple field", p(`<w:fldSimple w:instr="PAGE">` + r("8") + `</w:fldSimple>`), "8"},
		{"hidden text", p(`<w:r><w:rPr><w:vanish/></w:rPr><w:t>1</w:t><w:tab/></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>2</w:t></w:r>`), "2"},
		{"raised and lowered digits stay apart", p(r("1,204") + `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>1</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="baseline"/></w:rPr><w:t>3</w:t></w:r>`), "1,204¹₂3"},
		{"marks of notes say nothing", p(r("1,204") + `<w:r><w:footnoteReference w:id="1"/></w:r>`), "1,204"},
		{"ruby is its base", p(`<w:r><w:ruby><w:rubyPr/><w:rt>` + r("うりあげ") + `</w:rt><w:rubyBase>` + r("売上") + `</w:rubyBase></w:ruby></w:r>`), "売上"},
		{"a formula", p(`<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:rPr/><m:t>x=1</m:t></m:r></m:oMath>`), "x=1"},
		{"other namespaces", p(`<w:r><x:t xmlns:x="urn:x">no</x:t><w:t>yes</w:t></w:r>`), "\ufffdyes"},
		{"one of several alternatives", p(`<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x">` + r("a") + `</mc:Choice><mc:Fallback>` + r("b") + `</mc:Fallback></mc:AlternateContent>`), "a"},
		{"paragraph in a control", `<w:sdt><w:sdtContent>` + p(r("in")) + `</w:sdtContent></w:sdt>`, "in"},
		{"right to left", p(r("المبيعات ١٢")), "المبيعات ١٢"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc := raw(t, tt.xml)
			require.Len(t, doc.Blocks, 1)
			assert.Equal(t, tt.want, doc.Blocks[0].Text)
		})
	}
}

func TestTextBoxComesAfterItsParagraph(t *testing.T) {
	t.Parallel()
	doc := raw(t, `<w:p><w:r><w:t>outside</w:t></w:r><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">`+
		`<mc:Choice><w:drawing><x:any xmlns:x="urn:x"><w:txbxContent><w:p><w:r><w:t>inside</w:t></w:r></w:p>`+
		`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:txbxContent></x:any></w:drawing></mc:Choice>`+
		`<mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>inside</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`)
	require.Len(t, doc.Blocks, 3)
	assert.Equal(t, "outside", doc.Blocks[0].Text)
	assert.Equal(t, "inside", doc.Blocks[1].Text)
	assert.Equal(t, [][]string{{"cell"}}, doc.Tables[0].Rows)
}

func TestLongDocument(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"Name", "Amount"}}
	for range 2000 {
		rows = append(rows, []string{"Ряд", "1 204,5"})
	}
	d := docxtest.New()
	d.Table(docxtest.Table{Rows: docxtest.Texts(rows...)})
	assert.Equal(t, rows, read(t, d).Tables[0].Rows)
}

func TestUTF16AndStrict(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Paragraph("Umsätze 売上 😀")
	for name, change := range map[string]func(string) string{
		"byte order mark": func(s string) string { return "\ufeff" + s },
		"little endian":   func(s string) string { return utf16(s, false) },
		"big endian":      func(s string) string { return utf16(s, true) },
		"strict": func(s string) string {
			return strings.ReplaceAll(s, "http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts := d.Parts()
			parts["word/document.xml"] = change(parts["word/document.xml"])
			assert.Equal(t, "Umsätze 売上 😀", readBytes(t, docxtest.Zip(parts)).Blocks[0].Text)
		})
	}
}

func TestMainPartByItsRelationship(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Heading(1, "Here")
	parts := d.Parts()
	moved := map[string]string{
		"_rels/.rels":                  strings.Replace(parts["_rels/.rels"], "word/document.xml", "/Text/Main.xml", 1),
		"text/main.xml":                parts["word/document.xml"], // names do not depend on case
		"Text/_rels/Main.xml.rels":     strings.Replace(parts["word/_rels/document.xml.rels"], "styles.xml", "../looks/st.xml", 1),
		"looks/st.xml":                 parts["word/styles.xml"],
		"[Content_Types].xml":          parts["[Content_Types].xml"],
		"word/_rels/document.xml.rels": "not even XML, but nobody asks",
	}
	assert.Equal(t, docx.KindHeading, readBytes(t, docxtest.Zip(moved)).Blocks[0].Kind)
}
