package desktop_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
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
	clear(tool.InputSchema)

	want := []desktop.Tool{{Name: "b", InputSchema: json.RawMessage(`{}`)}, {Name: "a"}}
	assert.Equal(t, want, box.Tools())
	_, ok = box.Tool("x")
	assert.False(t, ok)

	empty, err := desktop.NewToolbox(nil, nil)
	require.NoError(t, err)
	assert.Empty(t, empty.Tools())
}

func TestCheck(t *testing.T) {
	box := boxOf(t, map[string]string{
		"open":  `{"type":"object","required":["path"],"properties":{"path":{"type":"string"},"rows":{"type":"array","items":{"type":"integer"}}},"additionalProperties":false}`,
		"any":   ``,
		"never": `false`,
	})
	// Parameters may be Go values of any kind that JSON can hold.
	for _, p := range []map[string]any{
		{"path": "a"}, {"path": "a", "rows": []int{1, 2}}, {"path": "a", "rows": []any{json.Number("1"), 2.0}},
	} {
		assert.NoError(t, box.Check(desktop.Command{ToolName: "open", Parameters: p}))
	}
	assert.NoError(t, box.Check(desktop.Command{ToolName: "any", Parameters: map[string]any{"x": []string{"y"}}}))
	assert.NoError(t, box.Check(desktop.Command{ToolName: "any"}))

	for want, cmd := range map[string]desktop.Command{
		"desktop: open: parameters do not fit: $.path: is required": {ToolName: "open"},
		"desktop: open: parameters do not fit: $.mode: is not allowed; $.path: must be of type string, not integer; $.rows[1]: must be of type integer, not number": {
			ToolName: "open", Parameters: map[string]any{"path": 1, "mode": "r", "rows": []float64{1, 1.5}}},
		"desktop: any: parameters do not fit: $: cannot be written as JSON": {ToolName: "any", Parameters: map[string]any{"f": func() {}}},
		"desktop: never: parameters do not fit: $: is not allowed":          {ToolName: "never"},
	} {
		err := box.Check(cmd)
		assert.EqualError(t, err, want)
		assert.ErrorIs(t, err, desktop.ErrParameters)
	}

	err := box.Check(desktop.Command{ToolName: "fly"})
	assert.EqualError(t, err, `desktop: unknown tool "fly"; the tools are: any, never, open`)
	assert.ErrorIs(t, err, desktop.ErrUnknownTool)
	assert.EqualError(t, new(desktop.Toolbox).Check(desktop.Command{ToolName: "fly"}), `desktop: unknown tool "fly"; the tools are: none`)
}

func TestMaskAndSecrets(t *testing.T) {
	box := boxOf(t, map[string]string{
		"login": `{"properties":{
			"user":{"type":"string"}, "password":{"type":"string","format":"password"}, "pin":{"writeOnly":true},
			"hosts":{"items":{"properties":{"key":{"writeOnly":true}}}}, "keys":{"items":{"writeOnly":true}}}}`,
		"vault": `{"writeOnly":true}`,
		"plain": ``,
	})
	for name, tt := range map[string]struct {
		tool    string
		p       map[string]any
		masked  string
		secrets []string
	}{
		"password":         {"login", map[string]any{"user": "ann", "password": "hunter2"}, `{"user":"ann","password":"***"}`, []string{"hunter2"}},
		"nested":           {"login", map[string]any{"hosts": []any{map[string]any{"key": "k2", "name": "a"}, map[string]any{"key": "k1"}}}, `{"hosts":[{"key":"***","name":"a"},{"key":"***"}]}`, []string{"k1", "k2"}},
		"a long number":    {"login", map[string]any{"pin": 123456}, `{"pin":"***"}`, []string{"123456"}},
		"an object":        {"login", map[string]any{"pin": map[string]any{"a": []any{"s1", "", true, nil}, "b": "s2"}}, `{"pin":"***"}`, []string{"s1", "s2"}},
		"the wrong type":   {"login", map[string]any{"password": []any{"a", "b"}}, `{"password":"***"}`, []string{"a", "b"}},
		"everything":       {"vault", map[string]any{"a": "x", "b": 1}, `{"a":"***","b":"***"}`, []string{"1", "x"}},
		"no parameters":    {"plain", nil, `{}`, nil},
		"items":            {"login", map[string]any{"keys": []string{"k", "k"}}, `{"keys":["***","***"]}`, []string{"k"}},
		"well-known":       {"click_input", map[string]any{"id": "7"}, `{"id":"7"}`, nil},
		"unknown":          {"fly", map[string]any{"a": "x"}, `{"a":"***"}`, nil},
		"no value of JSON": {"plain", map[string]any{"a": func() {}, "b": "x"}, `{"a":"***","b":"***"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := desktop.Command{ToolName: tt.tool, Parameters: tt.p, CallID: "1", Looks: true}
			before := len(tt.p)
			masked := box.Mask(cmd)
			assert.JSONEq(t, tt.masked, marshal(t, masked.Parameters))
			assert.Equal(t, tt.secrets, box.Secrets(cmd))
			assert.Equal(t, "1", masked.CallID)
			assert.True(t, masked.Looks)
			assert.Len(t, tt.p, before)
		})
	}
}
