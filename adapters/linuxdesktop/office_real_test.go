//go:build linux

package linuxdesktop_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// calc starts Calc with an empty sheet.
func calc(s *screen) (d desktop.Desktop, sheet desktop.Control) {
	s.t.Helper()
	d = s.launch("libreoffice-calc", "soffice", "--calc", "--norestore", "--nologo")
	return d, s.find(d, "table", "Sheet Sheet1")
}

func (s *screen) table(d desktop.Desktop, id string, first ...int) (rows [][]string) {
	s.t.Helper()
	parameters := map[string]any{"id": id}
	if first != nil {
		parameters["first_row"] = first[0]
	}
	require.NoError(s.t, s.do(d, desktop.ReadTable, parameters).Decode(&rows))
	return rows
}

// What was written is what the cells hold: texts stay texts, and nothing is corrected.
func TestRealCells(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	d, sheet := calc(s)
	res := s.do(d, "write_cells", map[string]any{"id": sheet.ID, "rows": []any{
		[]any{"Region", "2023", "3/4", "TRUE"},
		[]any{"North", 1204.567, -3, 0},
		[]any{"Nord", 12, json.Number("0.1"), nil}, // which begins as the one above it
		[]any{`No "q" 1/2 --`, "- Total", "+5", "12%"},
		[]any{"Grüße 世界", "1-2", "", "é"},
	}})
	assert.Equal(t, "19 cells were written, and read back", res.Text())
	assert.Empty(t, res.Unverified)
	assert.Equal(t, [][]string{
		{"Region", "2023", "3/4", "TRUE"}, {"North", "1204.567", "-3", "0"}, {"Nord", "12", "0.1", ""},
		{`No "q" 1/2 --`, "- Total", "+5", "12%"}, {"Grüße 世界", "1-2", "", "é"},
	}, s.table(d, sheet.ID))

	s.do(d, "write_cells", map[string]any{"id": sheet.ID, "cell": "H1", "numbers_from": "I2", "rows": []any{[]any{"", "2024"}, []any{"2", "1,204.5"}}})
	var row [][]string
	require.NoError(t, s.do(d, desktop.ReadTable, map[string]any{"id": sheet.ID, "first_row": 2, "rows": 1}).Decode(&row))
	assert.Equal(t, []string{"North", "1204.567", "-3", "0"}, row[0], "up to what is empty")

	why := s.no(d, "write_cells", map[string]any{"id": sheet.ID, "cell": "F1", "rows": []any{[]any{"=A2"}}})
	assert.Equal(t, `F1 would become a formula: "=A2"`, why)
	assert.Equal(t, "there is no cell XFE1", s.no(d, "write_cells", map[string]any{"id": sheet.ID, "cell": "XFE1", "rows": []any{[]any{1}}}))
	assert.Contains(t, s.no(d, desktop.SetEditText, map[string]any{"id": sheet.ID, "text": "x"}), "holds cells, and no text")

	// Nothing is done behind what locks the screen, also by the program itself.
	uncover := s.cover()
	const locked = "perhaps a locked screen"
	assert.Contains(t, s.no(d, desktop.SelectMenu, map[string]any{"path": []any{"Edit", "Select All"}}), locked)
	assert.Contains(t, s.no(d, "write_cells", map[string]any{"id": sheet.ID, "rows": []any{[]any{1}}}), locked)
	res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "write_cells", Parameters: map[string]any{"id": sheet.ID, "rows": []any{[]any{1}}}})
	require.NoError(t, err)
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Empty(t, res.Unverified, "nothing was begun")
	uncover()

	// A chart, by the menu and its dialog.
	s.do(d, desktop.KeyboardInput, map[string]any{"keys": "^{HOME}"})
	res = s.do(d, desktop.SelectMenu, map[string]any{"path": []any{"Insert", "Chart"}})
	assert.Contains(t, res.Text(), `a window "Chart Type" opened`)
	finish := s.find(d, "push button", "Finish")
	s.do(d, desktop.ClickInput, map[string]any{"id": finish.ID, "name": "Finish"})
	s.find(d, "document frame", "Chart")
}

