package calls_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
)

// The key of a command is the same once it was JSON.
func TestKey(t *testing.T) {
	type point struct{ Y, X int }
	for name, params := range map[string]map[string]any{
		"none":               nil,
		"empty":              {},
		"plain":              {"text": "a <b> & \u2028", "n": 1.5, "ok": true, "none": nil, "list": []any{"x", 1e21, map[string]any{"b": 1.0, "a": 2.0}}},
		"no UTF-8":           {"text": "a\xff"},
		"a name of no UTF-8": {"\xfe": "b"},
		"integers":           {"n": 7, "big": int64(math.MaxInt64), "u": uint8(3)},
		"numbers of JSON":    {"n": json.Number("1.50")},
		"a struct":           {"at": point{1, 2}},
		"JSON":               {"raw": json.RawMessage(`{"b": 1, "a": [1.0]}`)},
		"strings":            {"list": []string{"a", "\xff"}},
		"inside of a list":   {"list": []any{point{1, 2}, []any{json.RawMessage(`{"b":1,"a":2}`)}}},
		"inside of a member": {"m": map[string]any{"m": map[string]int{"b": 1, "a": 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			key := calls.Key(desktop.Command{ToolName: "t", Parameters: params, Origin: "o"})
			require.NotEmpty(t, key)
			raw, err := json.Marshal(params)
			require.NoError(t, err)
			var read map[string]any
			require.NoError(t, json.Unmarshal(raw, &read))
			if name != "numbers of JSON" && name != "integers" && name != "JSON" { // float64 has other digits
				assert.Equal(t, key, calls.Key(desktop.Command{ToolName: "t", Parameters: read, Origin: "o"}))
			}
			raws := map[string]any{}
			for name, v := range params {
				raws[name], err = json.Marshal(v)
				require.NoError(t, err)
				raws[name] = json.RawMessage(raws[name].([]byte))
			}
			assert.Equal(t, key, calls.Key(desktop.Command{ToolName: "t", Parameters: raws, Origin: "o"}), "read and written once more")
		})
	}
	assert.Equal(t, calls.Key(desktop.Command{ToolName: "t"}), calls.Key(desktop.Command{ToolName: "t", Parameters: map[string]any{}}))
	assert.NotEqual(t, calls.Key(desktop.Command{ToolName: "t", Origin: "a"}), calls.Key(desktop.Command{ToolName: "t", Origin: "b"}))
	assert.Empty(t, calls.Key(desktop.Command{ToolName: "t", Parameters: map[string]any{"n": math.NaN()}}))
}
