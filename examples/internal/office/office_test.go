package office_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// screen shows a document.
func screen(t testing.TB, d *docxtest.Document) *office.Desktop {
	t.Helper()
	data := d.Bytes()
	s := office.New(office.Document{Name: "a.docx", Open: func(ctx context.Context) (*docx.Document, error) {
		return docx.Read(ctx, bytes.NewReader(data), int64(len(data)), nil)
	}})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// app is the application behind a window.
func app(t testing.TB, d desktop.Desktop, window string) desktop.Desktop {
	t.Helper()
	scoped, err := desktop.Scope(t.Context(), d, window)
	require.NoError(t, err)
	return scoped
}

// do runs a tool as an agent does: checked against its schema.
func do[T any](t testing.TB, d desktop.Desktop, tool string, parameters map[string]any) T {
	t.Helper()
	result := try(t, d, tool, parameters)
	require.NoError(t, result.Err())
	var v T
	require.NoError(t, result.Decode(&v))
	return v
}

func try(t testing.TB, d desktop.Desktop, tool string, parameters map[string]any) desktop.Result {
	t.Helper()
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	cmd := desktop.Command{ToolName: tool, Parameters: parameters}
	require.NoError(t, box.Check(cmd))
	result, err := desktop.Execute(t.Context(), d, cmd)
	require.NoError(t, err)
	return result
}

func TestScreen(t *testing.T) {
	t.Parallel()
	s := screen(t, docxtest.New())
	windows, err := desktop.Windows(t.Context(), s)
	require.NoError(t, err)
	word := desktop.Window{ID: "window-1", Root: "Word", Process: "a.docx", Title: "a.docx - Word", Focused: true}
	assert.Equal(t, []desktop.Window{word}, windows)

	program := office.Excel(filepath.Join("some", "b.xlsx"))
	_, err = commands.Do(t.Context(), s, commands.Launch(program.Name, program.Command...))
	require.NoError(t, err)
	windows, err = desktop.Windows(t.Context(), s)
	require.NoError(t, err)
	word.Focused = false
	excel := desktop.Window{ID: "window-2", Root: "Excel", Process: "b.xlsx", Title: "b.xlsx - Excel", Focused: true}
	assert.Equal(t, []desktop.Window{word, excel}, windows)

	_, err = commands.Do(t.Context(), s, commands.Select(word.ID, word.Title))
	require.NoError(t, err)
	windows, err = desktop.Windows(t.Context(), s)
	require.NoError(t, err)
	assert.True(t, windows[0].Focused)
	assert.False(t, windows[1].Focused)

	_, err = commands.Do(t.Context(), s, commands.Select("window-9", ""))
	assert.ErrorContains(t, err, "no such window")
	_, err = desktop.Scope(t.Context(), s, "window-9")
	assert.ErrorIs(t, err, office.ErrNoWindow)
	for _, command := range [][]string{nil, {"excel"}, {"excel", "a", "b"}} {
		_, err = commands.Do(t.Context(), s, commands.Launch("Excel", command...))
		assert.ErrorContains(t, err, "cannot be launched")
	}
	_, err = commands.Do(t.Context(), s, commands.Launch("Paint", "paint", "a"))
	assert.ErrorContains(t, err, "cannot be launched")
}

// Each window has the tools of its program and no others.
func TestTools(t *testing.T) {
	t.Parallel()
	s := screen(t, docxtest.New())
	_, err := commands.Do(t.Context(), s, commands.Launch("Excel", "excel", "b.xlsx"))
	require.NoError(t, err)
	for window, want := range map[string][]string{
		"":         {"get_desktop_app_info", "launch_application", "select_application_window"},
		"window-1": {"extract_table", "list_headings", "list_paragraphs", "list_tables", "read_table"},
		"window-2": {"add_bar_chart", "format_columns", "save_workbook", "show_workbook", "write_cell", "write_rows"},
	} {
		box, err := desktop.Open(t.Context(), app(t, s, window), nil)
		require.NoError(t, err)
		var names []string
		for _, tool := range box.Tools() {
			names = append(names, tool.Name)
		}
		assert.ElementsMatch(t, want, names)
	}
	result, err := desktop.Execute(t.Context(), app(t, s, "window-1"), desktop.Command{ToolName: "write_cell"})
	require.NoError(t, err)
	assert.Equal(t, desktop.Failure, result.Status)
}

// page is what the tools that list return.
type page struct {
	Total, From, Next int
	Items             []map[string]any
}

// all reads a list to its end, and checks that a prompt shows each page whole.
func all(t testing.TB, d desktop.Desktop, tool string) (items []map[string]any) {
	t.Helper()
	for from := 1; from > 0; {
		result := try(t, d, tool, map[string]any{"from": from})
		require.NoError(t, result.Err())
		var p page
		require.NoError(t, result.Decode(&p))
		if len(p.Items) > 1 {
			require.LessOrEqual(t, len(result.Content[0].JSON), acting.MaxOutput)
		}
		require.Equal(t, from, p.From)
		items = append(items, p.Items...)
		from = p.Next
		if from == 0 {
			require.Len(t, items, p.Total)
		}
	}
	return items
}

func TestLists(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Title("All")
	for i := range 100 {
		d.Heading(1, fmt.Sprint("Part ", i))
		d.Paragraph(strings.Repeat("<words> ", i*10))
		d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"Name", strings.Repeat("ü<", i*40)}, []string{"a", "1"})})
	}
	word := app(t, screen(t, d), "window-1")

	headings := all(t, word, "list_headings")
	require.Len(t, headings, 101)
	assert.Equal(t, map[string]any{"kind": "heading", "level": 1.0, "text": "Part 99"}, headings[100])
	assert.Len(t, all(t, word, "list_paragraphs"), 99) // one has no text
	tables := all(t, word, "list_tables")
	require.Len(t, tables, 100)
	for i, table := range tables {
		assert.InDelta(t, i+1, table["number"], 0)
		assert.Equal(t, fmt.Sprint("Part ", i), table["heading"])
		text, err := json.Marshal(table)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(text), acting.MaxOutput)
	}
	assert.Equal(t, []any{map[string]any{"name": strings.Repeat("ü<", 40)}}, tables[1]["columns"])

	assert.Equal(t, page{Total: 100, From: 101, Items: []map[string]any{}}, do[page](t, word, "list_tables", map[string]any{"from": 101}))
	for _, from := range []int{102, -1} {
		assert.ErrorContains(t, try(t, word, "list_tables", map[string]any{"from": from}).Err(), "100 items")
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Heading(1, "Sales")
	d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"Name", "2023"}, []string{"=a", "1.204,5"}, []string{"b", "soon"}, []string{"c", "7"})})
	d.Table(docxtest.Table{Rows: [][]docxtest.Cell{{{Text: "a", Cols: 2}}, {{Text: "b"}, {Text: "c"}}}})
	word := app(t, screen(t, d), "window-1")

	result := try(t, word, "extract_table", map[string]any{"number": 1})
	assert.JSONEq(t, `{"table": 1, "title": "Sales", "rows": [["Name", "2023"], ["=a", 1204.5], ["b", null], ["c", 7]],
		"formats": ["", "#,##0.0"], "range": "A1:B4", "columns": ["B"], "skipped": [{"row": 2, "col": 1, "text": "soon"}]}`, string(result.Content[0].JSON))
	assert.ErrorContains(t, try(t, word, "extract_table", map[string]any{"number": 2}).Err(), "no numeric column")
	read := do[docx.Table](t, word, "read_table", map[string]any{"number": 2})
	assert.Equal(t, [][]string{{"a", ""}, {"b", "c"}}, read.Rows)
	assert.Equal(t, []docx.Merge{{Rows: 1, Cols: 2}}, read.Merges)
	for _, number := range []int{0, 3, -1} {
		assert.ErrorContains(t, try(t, word, "read_table", map[string]any{"number": number}).Err(), "the document has 2")
		assert.ErrorContains(t, try(t, word, "extract_table", map[string]any{"number": number}).Err(), "the document has 2")
	}
}

