package libreoffice

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	sharedStyles = `<s><font-face-decls><font-face name="Signs" font-family="'Wingdings'"/></font-face-decls><styles>
<style name="Standard" family="paragraph"/><style name="Caption_20_Small" display-name="Caption Small" family="paragraph" parent-style-name="Standard"/>
<style name="Raised" family="text"><text-properties text-position="super 58%"/></style></styles></s>`
	ownStyles = `<style name="P1" family="paragraph" parent-style-name="Caption_20_Small"/>
<style name="Up" family="text" parent-style-name="Raised"><text-properties font-weight="bold"/></style><style name="Down" family="text"><text-properties text-position="-33% 58%"/></style>
<style name="Flat" family="text"><text-properties text-position="0% 100%"/></style><style name="Hidden" family="text"><text-properties display="none"/></style>
<style name="Signs" family="text"><text-properties font-name="Signs"/></style><style name="Struck" family="text"><text-properties text-line-through-style="solid" text-line-through-type="single"/></style>
<style name="Secret" family="paragraph"><text-properties display="none"/></style>`
)

// copied is an OpenDocument text as a program copies it. Names have no prefixes: they are not looked at.
func copied(t *testing.T, body string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range map[string]string{
		"styles.xml":  sharedStyles,
		"content.xml": "<d><automatic-styles>" + ownStyles + "</automatic-styles><body><text>" + body + "</text></body></d>",
	} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = fmt.Fprint(w, text)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

func span(style, text string) string { return `<span style-name="` + style + `">` + text + `</span>` }

// What is read is what a person sees: 12 and a raised 3 is not 123.
func TestParagraphs(t *testing.T) {
	for name, c := range map[string][2]string{
		"plain":             {"1204", "1204"},
		"blanks":            {`a<s c="3"/>b<tab/>c<line-break/>d`, "a b c d"},
		"raised":            {"10" + span("Up", "3") + " m", "10³ m"},
		"lowered":           {"H" + span("Down", "2") + "O", "H₂O"},
		"on the line":       {"12" + span("Flat", "3"), "123"},
		"hidden":            {"12" + span("Hidden", "99"), "12"},
		"signs":             {span("Signs", "2") + "5", "\uf0325"},
		"struck":            {span("Struck", "10") + "25", "~~10~~25"},
		"struck as a whole": {span("Struck", "10"), "10"},
		"one in another":    {"1" + span("Struck", "2"+span("Up", "3")), "1~~2~~~~³~~"},
		"a change":          {`1<change-start/>2<change-end/><change/>3`, "123"},
		"an annotation":     {"12<annotation><p>34</p></annotation>", "12"},
		"a link":            {`see <a>here</a>`, "see here"},
	} {
		list, err := parse(copied(t, "<p>"+c[0]+"</p>"))
		require.NoError(t, err, name)
		assert.Equal(t, []block{{Number: 1, Type: "paragraph", Text: c[1]}}, list, name)
	}
}

func TestDocument(t *testing.T) {
	list, err := parse(copied(t, `<tracked-changes><changed-region><deletion><p>gone</p></deletion></changed-region></tracked-changes>
<h outline-level="2" style-name="Standard">Sales</h><p style-name="P1">Table 1<note><note-citation>1</note-citation><note-body><p>Estimated.</p></note-body></note></p><p/>
<section display="none"><p>hidden</p></section><section><list><list-item><p>item</p></list-item></list></section><p style-name="Secret">secret</p>
<table name="T"><table-column/><table-header-rows><table-row><table-cell number-columns-spanned="2"><p>Both</p></table-cell><covered-table-cell/></table-row></table-header-rows>
<table-row><table-cell number-rows-spanned="2"><p>a</p><p>b</p></table-cell><table-cell/></table-row><table-row><covered-table-cell/><table-cell><list><list-item><p>2</p></list-item></list></table-cell></table-row></table>
<p>x<frame><text-box><p>aside</p></text-box></frame><frame><image/></frame></p><table name="N"><table-row><table-cell><table/></table-cell></table-row></table>`))
	require.NoError(t, err)
	assert.Equal(t, []block{
		{Number: 1, Type: "heading", Level: 2, Style: "Standard", Text: "Sales"},
		{Number: 2, Type: "paragraph", Style: "Caption Small", Text: "Table 1¹"},
		{Number: 3, Type: "paragraph", Text: "item"},
		{
			Number: 4, Type: "table", Name: "T", Rows: [][]string{{"Both", ""}, {"a\nb", ""}, {"", "2"}},
			Merged: []merged{{1, 1, 1, 2}, {2, 1, 2, 1}},
		},
		{Number: 5, Type: "paragraph", Text: "x"},
		{Number: 6, Type: "note", Text: "here is the table N with tables in its cells, or too many cells, which is not read"},
		{Number: 7, Type: "note", Text: "note 1: Estimated."},
		{Number: 8, Type: "note", Text: "here is a text frame, which is not read"},
	}, list)
	for _, broken := range [][]byte{nil, []byte("no zip"), copied(t, "<p>")} {
		_, err := parse(broken)
		require.Error(t, err)
	}
}
