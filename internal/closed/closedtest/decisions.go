package closedtest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
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
	lists := map[string][]desktop.Tool{
		"none": nil, "well-known": known,
		"everything": recorded(t, filepath.Join(root, "internal/closed/testdata/everything.json")),
		"playwright": recorded(t, filepath.Join(root, "adapters/playwright/testdata/tools.json")),
		"open":       append(known[8:11:11], desktop.Tool{Name: "anything"}, desktop.Tool{Name: "style", InputSchema: []byte(`{"type":"object","properties":{"style":{"type":"object"}},"required":["style"]}`)}),
	}
	boxes := map[string]*desktop.Toolbox{}
	for name, tools := range lists {
		box, err := desktop.NewToolbox(tools, desktop.LeaveToTool)
		require.NoError(t, err, name)
		boxes[name] = box
	}
	return boxes
}

func recorded(t testing.TB, path string) (tools []desktop.Tool) {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &tools))
	return tools
}

// Providers are the rules of those whose limits a schema is within.
var Providers = map[string]func(json.RawMessage) []string{"OpenAI": OpenAI, "Anthropic": Anthropic}

// calls are calls of well-known commands and of tools without a closed form, in the open form.
var calls = []map[string]any{
	{"Function": desktop.SelectApplicationWindow, "Args": map[string]any{"id": "1"}},
	{"Function": desktop.SelectApplicationWindow, "Args": map[string]any{"id": map[string]any{"$ref": "note.id"}, "name": "report"}},
	{"Function": desktop.LaunchApplication, "Args": map[string]any{"name": "excel", "command": []any{"excel", "/new"}}},
	{"Function": desktop.CloseApplication, "Args": map[string]any{"id": "7"}},
	{"Function": "anything", "Args": map[string]any{"a": nil, "b": []any{1.5, map[string]any{"c": true}}}},
	{"Function": "anything"},
	{"Function": "style", "Args": map[string]any{"style": map[string]any{"colour": "red"}}},
}

// Decisions checks that decisions which fit the open form of T can be said in the closed form,
// and are read as the same.
func Decisions[T any](t testing.TB, schema *llm.Schema, arrange func(*T) error) {
	t.Helper()
	require.NotNil(t, schema)
	var shape struct {
		Properties map[string]struct {
			Enum []string `json:"enum"`
		} `json:"properties"`
	}
	require.NoError(t, json.Unmarshal(schema.JSON, &shape))
	chance := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		open := map[string]any{"Status": shape.Properties["Status"].Enum[chance.IntN(len(shape.Properties["Status"].Enum))]}
		for name := range shape.Properties {
			if chance.IntN(2) == 0 {
				continue
			}
			switch name {
			case "Status", "Bash":
			case "Call":
				maps.Copy(open, calls[chance.IntN(len(calls))])
			case "Actions":
				switch chance.IntN(2) {
				case 0:
					maps.Copy(open, calls[chance.IntN(len(calls))])
					open["ControlLabel"], open["ControlText"] = "3", "Save"
				case 1:
					open["Actions"] = []any{
						map[string]any{"Function": "anything", "ControlLabel": "3"},
						map[string]any{"Function": desktop.CloseApplication, "Args": map[string]any{"id": "7"}},
					}
				}
			case "Plan":
				open[name] = []any{[]any{}, []any{"next"}, []any{"next", "then"}}[chance.IntN(3)]
			case "Questions":
				open[name] = []any{"why?", "when?"}
			case "Open":
				open[name] = map[string]any{"subtask_1": "done: so", "note": "dropped: no"}
			case "Result", "SaveScreenshot":
				open[name] = []any{"a text", "42", 42.0, true, false, []any{1.0}, map[string]any{"$ref": "a.b"}, map[string]any{"x": "y"}}[chance.IntN(8)]
			case "Context":
				open[name] = map[string]any{"document": "report.docx"}
			default:
				open[name] = "some " + strings.ToLower(name)
			}
		}
		openText, err := json.Marshal(open)
		require.NoError(t, err)
		value, err := loosejson.Parse(string(openText))
		require.NoError(t, err)
		closedText, err := Reply(schema.JSON, value)
		require.NoError(t, err, "%s", openText)

		want, _, err := llm.Decode[T](string(openText))
		require.NoError(t, err, "%s", openText)
		got, repairs, err := llm.Decode[T](string(closedText))
		require.NoError(t, err, "%s", closedText)
		assert.Empty(t, repairs, "what was asked for is no repair: %s", closedText)
		require.NoError(t, arrange(&want))
		require.NoError(t, arrange(&got))
		wanted, err := json.Marshal(want)
		require.NoError(t, err)
		read, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, string(wanted), string(read), "%s\n%s", openText, closedText)
	}
}
