package office_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// keep opens a desktop whose file is in a folder.
func keep(t testing.TB, dir string) *office.Kept {
	t.Helper()
	k, err := office.Keep(t.Context(), office.File(""), filepath.Join(dir, "desk"), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// A desktop stands in the next process as it stood in the last one, and what was saved
// is not saved once more.
func TestKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "b.xlsx")
	var told []string
	first, err := office.Keep(t.Context(), office.File(""), filepath.Join(dir, "desk"), func(_ context.Context, tool string) { told = append(told, tool) })
	require.NoError(t, err)
	program := office.Excel(path)
	_, err = commands.Do(t.Context(), first, commands.Launch(program.Name, program.Command...))
	require.NoError(t, err)
	excel := app(t, first, "window-2")
	do[office.Workbook](t, excel, "write_rows", map[string]any{"rows": []any{[]any{"a", 1.50}, []any{"b", 2}}})
	result, err := desktop.Execute(t.Context(), excel, desktop.Command{ToolName: "write_cell", Parameters: map[string]any{"cell": "?", "value": 1}})
	require.NoError(t, err)
	require.Equal(t, desktop.Failure, result.Status) // and no line
	do[office.Workbook](t, excel, "format_columns", map[string]any{"formats": []any{"", "0.00"}})
	do[office.Workbook](t, excel, office.Save, nil)
	state := do[office.Workbook](t, excel, office.Show, nil)
	assert.Equal(t, office.Workbook{File: path, FileExists: true, Saved: true, Sheet: "Data", Used: "A1:B2", Formatted: true}, state)
	assert.Equal(t, []string{"launch_application", "write_rows", "format_columns", "save_workbook"}, told)
	windows, err := desktop.Windows(t.Context(), first)
	require.NoError(t, err)
	require.NoError(t, first.Close())
	require.NoError(t, os.Remove(path)) // by somebody else

	next := keep(t, dir)
	again, err := desktop.Windows(t.Context(), next)
	require.NoError(t, err)
	assert.Equal(t, windows, again)
	state.FileExists = false
	assert.Equal(t, state, do[office.Workbook](t, app(t, next, "window-2"), office.Show, nil))
	assert.NoFileExists(t, path)
	do[office.Workbook](t, app(t, next, "window-2"), office.Save, nil)
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Number, Text: "1.5", Format: "0.00", Bold: true}, book.Sheets[0].Cells["B1"])

	_, err = desktop.Scope(t.Context(), next, "window-9")
	assert.ErrorIs(t, err, office.ErrNoWindow)
}

// Two processes that have a desktop see the same one.
func TestKeptByTwo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, other := keep(t, dir), keep(t, dir)
	_, err := commands.Do(t.Context(), one, commands.Launch("Excel", "excel", filepath.Join(dir, "b.xlsx")))
	require.NoError(t, err)
	do[office.Workbook](t, app(t, other, "window-2"), "write_cell", map[string]any{"cell": "A1", "value": "x"})
	do[office.Workbook](t, app(t, one, "window-2"), "write_cell", map[string]any{"cell": "B2", "value": "y"})
	assert.Equal(t, "A1:B2", do[office.Workbook](t, app(t, other, "window-2"), office.Show, nil).Used)
}

// What was cut off is a command that was not executed. Anything else that cannot be done
// again is an error, and stays as it is.
func TestKeptBroken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "desk")
	launch := `{"tool":"launch_application","parameters":{"name":"Excel","command":["excel","b.xlsx"]}}` + "\n"
	write := `{"window":"window-2","tool":"write_cell","parameters":{"cell":"A1","value":7}}` + "\n"
	require.NoError(t, os.WriteFile(name, []byte(launch+write[:len(write)-9]), 0o600))
	k := keep(t, dir)
	assert.Empty(t, do[office.Workbook](t, app(t, k, "window-2"), office.Show, nil).Used)
	do[office.Workbook](t, app(t, k, "window-2"), "write_cell", map[string]any{"cell": "A1", "value": 7})
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, launch+write, string(raw))

	for _, bad := range []string{
		"?\n", "{}\n", write, `{"window":"window-1","tool":"save_workbook"}` + "\n", launch + `{"window":"window-2","tool":"write_cell"}` + "\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(bad), 0o600))
		_, err := office.Keep(t.Context(), office.File(""), name, nil)
		assert.ErrorIs(t, err, office.ErrKept, bad)
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, bad, string(raw))
	}
	_, err = office.Keep(t.Context(), office.File(""), dir, nil)
	assert.Error(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	require.NoError(t, os.WriteFile(name, []byte(launch), 0o600))
	_, err = office.Keep(ctx, office.File(""), name, nil)
	assert.ErrorIs(t, err, gone)
	assert.NotErrorIs(t, err, office.ErrKept)
}

func TestKeptConforms(t *testing.T) {
	t.Parallel()
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return keep(t, t.TempDir()) }, &desktoptest.Options{
		Failing: desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "solitaire"}},
	})
}
