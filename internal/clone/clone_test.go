package clone_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/clone"
)

func TestMapIsDeep(t *testing.T) {
	type other struct{ n int }
	shared := &other{1}
	list := map[string]any{
		"map": map[string]any{"deep": []any{map[string]any{"x": 1.0}, "y"}}, "words": []string{"a"},
		"raw": json.RawMessage(`"a"`), "number": json.Number("1"), "nil": nil, "no list": []any(nil), "other": shared,
	}
	c := clone.Map(list)
	assert.Equal(t, list, c)
	assert.Same(t, shared, c["other"], "what JSON does not decode into is not copied")

	c["new"] = true
	inner := c["map"].(map[string]any)
	inner["deep"].([]any)[0].(map[string]any)["x"] = 2.0
	inner["deep"].([]any)[1] = "z"
	c["words"].([]string)[0] = "b"
	c["raw"].(json.RawMessage)[1] = 'b'
	assert.Equal(t, map[string]any{
		"map": map[string]any{"deep": []any{map[string]any{"x": 1.0}, "y"}}, "words": []string{"a"},
		"raw": json.RawMessage(`"a"`), "number": json.Number("1"), "nil": nil, "no list": []any(nil), "other": shared,
	}, list)
}