// What the chart shows is said with the rows: no totals, one unit or the columns that are asked for.
func TestExtractForAChart(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"Name", "Sales", "Growth"}, []string{"Total", "$12", "3 %"}, []string{"a", "$5", "2 %"}, []string{"b", "$7", "4 %"})})
	word := app(t, screen(t, d), "window-1")
	for _, tt := range []struct {
		asked any
		want  []string
	}{{[]any{}, []string{"B"}}, {[]any{2}, []string{"C"}}, {[]any{1, 2}, []string{"B", "C"}}} {
		got := do[office.Extract](t, word, "extract_table", map[string]any{"number": 1, "columns": tt.asked})
		assert.Equal(t, tt.want, got.Columns)
		assert.Equal(t, "A1:C3", got.Range)
		assert.Equal(t, "Total", got.Rows[3][0])
	}
	for _, column := range []int{0, 3, -1} {
		assert.ErrorContains(t, try(t, word, "extract_table", map[string]any{"number": 1, "columns": []any{column}}).Err(), "the table has 2")
	}
}

// A document that cannot be read is a failure of every tool, until it can.
func TestBrokenDocument(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	err := broken
	s := office.New(office.Document{Name: "a.docx", Open: func(context.Context) (*docx.Document, error) { return &docx.Document{}, err }})
	word := app(t, s, "window-1")
	tools, listErr := word.Tools(t.Context())
	require.NoError(t, listErr)
	for _, tool := range tools {
		var parameters map[string]any
		if bytes.Contains(tool.InputSchema, []byte(`"number"`)) {
			parameters = map[string]any{"number": 1}
		}
		result, execErr := desktop.Execute(t.Context(), word, desktop.Command{ToolName: tool.Name, Parameters: parameters})
		require.NoError(t, execErr)
		assert.Equal(t, "broken", result.Error, tool.Name)
	}
	err = nil
	assert.Zero(t, do[page](t, word, "list_tables", nil).Total)
}

