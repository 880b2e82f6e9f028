package kept_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/office/kept"
	"github.com/agentfsm/agentfsm/internal/commands"
)

func open(t testing.TB, dir string, executed func(context.Context, string)) *kept.Desktop {
	t.Helper()
	d, err := kept.Open(t.Context(), office.File(""), filepath.Join(dir, "desk"), executed)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() }) // a process that was killed has closed nothing
	return d
}

func workbook(t testing.TB, d desktop.Desktop, tool string, parameters map[string]any) (w office.Workbook) {
	t.Helper()
	app, err := desktop.Scope(t.Context(), d, "window-2")
	require.NoError(t, err)
	result, err := desktop.Execute(t.Context(), app, desktop.Command{ToolName: tool, Parameters: parameters})
	require.NoError(t, err)
	require.NoError(t, result.Err())
	require.NoError(t, result.Decode(&w))
	return w
}

func rows(cells ...any) map[string]any { return map[string]any{"rows": []any{cells}} }

// The next process has the desktop as this one left it, and does not write the file again.
func TestTheNextProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "b.xlsx")
	var told []string
	first := open(t, dir, func(_ context.Context, tool string) { told = append(told, tool) })
	_, err := commands.Do(t.Context(), first, commands.Launch("Excel", "excel", path))
	require.NoError(t, err)
	workbook(t, first, "write_rows", rows("Name", 7))
	before := workbook(t, first, office.Save, nil)
	assert.Equal(t, []string{desktop.LaunchApplication, "write_rows", office.Save}, told)
	require.NoError(t, os.WriteFile(path, []byte("a person's"), 0o600))

	next := open(t, dir, nil)
	assert.Equal(t, before, workbook(t, next, office.Show, nil))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "a person's", string(text))
	assert.False(t, workbook(t, next, "write_rows", rows("Name")).Saved)
	_, err = desktop.Scope(t.Context(), next, "window-9")
	assert.ErrorIs(t, err, office.ErrNoWindow)
}

// A line that was cut off is a command that was not executed. Another line that cannot be repeated is an error.
func TestBrokenLogs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "desk")
	launch := `{"tool":"launch_application","parameters":{"name":"Excel","command":["excel","b.xlsx"]}}` + "\n"
	write := `{"window":"window-2","tool":"write_rows","parameters":{"rows":[["x",7]]}}` + "\n"
	require.NoError(t, os.WriteFile(name, []byte(launch+write[:len(write)-9]), 0o600))
	d := open(t, dir, nil)
	assert.Empty(t, workbook(t, d, office.Show, nil).Used)
	workbook(t, d, "write_rows", rows("x", 7))
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, launch+write, string(raw))

	for _, bad := range []string{"?\n", "{}\n", write, `{"window":"window-1","tool":"save_workbook"}` + "\n", launch + `{"window":"window-2","tool":"write_rows"}` + "\n"} {
		require.NoError(t, os.WriteFile(name, []byte(bad), 0o600))
		_, err := kept.Open(t.Context(), office.File(""), name, nil)
		require.ErrorIs(t, err, kept.ErrLog, bad)
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, bad, string(raw), "it stays as it is")
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return open(t, t.TempDir(), nil) }, &desktoptest.Options{
		Failing: desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "solitaire"}},
	})
}
