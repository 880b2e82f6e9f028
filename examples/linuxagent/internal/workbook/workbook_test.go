package workbook_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/examples/linuxagent/internal/workbook"
)

func open(t *testing.T, path string) *workbook.App {
	t.Helper()
	app, err := workbook.New(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, app.Close()) })
	return app
}

// do runs a tool as an agent does, checked against its schema.
func do(t *testing.T, d desktop.Desktop, tool string, parameters map[string]any) (workbook.State, string) {
	t.Helper()
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	cmd := desktop.Command{ToolName: tool, Parameters: parameters}
	require.NoError(t, box.Check(cmd))
	result, err := desktop.Execute(t.Context(), d, cmd)
	require.NoError(t, err)
	var state workbook.State
	if result.Status == desktop.Success {
		require.NoError(t, result.Decode(&state))
	}
	return state, result.Error
}

var rows = map[string]any{"rows": []any{[]any{"File", "Total"}, []any{"=a.csv", 12.5}}}

func TestNewFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	app := open(t, path)
	state, _ := do(t, app, "write_rows", rows)
	assert.Equal(t, workbook.State{File: path, Sheet: "Answer", Rows: 2}, state)
	assert.NoFileExists(t, path)
	state, _ = do(t, app, workbook.Save, nil)
	assert.Equal(t, workbook.State{File: path, FileExists: true, Saved: true, Sheet: "Answer", Rows: 2}, state)
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	assert.Equal(t, map[string]xlsxtest.Cell{
		"A1": {Kind: xlsxtest.Text, Text: "File"}, "B1": {Kind: xlsxtest.Text, Text: "Total"},
		"A2": {Kind: xlsxtest.Text, Text: "=a.csv"}, "B2": {Kind: xlsxtest.Number, Text: "12.5"},
	}, book.Sheets[0].Cells)

	state, _ = do(t, app, "clear_sheet", nil)
	assert.Equal(t, workbook.State{File: path, FileExists: true, Sheet: "Answer"}, state, "it is not saved")
}

func TestReplaces(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	first := open(t, path)
	do(t, first, "write_rows", rows)
	do(t, first, workbook.Save, nil)

	second := open(t, path)
	state, _ := do(t, second, "write_rows", map[string]any{"rows": []any{[]any{1}}})
	assert.Equal(t, 2, state.Rows, "what is there is there")
	_, problem := do(t, second, workbook.Save, nil)
	assert.Contains(t, problem, "exists")
	state, _ = do(t, second, workbook.Save, map[string]any{"overwrite": true})
	assert.True(t, state.Saved)

	// The first has read what is not there any more.
	do(t, first, "write_rows", rows)
	_, problem = do(t, first, workbook.Save, map[string]any{"overwrite": true})
	assert.Equal(t, workbook.ErrChanged.Error(), problem)
	require.NoError(t, os.Remove(path))
	_, problem = do(t, first, workbook.Save, map[string]any{"overwrite": true})
	assert.Equal(t, workbook.ErrChanged.Error(), problem)
	assert.NoFileExists(t, path)
}

func TestAppearsMeanwhile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	app := open(t, path)
	do(t, app, "write_rows", rows)
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	_, problem := do(t, app, workbook.Save, map[string]any{"overwrite": true})
	assert.Equal(t, workbook.ErrChanged.Error(), problem)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(content))
}

// A file that is no workbook is a failure of every tool, until it is one.
func TestBroken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, os.WriteFile(path, []byte("hello"), 0o600))
	app := open(t, path)
	for tool, parameters := range map[string]map[string]any{"write_rows": rows, "clear_sheet": nil, workbook.Save: {"overwrite": true}} {
		_, problem := do(t, app, tool, parameters)
		assert.Contains(t, problem, "not a workbook", tool)
	}
	require.NoError(t, os.Remove(path))
	_, problem := do(t, app, "write_rows", rows)
	assert.Empty(t, problem)
	_, problem = do(t, app, "write_rows", map[string]any{"rows": []any{[]any{"a\x00b"}}})
	assert.Contains(t, problem, "control character")
}
