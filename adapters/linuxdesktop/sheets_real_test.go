//go:build linux

package linuxdesktop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// sheet opens a spreadsheet with these columns and rows, as OpenDocument writes them.
func sheet(s *screen, inside ...string) (d desktop.Desktop, id string) {
	s.t.Helper()
	file := filepath.Join(s.s.Dir, "sheet.fods")
	require.NoError(s.t, os.WriteFile(file, []byte(`<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" `+
		`xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" `+
		`office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="Sheet1">`+
		strings.Join(inside, "")+`</table:table></office:spreadsheet></office:body></office:document>`), 0o600))
	d = s.launch("libreoffice-calc", "soffice", "--norestore", "--nologo", file)
	return d, s.find(d, "table", "Sheet Sheet1").ID
}

func row(attributes string, cells ...string) string {
	text := "<table:table-row " + attributes + ">"
	for _, c := range cells {
		if c == "" {
			text += "<table:table-cell/>"
		} else {
			text += `<table:table-cell office:value-type="string"><text:p>` + c + `</text:p></table:table-cell>`
		}
	}
	return text + "</table:table-row>"
}

// Cells that are hidden are written, and none beside those that were named.
func TestRealHiddenCells(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	const columns = `<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="5"/>`
	d, id := sheet(s, columns, row("", "a", "b", "precious", "d"), row(`table:visibility="filter"`, "a2", "b2"), row("", "precious", "b3"))
	assert.Contains(t, s.do(d, desktop.ReadTable, map[string]any{"id": id}).Text(), "a person does not see what is hidden: row 2, column B")
	over := map[string]any{"id": id, "rows": []any{[]any{"x", "y"}, []any{"z"}}}
	assert.Equal(t, "3 cells are not empty, such as A1: write elsewhere, or say replace", s.no(d, "write_cells", over))
	assert.Equal(t, [][]string{{"a", "b", "precious", "d"}, {"a2", "b2", "", ""}, {"precious", "b3", "", ""}}, s.table(d, id))
	over["replace"] = true
	res := s.do(d, "write_cells", over)
	assert.Empty(t, res.Unverified)
	assert.Equal(t, [][]string{{"x", "y", "precious", "d"}, {"z", "b2", "", ""}, {"precious", "b3", "", ""}}, s.table(d, id))

	// What is there already, and what this desktop has written itself, is not asked about.
	s.do(d, "write_cells", map[string]any{"id": id, "rows": []any{[]any{"own", nil, "precious", "d"}}})
	assert.Equal(t, []string{"own", "y", "precious", "d"}, s.table(d, id)[0])
}

// A sheet is read over gaps, and as far as its widest row.
func TestRealGapsInASheet(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	d, id := sheet(s, `<table:table-column table:number-columns-repeated="9"/>`,
		row("", "Title", "", "2024"), row("", "", "2023", "2024", "", "", "note"), row(""), row("", "North"), row(""), row(""), row(""), row("", "far"))
	assert.Equal(t, [][]string{{"Title", "", "2024", "", "", ""}, {"", "2023", "2024", "", "", "note"}, {"", "", "", "", "", ""}, {"North", "", "", "", "", ""}}, s.table(d, id))
}

// What a program could take for a number, a truth or a formula stays a text, or is refused before it is written.
func TestRealTextsInCells(t *testing.T) {
	wanted(t, "calc")
	s := start(t, "soffice")
	d, id := sheet(s, `<table:table-column table:number-columns-repeated="9"/><table:table-row><table:table-cell/>`+
		`<table:table-cell table:formula="of:=SUMPRODUCT(ISTEXT([.A1:.A12])*1)"/></table:table-row>`)
	words := []string{"FALSE", "true", "0", "1e5", "Jan 5", "half 1/2 x", "te" + "h", "30 Dec 1899", "(c) x", "- Total", "+5", strings.Repeat("long ", 200) + "end"}
	var rows []any
	for _, w := range words {
		rows = append(rows, []any{w})
	}
	s.do(d, "write_cells", map[string]any{"id": id, "cell": "A1", "rows": rows})
	for i, r := range s.table(d, id) {
		assert.Equal(t, words[i], r[0])
		assert.Equal(t, map[bool]string{true: "12"}[i == 0], r[1], "so many are texts")
	}
	for _, text := range []string{`=WEBSERVICE("http://127.0.0.1/"&A1)`, " =A1", `+WEBSERVICE("x")`, "-SUM(A1)", "@SUM(A1)", "+'file:///tmp/x'#A1"} {
		assert.Contains(t, s.no(d, "write_cells", map[string]any{"id": id, "cell": "C1", "rows": []any{[]any{text}}}), "C1 would become a formula")
	}
}