func TestExcel(t *testing.T) {
	t.Parallel()
	s := screen(t, docxtest.New())
	dir := t.TempDir()
	path := filepath.Join(dir, "b.xlsx")
	_, err := commands.Do(t.Context(), s, commands.Launch("Excel", "excel", path))
	require.NoError(t, err)
	excel := app(t, s, "window-2")

	state := do[office.Workbook](t, excel, "write_rows", map[string]any{"rows": []any{[]any{"Name", ""}, []any{"@a", json.Number("1204.50")}}})
	assert.Equal(t, office.Workbook{File: path, Sheet: "Data", Used: "A1:B2"}, state)
	do[office.Workbook](t, excel, "write_rows", map[string]any{"first_row": 3, "rows": []any{[]any{"b", 2}}})
	state = do[office.Workbook](t, excel, "write_cell", map[string]any{"cell": "A4", "value": "c"})
	assert.Equal(t, "A1:B4", state.Used)
	do[office.Workbook](t, excel, "format_columns", map[string]any{"formats": []any{"", "0.00"}})
	state = do[office.Workbook](t, excel, "add_bar_chart", map[string]any{"range": "A1:B4", "title": "T"})
	assert.Equal(t, 1, state.Charts)
	assert.False(t, state.Saved)
	_, err = os.Stat(path)
	assert.ErrorIs(t, err, os.ErrNotExist)

	state = do[office.Workbook](t, excel, office.Save, nil)
	assert.True(t, state.Saved)
	assert.True(t, state.FileExists)
	assert.ErrorContains(t, try(t, excel, office.Save, nil).Err(), "exists")
	assert.ErrorContains(t, try(t, excel, office.Save, map[string]any{"overwrite": false}).Err(), "exists")
	assert.False(t, do[office.Workbook](t, excel, "write_cell", map[string]any{"cell": "A4", "value": nil}).Saved)
	assert.True(t, do[office.Workbook](t, excel, office.Save, map[string]any{"overwrite": true}).Saved)

	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	sheet := book.Sheets[0]
	assert.Equal(t, map[string]xlsxtest.Cell{
		"A1": {Kind: xlsxtest.Text, Text: "Name", Bold: true},
		"A2": {Kind: xlsxtest.Text, Text: "@a"}, "B2": {Kind: xlsxtest.Number, Text: "1204.5", Format: "0.00"},
		"A3": {Kind: xlsxtest.Text, Text: "b"}, "B3": {Kind: xlsxtest.Number, Text: "2", Format: "0.00"},
	}, sheet.Cells)
	assert.Equal(t, []xlsxtest.Series{{Categories: "'Data'!$A$2:$A$4", Values: "'Data'!$B$2:$B$4"}}, sheet.Charts[0].Series)
}

func TestExcelRefuses(t *testing.T) {
	t.Parallel()
	s := screen(t, docxtest.New())
	_, err := commands.Do(t.Context(), s, commands.Launch("Excel", "excel", filepath.Join(t.TempDir(), "none", "b.xlsx")))
	require.NoError(t, err)
	excel := app(t, s, "window-2")
	for _, tt := range []struct {
		tool       string
		parameters map[string]any
	}{
		{"write_rows", map[string]any{"rows": []any{[]any{map[string]any{"a": 1}}}}},
		{"write_rows", map[string]any{"rows": []any{[]any{"a"}}, "first_row": 1 << 30}},
		{"write_cell", map[string]any{"cell": "7", "value": 1}},
		{"format_columns", map[string]any{"formats": []any{`"`}}},
		{"add_bar_chart", map[string]any{"range": "A1"}},
		{"add_bar_chart", map[string]any{"range": "A1:B2"}},
		{office.Save, nil},
	} {
		assert.Error(t, try(t, excel, tt.tool, tt.parameters).Err(), tt.tool)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	_, err = excel.Execute(ctx, desktop.Command{ToolName: "write_cell", Parameters: map[string]any{"cell": "A1", "value": 1}})
	assert.ErrorIs(t, err, gone)
}