// document is an ODF text whose table goes over several pages.
func document(t *testing.T, dir string, rows [][]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
		`xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ` +
		`office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>Before.</text:p><table:table table:name="Sales">`)
	fmt.Fprintf(&b, `<table:table-column table:number-columns-repeated="%d"/>`, len(rows[0]))
	for i, row := range rows {
		if i == 0 {
			b.WriteString(`<table:table-header-rows>`)
		}
		b.WriteString(`<table:table-row>`)
		for _, text := range row {
			fmt.Fprintf(&b, `<table:table-cell office:value-type="string"><text:p>%s</text:p></table:table-cell>`, text)
		}
		b.WriteString(`</table:table-row>`)
		if i == 0 {
			b.WriteString(`</table:table-header-rows>`)
		}
	}
	b.WriteString(`</table:table><text:p>After.</text:p></office:text></office:body></office:document>`)
	path := filepath.Join(dir, "report.fodt")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// Writer shows the tree what is in view alone, and a table of its own for each page. What is read is what the document has.
func TestRealTableOverPages(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	rows := [][]string{{"Month", "North", "South", "East", "West", "1", "2", "3"}}
	for i := range 110 {
		row := []string{fmt.Sprintf("Month %d", i+1)}
		for c := range 7 {
			row = append(row, fmt.Sprint(7*i+c))
		}
		row[1+i%7] = "" // one is empty
		rows = append(rows, row)
	}
	d := s.launch("libreoffice-writer", "soffice", "--norestore", "--nologo", document(t, s.s.Dir, rows))
	assert.Equal(t, rows, s.table(d, s.find(d, "table", "").ID)) // each part stands for the whole table
	assert.Equal(t, rows[100:], s.table(d, s.find(d, "table", "").ID, 101))

	type block struct {
		Number            int
		Type, Style, Text string
		Rows              [][]string
	}
	read := func(parameters map[string]any) (blocks []block) {
		parameters["id"] = s.find(d, "document text", "").ID
		require.NoError(t, s.do(d, "read_document", parameters).Decode(&blocks))
		return blocks
	}
	const standard = "Standard"
	whole := []block{{1, "paragraph", standard, "Before.", nil}, {2, "table", "", "", rows}, {3, "paragraph", standard, "After.", nil}}
	assert.Equal(t, whole, read(map[string]any{}))
	assert.Equal(t, whole, read(map[string]any{}), "again")
	assert.Equal(t, whole[2:], read(map[string]any{"first": 3}))
	s.do(d, desktop.KeyboardInput, map[string]any{"keys": "x"})
	after := read(map[string]any{})
	require.Len(t, after, len(whole), "the document was not left selected")
	assert.Len(t, after[1].Rows, len(rows))
	assert.Contains(t, fmt.Sprint(after), "x")
	assert.Len(t, read(map[string]any{"blocks": 1}), 1)
	bar := s.find(d, "menu bar", "").ID
	assert.Equal(t, "the control "+bar+" is no text document", s.no(d, "read_document", map[string]any{"id": bar}))
}

// revised is a document in which not all characters say what they seem to.
const revised = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"
 office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles>
