package desktop

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Parameters are checked as they are only where a desktop at the other end of a wire would
// read the same.
func TestIsPlain(t *testing.T) {
	circle := map[string]any{}
	circle["self"] = circle
	for name, v := range map[string]any{
		"text": "a", "broken text": "\xff", "number": json.Number("1.5e3"), "no number": json.Number("01"), "empty number": json.Number(""),
		"float": 1.5, "not a number": math.NaN(), "int": 1, "list": []any{"a", nil, true}, "nil list": []any(nil), "object": map[string]any{"b": map[string]any{}},
		"nil object": map[string]any(nil), "broken name": map[string]any{"\xff": 1.0}, "struct": struct{ A int }{1}, "strings": []string{"a"},
		"error": errors.New("x"), "channel": make(chan int), "circle": circle,
	} {
		params := map[string]any{"a": v}
		wire, ok := plain(params)
		if !isPlain(params, 0) {
			continue
		}
		require.True(t, ok, name)
		there, err := json.Marshal(wire)
		require.NoError(t, err, name)
		here, err := json.Marshal(params)
		require.NoError(t, err, name)
		assert.JSONEq(t, string(there), string(here), name)
		assert.IsType(t, kind(wire["a"]), kind(v), name)
	}
	for name, v := range map[string]any{"text": "a", "number": json.Number("1"), "float": 1.5, "list": []any{map[string]any{"a": false}}, "nothing": nil} {
		assert.True(t, isPlain(map[string]any{"a": v}, 0), name)
	}
	for name, v := range map[string]any{"int": 1, "broken text": "\xff", "no number": json.Number("01"), "nil list": []any(nil), "circle": circle} {
		assert.False(t, isPlain(map[string]any{"a": v}, 0), name)
	}
}

// kind is v with one Go type for all numbers.
func kind(v any) any {
	if _, ok := v.(float64); ok {
		return json.Number("")
	}
	return v
}

func TestHides(t *testing.T) {
	box, err := NewToolbox([]Tool{
		{Name: "login", InputSchema: json.RawMessage(`{"properties": {"pin": {"writeOnly": true}}}`)},
		{Name: "open", InputSchema: json.RawMessage(`{"properties": {"file": {"type": "string"}}}`)},
	}, nil)
	require.NoError(t, err)
	assert.True(t, box.Hides(Command{ToolName: "login"}))
	assert.True(t, box.Hides(Command{ToolName: "unknown"}))
	assert.False(t, box.Hides(Command{ToolName: "open"}))
	assert.False(t, box.Hides(Command{ToolName: "open", Parameters: map[string]any{"file": []string{"a"}}}))
	assert.True(t, box.Hides(Command{ToolName: "open", Parameters: map[string]any{"file": make(chan int)}}), "it has no JSON form")
	assert.False(t, box.Hides(Command{ToolName: ClickInput}), "a well-known one")
}
