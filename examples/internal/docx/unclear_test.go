package docx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

const (
	compat = `xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`
	mathNS = `xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
)

// What a person sees in a cell is in its text, or the cell says what is not: nothing is left out in silence.
func TestWhatACellShows(t *testing.T) {
	t.Parallel()
	run := func(properties, content string) string {
		return "<w:r><w:rPr>" + properties + "</w:rPr>" + content + "</w:r>"
	}
	text := func(properties, text string) string { return run(properties, "<w:t>"+text+"</w:t>") }
	char := func(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }
	const n120 = "<w:r><w:t>120</w:t></w:r>"
	tests := []struct{ name, xml, want, why string }{
		{"struck", text("<w:strike/>", "9") + n120, "120", ""},
		{"struck twice", text("<w:dstrike/>", "9") + n120, "120", ""},
		{"not struck after all", text(`<w:strike w:val="0"/>`, "9") + n120, "9120", ""},
		{"struck as a whole", text("<w:strike/>", "9"), "", "struck"},
		{"hidden", text("<w:specVanish/>", "9") + n120, "120", ""},
		{"a hidden symbol", run("<w:vanish/>", `<w:sym w:font="Wingdings" w:char="F0EA"/>`) + n120, "120", ""},
		{"hidden on the web only", text("<w:webHidden/>", "9") + n120, "9120", ""},
		{"looks that change nothing", text(`<w:b/><w:color w:val="FF0000"/><w:sz w:val="8"/><x:glow xmlns:x="urn:x"/>`, "120"), "120", ""},
		{"a look that nobody knows", text("<w:mirror/>", "120"), "\ufffd", "mirror"},
		{"raised signs", n120 + text(`<w:vertAlign w:val="superscript"/>`, "−1.5"), "120⁻¹˙⁵", ""},
		{"lowered by its position", n120 + text(`<w:position w:val="-4"/>`, "1"), "120₁", ""},
		{"raised, but not after all", n120 + text(`<w:vertAlign w:val="baseline"/><w:position w:val="0"/>`, "1"), "1201", ""},
		{"symbols", run("", `<w:sym w:font="Symbol" w:char="F02D"/><w:sym w:font="symbol" w:char="00B1"/><w:sym w:font="Symbol" w:char="F0A3"/>`) + n120, "−±≤120", ""},
		{"a letter of the font Symbol", run("", `<w:sym w:font="Symbol" w:char="F061"/>`) + n120, "\ufffd120", "font Symbol"},
		{"a sign that is no code", run("", `<w:sym w:font="Symbol" w:char="-"/>`) + n120, "\ufffd120", "font Symbol"},
		{"a sign of another font", run("", `<w:sym w:font="Webdings" w:char="F02D"/>`) + n120, "\ufffd120", "font Webdings"},
		{"a text in a font of symbols", text(`<w:rFonts w:hAnsi="Wingdings 2"/>`, "120"), "\ufffd", "font Wingdings 2"},
		{"blanks in a font of symbols", text(`<w:rFonts w:hAnsi="Symbol"/>`, "\u00a0") + n120, "120", ""},
		{"a computed date", run("", "<w:dayLong/>") + n120, "\ufffd120", "dayLong"},
		{"a number of pages", run("", "<w:pgNum/>"), "\ufffd", "pgNum"},
		{"ink", run("", "<w:contentPart/>") + n120, "\ufffd120", "contentPart"},
		{"another document", "<w:subDoc/>" + n120, "\ufffd120", "subDoc"},
		{"a picture", n120 + run("", "<w:drawing/>"), "120", "picture"},
		{"an object", n120 + run("", "<w:object/>"), "120", "picture"},
		{"a picture beside a name", "<w:r><w:t>North</w:t></w:r>" + run("", "<w:pict/>"), "North", ""},
		{"a picture that is deleted", n120 + "<w:del>" + run("", "<w:drawing/>") + "</w:del>", "120", ""},
		{"a picture in an alternative", n120 + run("", `<mc:AlternateContent `+compat+`><mc:Choice Requires="wps"><w:drawing/></mc:Choice><mc:Fallback><w:pict/></mc:Fallback></mc:AlternateContent>`), "120", "picture"},
		{"an unknown alternative", run("", `<mc:AlternateContent `+compat+`><mc:Choice Requires="x"><w:ink/></mc:Choice></mc:AlternateContent>`) + n120, "\ufffd120", "ink"},
		{"digits from right to left", `<w:bdo w:val="rtl">` + n120 + `</w:bdo>`, "\ufffd", "direction"},
		{"a fraction", `<m:oMath ` + mathNS + `><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>`, "\ufffd", "formula"},
		{"a plain formula", `<m:oMathPara ` + mathNS + `><m:oMathParaPr/><m:oMath><m:r><m:rPr/><w:rPr/><m:t>−5</m:t></m:r></m:oMath></m:oMathPara>`, "−5", ""},
		{"a field that is dirty", `<w:fldSimple w:instr="=1+2" w:dirty="true">` + n120 + `</w:fldSimple>`, "120\ufffd", "field"},
		{"a simple field without a result", `<w:fldSimple w:instr="SYMBOL 45"/>` + n120, "\ufffd120", "field"},
		{"a field of an index", char("begin") + `<w:r><w:instrText>XE "9"</w:instrText></w:r>` + char("end") + n120, "120", ""},
		{"a drop-down without a text", char("begin") + `<w:r><w:instrText>FORMDROPDOWN</w:instrText></w:r>` + char("separate") + char("end") + n120, "\ufffd120", "field"},
		{"a field in an instruction", char("begin") + char("begin") + char("separate") + n120 + char("end") + char("separate") + "<w:r><w:t>5</w:t></w:r>" + char("end"), "5", ""},
		{"a mark of a note", n120 + run("", `<w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>7</w:t>`), "120\ufffd7", "note"},
		{"marks of revisions and comments", `<w:bookmarkStart/><w:commentRangeStart/>` + n120 + `<w:commentRangeEnd/><w:r><w:commentReference/></w:r><w:moveFromRangeStart/>`, "120", ""},
		{"the bullet of a list", `<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>` + n120, "120", "list"},
		{"a list that ends", `<w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>` + n120, "120", ""},
		{"a list of names", `<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>North</w:t></w:r>`, "North", ""},
		{"hidden by the style of the paragraph", `<w:pPr><w:pStyle w:val="Hidden"/></w:pPr>` + n120, "", ""},
		{"shown in it", `<w:pPr><w:pStyle w:val="Hidden"/></w:pPr>` + text(`<w:vanish w:val="false"/>`, "7"), "7", ""},
		{"struck by a style of characters", text(`<w:rStyle w:val="Struck"/>`, "9") + n120, "120", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := styled(t, `<w:tbl><w:tr><w:tc><w:p>`+tt.xml+`</w:p></w:tc></w:tr></w:tbl>`)
			assert.Equal(t, [][]string{{tt.want}}, table.Rows)
			if tt.why == "" {
				assert.Empty(t, table.Unclear)
				return
			}
			require.Len(t, table.Unclear, 1)
			assert.Contains(t, table.Unclear[0].Why, tt.why)
		})
	}
}

// styled reads a table in a document with some styles.
func styled(t testing.TB, xml string) docx.Table {
	t.Helper()
	d := docxtest.New()
	d.Raw(xml)
	parts := d.Parts()
	parts["word/styles.xml"] = strings.Replace(parts["word/styles.xml"], "</w:styles>",
		`<w:style w:type="paragraph" w:styleId="Hidden"><w:name w:val="Hidden"/><w:basedOn w:val="Base"/></w:style>`+
			`<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:rPr><w:vanish/></w:rPr></w:style>`+
			`<w:style w:type="character" w:styleId="Struck"><w:name w:val="Struck"/><w:rPr><w:strike/></w:rPr></w:style></w:styles>`, 1)
	doc := readBytes(t, docxtest.Zip(parts))
	require.Len(t, doc.Tables, 1)
	return doc.Tables[0]
}

// Rows and cells that are deleted or hidden are not there; what is not known of them makes their cells unclear.
func TestWhatARowShows(t *testing.T) {
	t.Parallel()
	cell := func(properties, text string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr><w:p><w:r><w:t>" + text + "</w:t></w:r></w:p></w:tc>"
	}
	row := func(properties string, cells ...string) string {
		return "<w:tr><w:trPr>" + properties + "</w:trPr>" + strings.Join(cells, "") + "</w:tr>"
	}
	a, b, gone := cell("", "a"), cell("", "1"), cell("<w:cellDel/>", "9")
	tests := []struct {
		name    string
		rows    []string
		want    [][]string
		unclear []int // columns of the last row
	}{
		{"hidden", []string{row("<w:hidden/>", a, b), row(`<w:hidden w:val="0"/>`, a, b)}, [][]string{{"a", "1"}}, nil},
		{"deleted", []string{row("<w:del/>", a, b), row("<w:ins/>", a, b)}, [][]string{{"a", "1"}}, nil},
		{"a deleted cell", []string{row("", a, b), row("", a, gone, b)}, [][]string{{"a", "1", ""}, {"a", "", "1"}}, []int{1}},
		{"an inserted cell", []string{row("", a, cell("<w:cellIns/>", "5"))}, [][]string{{"a", "5"}}, nil},
		{"a cell that was merged", []string{row("", a, cell("<w:cellMerge/>", "5"))}, [][]string{{"a", "5"}}, []int{1}},
		{"a text in a merged cell", []string{row("", a, cell(`<w:hMerge w:val="restart"/>`, "1"), cell("<w:hMerge/>", "2"))}, [][]string{{"a", "1", ""}}, []int{1}},
		{"a row that nobody knows", []string{row("<w:mirror/>", a, b)}, [][]string{{"a", "1"}}, []int{0, 1}},
		{"an element among cells", []string{row("", a, b, "<w:ink/>")}, [][]string{{"a", "1"}}, []int{0, 1}},
		{"an element among paragraphs", []string{row("", a, "<w:tc><w:altChunk/><w:p/></w:tc>")}, [][]string{{"a", "\ufffd"}}, []int{1}},
		{"an element among rows", []string{row("", a, b), "<w:ink/>"}, [][]string{{"a", "1"}, {"\ufffd", ""}}, []int{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := styled(t, `<w:tbl><w:tblPr/><w:tblGrid/>`+strings.Join(tt.rows, "")+`</w:tbl>`)
			assert.Equal(t, tt.want, table.Rows)
			var unclear []int
			for _, u := range table.Unclear {
				assert.Equal(t, len(tt.want)-1, u.Row)
				unclear = append(unclear, u.Col)
			}
			assert.Equal(t, tt.unclear, unclear)
		})
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	run := func(language, text string) string {
		return `<w:r><w:rPr><w:lang w:val="` + language + `"/></w:rPr><w:t>` + text + `</w:t></w:r>`
	}
	const plain = `<w:r><w:t>5</w:t></w:r>`
	tests := []struct{ name, defaults, theme, cell, want string }{
		{"none", "", "", plain, ""},
		{"of the theme", "", "fr-FR", plain, "fr-FR"},
		{"of the defaults", "de-DE", "fr-FR", plain, "de-DE"},
		{"of the runs", "de-DE", "", run("en-US", "1") + run("de-CH", "2"), "de-CH en-US"},
		{"one of them is not known", "", "", run("en-US", "1") + plain, ""},
		{"words do not count", "de-DE", "", run("en-US", "total") + plain, "de-DE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := docxtest.New()
			d.Raw(`<w:tbl><w:tr><w:tc><w:p>` + tt.cell + `</w:p></w:tc></w:tr></w:tbl>`)
			parts := d.Parts()
			const space = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
			if tt.defaults != "" {
				parts["word/styles.xml"] = `<w:styles ` + space + `><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="` + tt.defaults + `"/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>`
			}
			if tt.theme != "" {
				parts["word/settings.xml"] = `<w:settings ` + space + `><w:themeFontLang w:val="` + tt.theme + `"/></w:settings>`
			}
			assert.Equal(t, tt.want, readBytes(t, docxtest.Zip(parts)).Tables[0].Languages)
		})
	}
}

func TestLineAboveATable(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20)
	tests := []struct {
		name   string
		blocks []string // "|" is a table
		want   []string
	}{
		{"short", []string{"Sales by product", "|"}, []string{"Sales by product"}},
		{"long", []string{long, "|"}, []string{""}},
		{"long, with a colon", []string{long + "as follows:", "|"}, []string{long + "as follows:"}},
		{"the last one", []string{"Costs:", "Sales:", "", "|"}, []string{"Sales:"}},
		{"each once", []string{"Sales:", "|", "|"}, []string{"Sales:", ""}},
		{"not a caption", []string{"Sales:", "Table 1: Costs", "|"}, []string{""}},
	}
	for _, tt := range tests {
		d := docxtest.New()
		for _, b := range tt.blocks {
			if b == "|" {
				d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"x"})})
			} else {
				d.Paragraph(b)
			}
		}
		var got []string
		for _, table := range read(t, d).Tables {
			got = append(got, table.Above)
		}
		assert.Equal(t, tt.want, got, tt.name)
	}
}
