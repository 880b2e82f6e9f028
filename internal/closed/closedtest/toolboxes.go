package closedtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// Toolboxes are lists of tools for which the schema of a reply is checked: all well-known
// commands, those of server-everything and of @playwright/mcp as they were recorded, some that
// have no closed form, and none. root is the path to the module.
func Toolboxes(t testing.TB, root string) map[string]*desktop.Toolbox {
	t.Helper()
	known := []desktop.Tool{}
	for _, name := range []string{
		desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot, desktop.GetDesktopAppInfo, desktop.GetAppWindow, desktop.GetUITree,
		desktop.GetControl, desktop.Texts, desktop.ListTools, desktop.SelectApplicationWindow, desktop.LaunchApplication, desktop.CloseApplication,
		desktop.ClickInput, desktop.DoubleClick, desktop.ClickOnCoordinates, desktop.DragOnCoordinates, desktop.SelectMenu, desktop.ReadTable,
		desktop.SetEditText, desktop.KeyboardInput, desktop.WheelMouseInput, desktop.Wait, desktop.WaitFor, desktop.RunShell,
	} {
		tool, ok := desktop.ToolNamed(name)
		require.True(t, ok, name)
		known = append(known, tool)
	}
	recorded := func(path string) (tools []desktop.Tool) {
		raw, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &tools))
		return tools
	}
	style := desktop.Tool{Name: "style", InputSchema: []byte(`{"type":"object","properties":{"style":{"type":"object"}},"required":["style"]}`)}
	boxes := map[string]*desktop.Toolbox{}
	for name, tools := range map[string][]desktop.Tool{
		"none":       nil,
		"well-known": known,
		"everything": recorded("internal/closed/testdata/everything.json"),
		"playwright": recorded("adapters/playwright/testdata/tools.json"),
		"open":       append(known[8:11:11], desktop.Tool{Name: "anything"}, style),
	} {
		var err error
		boxes[name], err = desktop.NewToolbox(tools, desktop.LeaveToTool)
		require.NoError(t, err, name)
	}
	return boxes
}
