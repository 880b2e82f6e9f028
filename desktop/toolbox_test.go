package desktop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/golden"
)

func boxOf(t testing.TB, schemas map[string]string) *desktop.Toolbox {
	t.Helper()
	var tools []desktop.Tool
	for name, schema := range schemas {
		tools = append(tools, desktop.Tool{Name: name, InputSchema: json.RawMessage(schema)})
	}
	box, err := desktop.NewToolbox(tools, nil)
	require.NoError(t, err)
	return box
}

func TestToolboxIsACopy(t *testing.T) {
	given := []desktop.Tool{{Name: "b", InputSchema: json.RawMessage(`{}`)}, {Name: "a"}}
	box, err := desktop.NewToolbox(given, nil)
	require.NoError(t, err)
	given[0].Name = "x"
	clear(given[0].InputSchema)
	clear(box.Tools()[0].InputSchema)
	tool, ok := box.Tool("b")
	require.True(t, ok)
	assert.JSONEq(t, `{}`, string(tool.InputSchema))

	want := []desktop.Tool{{Name: "b", InputSchema: json.RawMessage(`{}`)}, {Name: "a"}}
	assert.Equal(t, want, box.Tools())
	_, ok = box.Tool("x")
	assert.False(t, ok)

	empty, err := desktop.NewToolbox(nil, nil)
	require.NoError(t, err)
	assert.Empty(t, empty.Tools())
}

// read reads a command, such as: login {"user":"ann"}.
func read(t *testing.T, text string) desktop.Command {
	t.Helper()
	tool, args, _ := strings.Cut(text, " ")
	cmd := desktop.Command{ToolName: tool, CallID: "1", Looks: true}
	if args != "" {
		require.NoError(t, json.Unmarshal([]byte(args), &cmd.Parameters), text)
	}
	return cmd
}

func TestCheck(t *testing.T) {
	box := boxOf(t, map[string]string{
		"open":  `{"type":"object","required":["path"],"properties":{"path":{"type":"string"},"rows":{"type":"array","items":{"type":"integer"}}},"additionalProperties":false}`,
		"any":   ``,
		"never": `false`,
	})
	golden.Cases(t, "check.txt", func(text string) string {
		cmd := read(t, text)
		in := box
		if _, known := desktop.ToolNamed(cmd.ToolName); known {
			in = wellKnownBox(t)
		}
		err := in.Check(cmd)
		if err == nil {
			return "fits"
		}
		assert.Equal(t, cmd.ToolName == "fly", errors.Is(err, desktop.ErrUnknownTool))
		assert.Equal(t, cmd.ToolName != "fly", errors.Is(err, desktop.ErrParameters))
		return err.Error()
	})
	// Parameters may be Go values of any kind that JSON can hold.
	for _, p := range []map[string]any{{"path": "a", "rows": []int{1, 2}}, {"path": "a", "rows": []any{json.Number("1"), 2.0}}} {
		require.NoError(t, box.Check(desktop.Command{ToolName: "open", Parameters: p}))
	}
	err := box.Check(desktop.Command{ToolName: "any", Parameters: map[string]any{"f": func() {}}})
	require.EqualError(t, err, "desktop: any: the arguments do not fit: the object cannot be written as JSON")
	require.EqualError(t, new(desktop.Toolbox).Check(desktop.Command{ToolName: "fly"}), `desktop: unknown tool "fly"; the tools are: none`)
}

func TestMaskAndSecrets(t *testing.T) {
	box := boxOf(t, map[string]string{
		"login": `{"properties":{
			"user":{"type":"string"}, "password":{"type":"string","format":"password"}, "pin":{"writeOnly":true},
			"hosts":{"items":{"properties":{"key":{"writeOnly":true}}}}, "keys":{"items":{"writeOnly":true}}}}`,
		"vault": `{"writeOnly":true}`,
		"plain": ``,
	})
	mask := func(cmd desktop.Command) string {
		before := fmt.Sprint(cmd.Parameters)
		masked := box.Mask(cmd)
		assert.Equal(t, before, fmt.Sprint(cmd.Parameters), "it is a copy")
		assert.Equal(t, "1", masked.CallID)
		assert.True(t, masked.Looks)
		return marshal(t, masked.Parameters) + strings.TrimSuffix(fmt.Sprint("\nsecrets: ", box.Secrets(cmd)), "\nsecrets: []")
	}
	golden.Cases(t, "mask.txt", func(text string) string { return mask(read(t, text)) })
	odd := read(t, "plain")
	odd.Parameters = map[string]any{"a": func() {}, "b": "x"}
	assert.JSONEq(t, `{"a":"***","b":"***"}`, mask(odd))
}

// Open returns a known Toolbox if the tools are its own in every respect.
func TestOpenKnown(t *testing.T) {
	list := []desktop.Tool{{Name: "shared", InputSchema: json.RawMessage(`{"properties":{"a":{"type":"string"}}}`)}, {Name: ""}}
	d := &fake{tools: func(context.Context) ([]desktop.Tool, error) { return slices.Clone(list), nil }}
	open := func(v desktop.Validator, known ...*desktop.Toolbox) *desktop.Toolbox {
		box, err := desktop.Open(t.Context(), d, v, known...)
		require.NoError(t, err)
		return box
	}
	first, other := open(nil), open(desktop.LeaveToTool)
	assert.Same(t, first, open(nil, other, first))
	assert.NotSame(t, other, open(nil, other), "a Validator may have let other tools in")
	assert.NotSame(t, first, open(desktop.LeaveToTool, first))
	assert.Len(t, first.Unusable(), 1)
	types, others := first.Parameters("shared")
	assert.Equal(t, map[string]string{"a": "string"}, types)
	assert.False(t, others)
	types, _ = first.Parameters("unknown")
	assert.Nil(t, types)
	for i, change := range []func(*desktop.Tool){
		func(tool *desktop.Tool) { tool.Name = "another" },
		func(tool *desktop.Tool) { tool.Description = "another" },
		func(tool *desktop.Tool) { tool.InputSchema = json.RawMessage(`{}`) },
		func(tool *desktop.Tool) { tool.Annotations.DestructiveHint = true },
		func(tool *desktop.Tool) { tool.Origin = "another" },
		func(tool *desktop.Tool) { tool.Group = "another" },
	} {
		before := list[0]
		change(&list[0])
		assert.NotSame(t, first, open(nil, first), i)
		list[0] = before
	}
	list[0].InputSchema[2] = 'X'
	assert.JSONEq(t, `{"properties":{"a":{"type":"string"}}}`, string(first.Tools()[0].InputSchema), "the Toolbox has a copy")
}
