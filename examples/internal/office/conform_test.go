package office_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// What every desktop must keep to: the screen, and the applications on it.
func TestConformance(t *testing.T) {
	document := func() *docxtest.Document {
		d := docxtest.New()
		d.Heading(1, "Sales")
		d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"Name", "2023"}, []string{"a", "4"}, []string{"b", "7"})})
		return d
	}
	// workbook is Excel with a file that is not there yet.
	workbook := func(t testing.TB) *office.Desktop {
		t.Helper()
		s := screen(t, document())
		program := office.Excel(filepath.Join(t.TempDir(), "b.xlsx"))
		_, err := commands.Do(t.Context(), s, commands.Launch(program.Name, program.Command...))
		require.NoError(t, err)
		return s
	}
	t.Run("the screen", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return screen(t, document()) }, &desktoptest.Options{
			Failing: desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "solitaire"}},
			Effect: desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{
				"name": office.ExcelName, "command": []any{"excel", filepath.Join(t.TempDir(), "b.xlsx")},
			}},
			Effects: func(d desktop.Desktop) int {
				windows, err := desktop.Windows(t.Context(), d)
				require.NoError(t, err)
				return len(windows) - 1
			},
		})
	})
	t.Run("the screen with two windows", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return workbook(t) }, nil)
	})
	t.Run("Word", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return app(t, screen(t, document()), "window-1") }, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "read_table", Parameters: map[string]any{"number": 1}},
			Failing: desktop.Command{ToolName: "read_table", Parameters: map[string]any{"number": 9}},
		})
	})
	t.Run("Excel", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return app(t, workbook(t), "window-2") }, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "write_rows", Parameters: map[string]any{"rows": []any{}}},
			Failing: desktop.Command{ToolName: "write_cell", Parameters: map[string]any{"cell": "nowhere", "value": 1}},
		})
	})
}
