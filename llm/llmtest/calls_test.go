package llmtest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// aboutCalls is a request that has tools and what came of a call, with a secret in each of their texts.
func aboutCalls() *llm.Request {
	req := ask("go")
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "c1", Name: "type", Args: json.RawMessage(`{"text":"` + key + `"}`)}}, Reasoning: json.RawMessage(`["` + key + `"]`)},
		llm.Message{Role: llm.ToolResult, CallID: "c1", Parts: []llm.Part{{Text: "no"}}})
	req.Tools = []llm.Tool{{Name: "type", Description: "types " + key, Parameters: json.RawMessage(`{"type":"object"}`), Strict: json.RawMessage(`{"description":"` + key + `"}`)}}
	return req
}

func TestScriptOfCalls(t *testing.T) {
	calls := []llm.Call{{ID: "c1", Name: "FINISH", Args: json.RawMessage(`{}`)}}
	model := llmtest.Script(t, calls, calls)
	for range 2 {
		resp, err := llm.Complete(t.Context(), model, ask("x"))
		require.NoError(t, err)
		assert.Equal(t, calls, resp.Calls)
		assert.Empty(t, resp.Text)
		assert.Equal(t, 15, resp.Usage.Total())
		resp.Calls[0].Args[0] = '[' // a response is its caller's
	}
}