<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="Down" style:family="text"><style:text-properties style:text-position="sub 58%"/></style:style>
<style:style style:name="Hidden" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Signs" style:family="text"><style:text-properties fo:font-family="Wingdings"/></style:style>
<style:style style:name="Struck" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>
<style:style style:name="Mirrored" style:family="table"><style:table-properties style:writing-mode="rl-tb"/></style:style>
</office:automatic-styles><office:body><office:text><text:tracked-changes>CHANGES</text:tracked-changes>
<text:p>It was <text:change text:change-id="c1"/><text:change-start text:change-id="i1"/>25<text:change-end text:change-id="i1"/> in 10<text:span text:style-name="Up">3</text:span>.</text:p>
<table:table table:name="Sales"><table:table-column table:number-columns-repeated="2"/>ROWS</table:table>
<text:p>Right to left:</text:p><table:table table:name="Left" table:style-name="Mirrored"><table:table-column table:number-columns-repeated="3"/>MIRRORED</table:table>
</office:text></office:body></office:document>`

// What is read is what a person sees: no text that is marked as deleted, no 12041 for 1204 with a mark, and each cell of a
// table that runs from right to left.
func TestRealTextAsItLooks(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	row := func(cells ...string) string {
		return "<table:table-row><table:table-cell><text:p>" + strings.Join(cells, "</text:p></table:table-cell><table:table-cell><text:p>") +
			"</text:p></table:table-cell></table:table-row>"
	}
	span := func(style, text string) string {
		return `<text:span text:style-name="` + style + `">` + text + `</text:span>`
	}
	note := `<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Estimated.</text:p></text:note-body></text:note>`
	change := func(id, kind, text string) string {
		return `<text:changed-region text:id="` + id + `"><text:` + kind + `><office:change-info><dc:creator>x</dc:creator><dc:date>2026-01-01T00:00:00</dc:date></office:change-info>` +
			text + `</text:` + kind + `></text:changed-region>`
	}
	deleted := func(id string) string { return `<text:change text:change-id="` + id + `"/>` }
	document := strings.NewReplacer(
		"CHANGES", change("c1", "deletion", "<text:p>10</text:p>")+change("i1", "insertion", "")+change("c2", "deletion", "<text:p>77</text:p>")+
			change("c3", "deletion", "<text:p>West</text:p>")+change("c4", "deletion", "<text:p>9</text:p>"),
		"ROWS", row("Region", "2024")+row("North", deleted("c2")+"5")+row("South", "1204"+note)+row("East", "10"+span("Up", "3"))+
			row("Water", "H"+span("Down", "2")+"O")+row(deleted("c3"), deleted("c4"))+row("Hidden", "12"+span("Hidden", "99"))+
			row("Sign", span("Signs", "2")+"5")+row("Struck", span("Struck", "10")+"25"),
		"MIRRORED", row("المنطقة", "2023", "2024")+row("الشمال", "10", "20")+row("South", "30", "40"),
	).Replace(revised)
	path := filepath.Join(s.s.Dir, "revised.fodt")
	require.NoError(t, os.WriteFile(path, []byte(document), 0o600))
	d := s.launch("libreoffice-writer", "soffice", "--norestore", "--nologo", path)

	rows := [][]string{
		{"Region", "2024"}, {"North", "5"}, {"South", "1204¹"}, {"East", "10³"}, {"Water", "H₂O"}, {"", ""}, {"Hidden", "12"}, {"Sign", "\uf0325"}, {"Struck", "~~10~~25"},
	}
	left := [][]string{{"المنطقة", "2023", "2024"}, {"الشمال", "10", "20"}, {"South", "30", "40"}}
	assert.Equal(t, "It was 25 in 10³.", s.find(d, "paragraph", "").Value)
	assert.Equal(t, rows, s.table(d, s.find(d, "table", "Sales-1").ID))
	assert.Equal(t, left, s.table(d, s.find(d, "table", "Left-1").ID))
	var blocks []struct {
		Text string
		Rows [][]string
	}
	require.NoError(t, s.do(d, "read_document", map[string]any{"id": s.find(d, "document text", "").ID}).Decode(&blocks))
	require.GreaterOrEqual(t, len(blocks), 4)
	assert.Equal(t, "It was 25 in 10³.", blocks[0].Text)
	assert.Equal(t, rows, blocks[1].Rows)
	assert.Equal(t, left, blocks[3].Rows)
}

// LibreOffice that is gone is noticed by the next command.
func TestRealKilledOffice(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	d, sheet := calc(s)
	w, _, err := desktop.AppWindow(t.Context(), d)
	require.NoError(t, err)
	time.AfterFunc(300*time.Millisecond, func() { s.kill(w.ID) })
	require.Eventually(t, func() bool {
		res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "write_cells", Parameters: map[string]any{"id": sheet.ID, "rows": []any{[]any{"a", "b", 1}}}})
		return err == nil && res.Gone
	}, 2*time.Minute, time.Millisecond)
}
