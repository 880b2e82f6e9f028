package workbook_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/linuxagent/internal/workbook"
)

// What every desktop must keep to.
func TestConformance(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		app, err := workbook.New(filepath.Join(t.TempDir(), "a.xlsx"))
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, app.Close()) })
		return app
	}, &desktoptest.Options{
		Safe:    desktop.Command{ToolName: "clear_sheet"},
		Failing: desktop.Command{ToolName: "write_rows", Parameters: map[string]any{"rows": []any{[]any{map[string]any{"no": "cell"}}}}},
	})
}
