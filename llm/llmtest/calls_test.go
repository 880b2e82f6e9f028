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

// A recording has calls, tools and what a model wants to be shown again, without secrets; each of them
// tells requests apart.
func TestCassetteOfCalls(t *testing.T) {
	answer := &llm.Response{
		Calls:     []llm.Call{{ID: "c2", Name: "FINISH", Args: json.RawMessage(`{"Result":"` + key + `"}`)}},
		Reasoning: json.RawMessage(`{"thought":"` + key + `"}`), FinishReason: "tool_calls",
	}
	path, content := record(t, llmtest.CassetteOptions{Record: llmtest.Script(t, answer), Secrets: []string{key}}, func(m llm.Model) {
		_, err := m.Complete(t.Context(), aboutCalls())
		require.NoError(t, err)
	})
	assert.NotContains(t, content, key)

	tape, f := replay(t, path, &llmtest.CassetteOptions{Secrets: []string{key}})
	resp, err := llm.Complete(t.Context(), tape, aboutCalls())
	require.NoError(t, err)
	assert.Equal(t, []llm.Call{{ID: "c2", Name: "FINISH", Args: json.RawMessage(`{"Result":"***"}`)}}, resp.Calls)
	assert.JSONEq(t, `{"thought":"***"}`, string(resp.Reasoning))
	f.end()
	assert.Empty(t, f.failures())

	for name, change := range map[string]func(*llm.Request){
		"calls type":   func(req *llm.Request) { req.Messages[1].Calls[0].Args = json.RawMessage(`{"text":"other"}`) },
		"tool c9":      func(req *llm.Request) { req.Messages[2].CallID = "c9" },
		"types other":  func(req *llm.Request) { req.Tools[0].Description = "types other" },
		"strict: null": func(req *llm.Request) { req.Tools[0].Strict = json.RawMessage(`null`) },
		"":             func(req *llm.Request) { req.Messages[1].Reasoning = nil },
	} {
		tape, f = replay(t, path, &llmtest.CassetteOptions{Secrets: []string{key}, AllowUnused: true})
		req := aboutCalls()
		change(req)
		_, err = tape.Complete(t.Context(), req)
		require.ErrorIs(t, err, llmtest.ErrCassette)
		assert.Contains(t, f.failures(), name, "what differs is shown")
	}
}

// What is no JSON without its secret is a string in the file.
func TestCassetteOfCallsThatARedactBreaks(t *testing.T) {
	answer := []llm.Call{{ID: "c1", Name: "pay", Args: json.RawMessage(`{"amount":12345}`)}}
	opts := llmtest.CassetteOptions{Record: llmtest.Script(t, answer), Secrets: []string{"12345"}}
	path, _ := record(t, opts, func(m llm.Model) {
		_, err := m.Complete(t.Context(), ask("x"))
		require.NoError(t, err)
	})
	tape, _ := replay(t, path, nil)
	resp, err := tape.Complete(t.Context(), ask("x"))
	require.NoError(t, err)
	assert.Equal(t, `"{\"amount\":***}"`, string(resp.Calls[0].Args))
}
