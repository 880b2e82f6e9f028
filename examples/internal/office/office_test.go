package office_test

import (
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
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// harvest is a table with a total, a gap, a text among the numbers and a column of another unit.
var harvest = table.Source{
	Number: 1, Heading: "Farm", Caption: "Table 1: Harvest",
	Rows: [][]string{
		{"Sort", "2023", "2024", "Change"}, {"Boskoop", "1,204.5", "980.0", "-18 %"}, {"Elstar", "–", "7.5", "n/a"},
		{"Gala", "3.0", "many", "4 %"}, {"Total", "1,207.5", "987.5", ""},
	},
}

func screen(t testing.TB, tables ...table.Source) *office.Desktop {
	t.Helper()
	s := office.New(office.Document{Name: "a.docx", Tables: func(context.Context) ([]table.Source, error) { return tables, nil }})
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

func app(t testing.TB, d desktop.Desktop, window string) desktop.Desktop {
	t.Helper()
	scoped, err := desktop.Scope(t.Context(), d, window)
	require.NoError(t, err)
	return scoped
}

func excel(t testing.TB, path string) desktop.Desktop {
	t.Helper()
	s := screen(t)
	_, err := commands.Do(t.Context(), s, commands.Launch("Excel", "excel", path))
	require.NoError(t, err)
	return app(t, s, "window-2")
}

func try(t testing.TB, d desktop.Desktop, tool string, parameters map[string]any) desktop.Result {
	t.Helper()
	result, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: tool, Parameters: parameters})
	require.NoError(t, err)
	return result
}

func do[T any](t testing.TB, d desktop.Desktop, tool string, parameters map[string]any) (v T) {
	t.Helper()
	result := try(t, d, tool, parameters)
	require.NoError(t, result.Err())
	require.NoError(t, result.Decode(&v))
	return v
}

func TestScreen(t *testing.T) {
	t.Parallel()
	s := screen(t)
	word := desktop.Window{ID: "window-1", Root: "Word", Process: "a.docx", Title: "a.docx - Word"}
	program := office.Excel(filepath.Join("some", "b.xlsx"))
	_, err := commands.Do(t.Context(), s, commands.Launch(program.Name, program.Command...))
	require.NoError(t, err)
	windows, err := desktop.Windows(t.Context(), s)
	require.NoError(t, err)
	assert.Equal(t, []desktop.Window{word, {ID: "window-2", Root: "Excel", Process: "b.xlsx", Title: "b.xlsx - Excel", Focused: true}}, windows)
	_, err = commands.Do(t.Context(), s, commands.Select(word.ID, word.Title))
	require.NoError(t, err)
	windows, err = desktop.Windows(t.Context(), s)
	require.NoError(t, err)
	assert.True(t, windows[0].Focused)
	assert.False(t, windows[1].Focused)

	_, err = commands.Do(t.Context(), s, commands.Select("window-9", ""))
	require.ErrorContains(t, err, "no such window")
	_, err = desktop.Scope(t.Context(), s, "window-9")
	require.ErrorIs(t, err, office.ErrNoWindow)
	for name, command := range map[string][]string{"Excel": {"excel"}, "Paint": {"paint", "a"}} {
		_, err = commands.Do(t.Context(), s, commands.Launch(name, command...))
		require.ErrorContains(t, err, "cannot be launched")
	}
}

// What every desktop must keep to: the screen, and the applications on it.
func TestConformance(t *testing.T) {
	t.Run("the screen", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return screen(t) }, &desktoptest.Options{
			Failing: desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "solitaire"}},
		})
	})
	t.Run("Word", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return app(t, screen(t, harvest), "window-1") }, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "extract_table", Parameters: map[string]any{"number": 1}},
			Failing: desktop.Command{ToolName: "extract_table", Parameters: map[string]any{"number": 9}},
		})
	})
	t.Run("Excel", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return excel(t, filepath.Join(t.TempDir(), "b.xlsx")) }, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "write_rows", Parameters: map[string]any{"rows": []any{}}},
			Failing: desktop.Command{ToolName: "add_bar_chart", Parameters: map[string]any{"range": "nowhere"}},
		})
	})
}

