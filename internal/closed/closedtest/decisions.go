package closedtest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
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
func Decisions[T any](t testing.TB, box *desktop.Toolbox, schema *llm.Schema, arrange func(*T) error) {
	t.Helper()
	require.NotNil(t, schema)
	fits, err := jsonschema.Compile(schema.JSON)
	require.NoError(t, err)
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
		said := say(shape.Properties, open, box)
		closedText, err := json.Marshal(said)
		require.NoError(t, err)
		var value any
		require.NoError(t, json.Unmarshal(closedText, &value))
		require.Empty(t, fits.Validate(value), "%s", closedText)
		openText, err := json.Marshal(open)
		require.NoError(t, err)

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

// say writes a decision in the closed form.
func say[V any](properties map[string]V, open map[string]any, box *desktop.Toolbox) map[string]any {
	said := map[string]any{}
	for name := range properties {
		value, there := open[name]
		switch name {
		case "Call":
			said[name] = sayCall(open, box)
		case "Actions":
			list := []any{}
			actions, _ := value.([]any)
			if open["Function"] != nil {
				actions = []any{open}
			}
			for _, a := range actions {
				action := a.(map[string]any)
				list = append(list, map[string]any{
					"ControlLabel": text(action["ControlLabel"]), "ControlText": text(action["ControlText"]), "Call": sayCall(action, box),
				})
			}
			said[name] = list
		case "Plan":
			said[name] = value
		case "Questions":
			if said[name] = value; !there {
				said[name] = []any{}
			}
		case "Open":
			list := []any{}
			answers, _ := value.(map[string]any)
			for _, id := range slices.Sorted(maps.Keys(answers)) {
				list = append(list, id+": "+answers[id].(string))
			}
			said[name] = list
		case "Result", "SaveScreenshot", "Context":
			said[name] = ""
			if there {
				said[name] = encoded(value)
			}
		default:
			if said[name] = value; !there {
				said[name] = ""
			}
		}
	}
	return said
}

func sayCall(open map[string]any, box *desktop.Toolbox) any {
	name, ok := open["Function"].(string)
	if !ok {
		return nil
	}
	args, _ := open["Args"].(map[string]any)
	tool, _ := box.Tool(name)
	if _, shut := closed.Parameters(tool.InputSchema); !shut {
		if args == nil {
			args = map[string]any{}
		}
		return map[string]any{"Function": name, "Args": encoded(args)}
	}
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	_ = json.Unmarshal(tool.InputSchema, &schema) // it was closed
	whole := map[string]any{}
	for property := range schema.Properties {
		whole[property] = args[property]
	}
	return map[string]any{"Function": name, "Args": whole}
}

// text is a text that may be left out.
func text(v any) string {
	s, _ := v.(string)
	return s
}

func encoded(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of JSON
	}
	return string(raw)
}
