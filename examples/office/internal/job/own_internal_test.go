package job

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// ids are those of the windows of a screen.
func ids(t testing.TB, d desktop.Desktop) (list []string) {
	t.Helper()
	windows, err := desktop.Windows(t.Context(), d)
	require.NoError(t, err)
	for _, w := range windows {
		list = append(list, w.ID)
	}
	return list
}

// A window that was open before the run shows a document that nobody has named: it is not listed, and nothing is done in it,
// also by a process that goes on with the run.
func TestWindowsOfBefore(t *testing.T) {
	t.Parallel()
	writer := func() *desktoptest.App {
		return &desktoptest.App{Root: "libreoffice-writer", Title: "own-other.odt", Running: true}
	}
	calc := &desktoptest.App{Root: "libreoffice-calc", Title: "budget.ods", Running: true}
	start := &desktoptest.App{Root: "libreoffice-startcenter", Title: "LibreOffice", Running: true}
	file := filepath.Join(t.TempDir(), "windows.json")
	before := desktoptest.New(t, writer(), start)
	first, err := without(t.Context(), before, file)
	require.NoError(t, err)
	assert.Empty(t, ids(t, first))
	_, err = desktop.Scope(t.Context(), first, "1")
	require.ErrorContains(t, err, "was open before, and is not part of the job")
	res, err := first.Execute(t.Context(), desktop.Command{ToolName: desktop.CloseApplication, Parameters: map[string]any{"id": "1"}})
	require.NoError(t, err)
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Equal(t, []string{"1", "2"}, ids(t, before), "it is still open")

	// The window of the start has become that of a document, and another one has opened.
	later := desktoptest.New(t, writer(), &desktoptest.App{Root: "libreoffice-writer", Title: "report.docx", Running: true}, calc)
	second, err := without(t.Context(), later, file)
	require.NoError(t, err)
	assert.Equal(t, []string{"2", "3"}, ids(t, second))
	for _, id := range []string{"2", "3"} {
		_, err := desktop.Scope(t.Context(), second, id)
		require.NoError(t, err)
	}

	write(t, file, "no JSON")
	_, err = without(t.Context(), later, file)
	assert.ErrorContains(t, err, "job: the windows of before: ")
}
