package program

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// What every desktop must keep to.
func TestConformance(t *testing.T) {
	open := func(t testing.TB) desktop.Desktop {
		d, err := screen("", filepath.Join(t.TempDir(), "a.xlsx"))
		require.NoError(t, err)
		return d
	}
	t.Run("screen", func(t *testing.T) { desktoptest.Run(t, open, nil) })
	t.Run("Word", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			d, err := desktop.Scope(t.Context(), open(t), "1")
			require.NoError(t, err)
			return d
		}, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "list_tables"},
			Failing: desktop.Command{ToolName: "extract_table", Parameters: map[string]any{"number": 99}},
		})
	})
}
