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

func (s *screen) table(d desktop.Desktop, id string) (rows [][]string) {
	s.t.Helper()
	require.NoError(s.t, s.do(d, desktop.ReadTable, map[string]any{"id": id}).Decode(&rows))
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
	assert.Contains(t, s.no(d, desktop.SetEditText, map[string]any{"id": sheet.ID, "text": "x"}), "write_cells writes them")

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

// Writer gives the texts of what is in view alone, a table of its own for each page, and empty texts where it has put
// lines aside. What is read is what the document has: also what is empty.
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
	table := s.find(d, "table", "Sales-1")
	assert.Equal(t, rows, s.table(d, table.ID))
	last := s.find(d, "table", "Sales-3")
	assert.Equal(t, "the table begins on another page: scroll up to its beginning, and read it there", s.no(d, desktop.ReadTable, map[string]any{"id": last.ID}))

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
	const standard = "Default Paragraph Style"
	whole := []block{{1, "paragraph", standard, "Before.", nil}, {2, "table", "", "", rows}, {3, "paragraph", standard, "After.", nil}}
	assert.Equal(t, whole, read(map[string]any{}))
	assert.Equal(t, whole, read(map[string]any{}), "again, now that the view is elsewhere")
	assert.Equal(t, whole[2:], read(map[string]any{"first": 3}))
	assert.Equal(t, whole[:1], read(map[string]any{"blocks": 1}))
	bar := s.find(d, "menu bar", "").ID
	assert.Equal(t, "the control "+bar+" is no text document", s.no(d, "read_document", map[string]any{"id": bar}))
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
