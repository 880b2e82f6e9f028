package xlsxtest_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

const (
	relType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	relNS   = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
)

func rels(pairs ...string) string {
	text := `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for i := 0; i < len(pairs); i += 2 {
		text += fmt.Sprintf(`<Relationship Id="rId%d" Type="%s%s" Target="%s"/>`, i/2+1, relType, pairs[i], pairs[i+1])
	}
	return text + `</Relationships>`
}

// book returns the parts of a small file, by hand.
func book() map[string]string {
	return map[string]string{
		"[Content_Types].xml":        `<Types><Override PartName="/xl/workbook.xml"/></Types>`,
		"_rels/.rels":                rels("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml":            `<workbook ` + relNS + `><sheets><sheet name="It's" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": rels("worksheet", "worksheets/s.xml", "sharedStrings", "/xl/strings.xml", "styles", "styles.xml"),
		"xl/strings.xml":             `<sst><si><t>plain</t></si><si><r><t>two </t></r><r><t>runs</t></r></si><si><t>_x005F_x0041__x000D_</t></si></sst>`,
		"xl/styles.xml":              `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="3"/></cellXfs></styleSheet>`,
		"xl/worksheets/s.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>in line</t></is></c></row>` +
			`<row r="2"><c r="A2" s="1"><v>0.125</v></c><c r="B2" s="2" t="n"><v>5</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="s"><v>2</v></c><c r="AA2" s="1"/></row>` +
			`<row r="3"><c r="A3" t="str"><f>A1</f><v>plain</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/_rels/s.xml.rels": rels("drawing", "../drawings/d.xml"),
		"xl/drawings/d.xml":              `<wsDr ` + relNS + `><twoCellAnchor><graphicFrame><graphic><graphicData><chart r:id="rId1"/></graphicData></graphic></graphicFrame></twoCellAnchor></wsDr>`,
		"xl/drawings/_rels/d.xml.rels":   rels("chart", "../charts/c.xml"),
		"xl/charts/c.xml": `<chartSpace><chart><title><tx><rich><p><r><t>The </t></r><r><t>title</t></r></p></rich></tx></title><plotArea><barChart><barDir val="col"/>` +
			`<ser><tx><strRef><f>'It''s'!$A$1</f></strRef></tx><cat><numRef><f>'It''s'!$A$1:$B$2</f></numRef></cat><val><numRef><f>'It''s'!$A$2:$B$2</f></numRef></val></ser></barChart></plotArea></chart></chartSpace>`,
	}
}

func read(t testing.TB, parts map[string]string) (*xlsxtest.Book, error) {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(parts[name]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return xlsxtest.Read(bytes.NewReader(out.Bytes()), int64(out.Len()))
}

func TestRead(t *testing.T) {
	t.Parallel()
	b, err := read(t, book())
	require.NoError(t, err)
	require.Len(t, b.Sheets, 1)
	s := b.Sheets[0]
	assert.Equal(t, "It's", s.Name)
	assert.Equal(t, map[string]xlsxtest.Cell{
		"A1": {Kind: xlsxtest.Text, Text: "plain"}, "B1": {Kind: xlsxtest.Text, Text: "two runs"}, "C1": {Kind: xlsxtest.Text, Text: "in line"},
		"A2": {Kind: xlsxtest.Number, Text: "0.125", Format: "0.0%"}, "B2": {Kind: xlsxtest.Number, Text: "5", Format: "#,##0"},
		"C2": {Kind: xlsxtest.Boolean, Text: "TRUE"}, "D2": {Kind: xlsxtest.Text, Text: "_x0041_\r"},
		"A3": {Kind: xlsxtest.Text, Text: "plain", Formula: "A1"},
	}, s.Cells)
	assert.Equal(t, []int{3, 4}, []int{s.Rows, s.Cols})
	assert.Equal(t, []xlsxtest.Chart{{Bars: true, Dir: "col", Title: "The title", Series: []xlsxtest.Series{
		{Name: "'It''s'!$A$1", Categories: "'It''s'!$A$1:$B$2", Values: "'It''s'!$A$2:$B$2"},
	}, Look: xlsxtest.Look{Texts: map[string]string{"title": "000000", "categories": "000000", "values": "000000"}}}}, s.Charts)

	cells, err := b.Resolve(s.Charts[0].Series[0].Categories)
	require.NoError(t, err)
	assert.Equal(t, []xlsxtest.Cell{s.Cells["A1"], s.Cells["B1"], s.Cells["A2"], s.Cells["B2"]}, cells)
	f, ok := cells[2].Float()
	assert.True(t, ok)
	assert.InDelta(t, 0.125, f, 0)
	_, ok = cells[0].Float()
	assert.False(t, ok)
	cells, err = b.Resolve("'It''s'!Z99")
	require.NoError(t, err)
	assert.Equal(t, []xlsxtest.Cell{{}}, cells)
	for _, ref := range []string{"A1", "Other!A1", "'It''s'!A", "'It''s'!A1:B", "'It''s'!A1:5"} {
		_, err = b.Resolve(ref)
		assert.Error(t, err, ref)
	}
}

func TestReadIsStrict(t *testing.T) {
	t.Parallel()
	const sheet = "xl/worksheets/s.xml"
	tests := []struct {
		name, part, old, new string // new "-": the part is missing
	}{
		{"a part of the content types", "[Content_Types].xml", "/xl/workbook.xml", "/xl/other.xml"},
		{"no main part", "_rels/.rels", `officeDocument" Target`, `other" Target`},
		{"no workbook", "xl/workbook.xml", "", "-"},
		{"no sheet", sheet, "", "-"},
		{"no relation of a sheet", "xl/workbook.xml", "rId1", "rId9"},
		{"no strings", "xl/strings.xml", "", "-"},
		{"no styles", "xl/_rels/workbook.xml.rels", "/styles", "/other"},
		{"a format that nobody knows", "xl/styles.xml", `xf numFmtId="3"`, `xf numFmtId="77"`},
		{"a string that is not there", sheet, "<v>0</v>", "<v>9</v>"},
		{"a style that is not there", sheet, `s="2"`, `s="9"`},
		{"a number that is none", sheet, "<v>5</v>", "<v>five</v>"},
		{"a type that is none", sheet, `t="b"`, `t="z"`},
		{"a type without a value", sheet, `<v>1</v>`, `<is><t>1</t></is>`},
		{"a cell twice", sheet, `"B1"`, `"A1"`},
		{"a cell that is none", sheet, `"B1"`, `"11"`},
		{"broken XML", sheet, "</worksheet>", ""},
		{"no drawing", "xl/drawings/d.xml", "", "-"},
		{"no relation of a chart", "xl/drawings/_rels/d.xml.rels", "rId1", "rId9"},
		{"no chart", "xl/charts/c.xml", "", "-"},
		{"a name that is no reference", "xl/charts/c.xml", `<strRef><f>'It''s'!$A$1</f></strRef>`, `<v>Sales</v>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			parts := book()
			if tt.new == "-" {
				delete(parts, tt.part)
			} else {
				require.Contains(t, parts[tt.part], tt.old)
				parts[tt.part] = strings.Replace(parts[tt.part], tt.old, tt.new, 1)
			}
			_, err := read(t, parts)
			require.Error(t, err)
			assert.Regexp(t, "^xlsxtest: ", err.Error())
		})
	}
	_, err := xlsxtest.Read(strings.NewReader("no zip"), 6)
	require.Error(t, err)
	_, err = xlsxtest.Open("missing.xlsx")
	require.Error(t, err)
}

func TestOnlyBars(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"a line too":  {"</plotArea>", "<lineChart/></plotArea>"},
		"two of them": {"</plotArea>", `<barChart><barDir val="bar"/></barChart></plotArea>`},
	} {
		parts := book()
		parts["xl/charts/c.xml"] = strings.Replace(parts["xl/charts/c.xml"], change[0], change[1], 1)
		b, err := read(t, parts)
		require.NoError(t, err, name)
		assert.False(t, b.Sheets[0].Charts[0].Bars, name)
	}
}

func TestOnWhite(t *testing.T) {
	t.Parallel()
	for color, want := range map[string]float64{"000000": 21, "FFFFFF": 1, "767676": 4.54, "D9D9D9": 1.41, "FF0000": 4.0} {
		got, err := xlsxtest.OnWhite(color)
		require.NoError(t, err)
		assert.InDelta(t, want, got, 0.01, color)
	}
	for _, color := range []string{"", "red", "FFF", "1000000"} {
		_, err := xlsxtest.OnWhite(color)
		assert.Error(t, err, color)
	}
}