func TestExtract(t *testing.T) {
	t.Parallel()
	word := app(t, screen(t, harvest), "window-1")
	got := do[office.Extract](t, word, "extract_table", map[string]any{"number": 1})
	assert.Equal(t, [][]any{
		{"Sort", "2023", "2024", "Change"}, {"Boskoop", 1204.5, 980.0, -0.18}, {"Elstar", nil, 7.5, nil},
		{"Gala", 3.0, nil, 0.04}, {"Total", 1207.5, 987.5, nil},
	}, got.Rows)
	assert.Equal(t, "A1:D4", got.Range, "the total is not drawn")
	assert.Equal(t, []string{"B", "C"}, got.Columns, "and no other unit")
	assert.Equal(t, "Table 1: Harvest", got.Title)
	assert.Equal(t, []string{"D", "B"}, do[office.Extract](t, word, "extract_table", map[string]any{"number": 1, "columns": []any{3, 1}}).Columns)
	for _, parameters := range []map[string]any{{"number": 0}, {"number": 2}, {"number": 1, "columns": []any{4}}} {
		assert.Equal(t, desktop.Failure, try(t, word, "extract_table", parameters).Status)
	}
}

// A prompt shows each page of the list whole, however long the names of the tables are.
func TestListOfManyTables(t *testing.T) {
	t.Parallel()
	var many []table.Source
	for i := range 60 {
		many = append(many, table.Source{Number: i + 1, Caption: strings.Repeat("ü<", i*20), Rows: [][]string{{"Name", "A"}, {fmt.Sprint("Sum ", i), "1"}}})
	}
	word, seen := app(t, screen(t, many...), "window-1"), 0
	for from := 1; from > 0; {
		result := try(t, word, "list_tables", map[string]any{"from": from})
		require.LessOrEqual(t, len(result.Content[0].JSON), acting.MaxOutput)
		var p struct {
			Total, Next int
			Items       []table.Summary
		}
		require.NoError(t, result.Decode(&p))
		assert.Equal(t, 60, p.Total)
		seen, from = seen+len(p.Items), p.Next
	}
	assert.Equal(t, 60, seen)
	assert.Equal(t, desktop.Failure, try(t, word, "list_tables", map[string]any{"from": 99}).Status)
}

// A document that cannot be read is a failure of each tool, until it can. Then it is read once.
func TestBrokenDocument(t *testing.T) {
	t.Parallel()
	reads := 0
	d := office.TableTools(func(context.Context) ([]table.Source, error) {
		if reads++; reads < 3 {
			return nil, errors.New("the document loads")
		}
		return []table.Source{harvest}, nil
	})
	assert.Equal(t, "the document loads", try(t, d, "list_tables", nil).Error)
	assert.Equal(t, "the document loads", try(t, d, "extract_table", map[string]any{"number": 1}).Error)
	try(t, d, "list_tables", nil)
	do[office.Extract](t, d, "extract_table", map[string]any{"number": 1})
	assert.Equal(t, 3, reads)
}

func TestExcel(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "b.xlsx")
	e := excel(t, path)
	state := do[office.Workbook](t, e, "write_rows", map[string]any{"rows": []any{[]any{"Name", ""}, []any{"@a", json.Number("1204.50")}}})
	assert.Equal(t, office.Workbook{File: path, Sheet: "Data", Used: "A1:B2"}, state)
	do[office.Workbook](t, e, "write_rows", map[string]any{"first_row": 3, "rows": []any{[]any{"b", 2}}})
	do[office.Workbook](t, e, "format_columns", map[string]any{"formats": []any{"", "0.00"}})
	assert.Equal(t, 1, do[office.Workbook](t, e, "add_bar_chart", map[string]any{"range": "A1:B3", "title": "T"}).Charts)
	_, err := os.Stat(path)
	require.ErrorIs(t, err, os.ErrNotExist)

	state = do[office.Workbook](t, e, office.Save, nil)
	assert.True(t, state.Saved && state.FileExists && state.Formatted)
	assert.Contains(t, try(t, e, office.Save, map[string]any{"overwrite": false}).Error, "exists")
	assert.False(t, do[office.Workbook](t, e, "write_rows", map[string]any{"rows": []any{}}).Saved)
	assert.True(t, do[office.Workbook](t, e, office.Save, map[string]any{"overwrite": true}).Saved)
	assert.Equal(t, "A1:B3", do[office.Workbook](t, e, office.Show, nil).Used)

	for tool, parameters := range map[string]map[string]any{
		"write_rows":     {"rows": []any{[]any{map[string]any{"a": 1}}}},
		"format_columns": {"formats": []any{`"`}},
		"add_bar_chart":  {"range": "A1"},
	} {
		assert.Equal(t, desktop.Failure, try(t, e, tool, parameters).Status, tool)
	}
}
