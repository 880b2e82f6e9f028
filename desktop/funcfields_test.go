package desktop_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// What is embedded is described as encoding/json reads it.
func TestEmbeddedFields(t *testing.T) {
	type Loop struct {
		*Loop
		Deep string `json:"deep"`
		Gone string
	}
	type in struct {
		place `json:"at"`
		Loop
		Deep int      `json:"deep"` // in Go, and in JSON, in front of that of Loop
		Gone struct{} `json:"-"`    // JSON does not have it, so that of Loop is not hidden
	}
	var got in
	made := desktop.Func("x", "", func(_ context.Context, in in) (struct{}, error) {
		got = in
		return struct{}{}, nil
	}, nil)
	assert.Equal(t, `{"type":"object","properties":{`+
		`"at":{"type":"object","properties":{"sheet":{"type":"string","description":"its name"},"Row":{"type":"integer","minimum":0}},`+
		`"required":["Row"],"additionalProperties":false},`+
		`"Gone":{"type":"string"},"deep":{"type":"integer"}},"required":["at","Gone","deep"],"additionalProperties":false}`, string(described(t, made).InputSchema))
	res, err := desktop.Execute(t.Context(), open(t, made), desktop.Command{ToolName: "x", Parameters: params{"at": params{"Row": 2}, "deep": 3, "Gone": "x"}})
	require.NoError(t, err)
	require.NoError(t, res.Err())
	assert.Equal(t, uint(2), got.Row)
	assert.Equal(t, 3, got.Deep)
	assert.Equal(t, "x", got.Loop.Gone)
}
