package durable

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm"
)

// Each reply goes to its own request, also where only the calls differ that a request shows.
func TestRequestMark(t *testing.T) {
	asked := func(call llm.Call) string {
		return requestMark(&llm.Request{Messages: []llm.Message{{Role: llm.Assistant, Calls: []llm.Call{call}}}})
	}
	one := llm.Call{ID: "1", Name: "a", Args: json.RawMessage(`{}`)}
	assert.Equal(t, asked(one), asked(one))
	for _, other := range []llm.Call{{ID: "2", Name: "a", Args: one.Args}, {ID: "1", Name: "b", Args: one.Args}, {ID: "1", Name: "a", Args: json.RawMessage(`{"x":1}`)}} {
		assert.NotEqual(t, asked(one), asked(other))
	}
}
