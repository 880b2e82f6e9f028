package desktop_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

func TestWellKnown(t *testing.T) {
	var readOnly, destructive []string
	for _, tool := range wellKnownBox(t).Tools() {
		assert.NotEmpty(t, tool.Description, tool.Name)
		assert.NotEmpty(t, tool.Annotations.Title, tool.Name)
		if tool.Annotations.ReadOnlyHint {
			readOnly = append(readOnly, tool.Name)
		}
		if tool.Annotations.DestructiveHint {
			destructive = append(destructive, tool.Name)
		}
		var schema struct {
			Type       string
			Properties map[string]struct{ Description, Type string }
		}
		require.NoError(t, json.Unmarshal(tool.InputSchema, &schema))
		assert.Equal(t, "object", schema.Type)
		for name, p := range schema.Properties {
			assert.NotEmpty(t, p.Description, "%s.%s", tool.Name, name)
			assert.NotEmpty(t, p.Type, "%s.%s", tool.Name, name)
		}
	}
	assert.Equal(t, []string{
		"capture_desktop_screenshot", "capture_window_screenshot", "get_app_window", "get_desktop_app_info", "get_ui_tree", "list_tools", "texts", "wait",
	}, readOnly)
	assert.Equal(t, []string{"close_application", "run_shell"}, destructive)
}

func TestToolNamed(t *testing.T) {
	tool, ok := desktop.ToolNamed(desktop.CaptureDesktopScreenshot)
	require.True(t, ok)
	assert.True(t, json.Valid(tool.InputSchema))
	clear(tool.InputSchema)
	tool, _ = desktop.ToolNamed(desktop.CaptureDesktopScreenshot)
	assert.True(t, json.Valid(tool.InputSchema))

	_, ok = desktop.ToolNamed("fly")
	assert.False(t, ok)
}

func TestCommandDecode(t *testing.T) {
	var p struct {
		ID   string  `json:"id"`
		Size float64 `json:"size"`
		At   struct {
			X int `json:"x"`
		} `json:"at"`
	}
	decode := func(parameters map[string]any) error {
		return desktop.Command{ToolName: "a", Parameters: parameters}.Decode(&p)
	}
	for _, size := range []any{3, 3.0, json.Number("3"), int64(3)} {
		p.Size = 0
		require.NoError(t, decode(map[string]any{"id": "7", "size": size}))
		assert.Equal(t, "7", p.ID)
		assert.Equal(t, 3.0, p.Size)
	}
	require.NoError(t, decode(nil))

	assert.EqualError(t, decode(map[string]any{"id": 483920}), `desktop: a: the arguments do not fit: "id" must not be of type number`)
	assert.EqualError(t, decode(map[string]any{"at": map[string]any{"x": 483920.5}}), `desktop: a: the arguments do not fit: "at.x" must not be of type number`)
	assert.EqualError(t, decode(map[string]any{"f": func() {}}), "desktop: a: the arguments do not fit: the object cannot be written as JSON")
	err := desktop.Command{ToolName: "a"}.Decode(new(int))
	assert.EqualError(t, err, "desktop: a: the arguments do not fit: the object must not be of type object")
	assert.ErrorIs(t, err, desktop.ErrParameters)
	assert.EqualError(t, desktop.Command{ToolName: "a"}.Decode(nil), "desktop: a: the arguments do not fit: the object cannot be read")
}

// A command as the source documents write it can be read. Its tool_type says nothing.
func TestCommandOfTheSources(t *testing.T) {
	for _, kind := range []string{"action", "data_collection"} {
		var cmd desktop.Command
		require.NoError(t, json.Unmarshal([]byte(`{"tool_name": "get_ui_tree", "parameters": {"x": 1}, "tool_type": "`+kind+`"}`), &cmd))
		assert.Equal(t, desktop.Command{ToolName: "get_ui_tree", Parameters: map[string]any{"x": 1.0}}, cmd)
	}
}
