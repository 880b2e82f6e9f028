package llm_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// called is a request that tells a model what came of its calls, and what it answers.
func called() (*llm.Request, *llm.Response) {
	calls := func() []llm.Call {
		return []llm.Call{{ID: "c1", Name: "click", Args: json.RawMessage(`{"id":"1"}`)}, {ID: "c2", Name: "FINISH"}}
	}
	return &llm.Request{
			Messages: []llm.Message{
				llm.Text(llm.User, "go"),
				{Role: llm.Assistant, Parts: []llm.Part{{Text: "hm"}}, Calls: calls(), Reasoning: json.RawMessage(`{"signature":"s"}`)},
				{Role: llm.ToolResult, Parts: []llm.Part{{Text: "no"}}, CallID: "c1"},
			},
			Tools: []llm.Tool{{Name: "click", Description: "clicks", Parameters: json.RawMessage(`{"type":"object"}`), Strict: json.RawMessage(`{"type":"object","properties":{}}`)}},
		}, &llm.Response{
			Calls: calls(), Reasoning: json.RawMessage(`["thought"]`), FinishReason: "tool_calls",
		}
}

func TestCallsAreStableJSON(t *testing.T) {
	req, resp := called()
	raw, err := json.Marshal(req)
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[{"role":"user","parts":[{"text":"go"}]},`+
		`{"role":"assistant","parts":[{"text":"hm"}],"calls":[{"id":"c1","name":"click","args":{"id":"1"}},{"id":"c2","name":"FINISH"}],"reasoning":{"signature":"s"}},`+
		`{"role":"tool","parts":[{"text":"no"}],"call_id":"c1"}],`+
		`"tools":[{"name":"click","description":"clicks","parameters":{"type":"object"},"strict":{"type":"object","properties":{}}}]}`, string(raw))
	var again llm.Request
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, req, &again)

	raw, err = json.Marshal(resp)
	require.NoError(t, err)
	assert.Equal(t, `{"text":"","usage":{"input_tokens":0,"output_tokens":0},"finish_reason":"tool_calls",`+
		`"calls":[{"id":"c1","name":"click","args":{"id":"1"}},{"id":"c2","name":"FINISH"}],"reasoning":["thought"]}`, string(raw))
	var said llm.Response
	require.NoError(t, json.Unmarshal(raw, &said))
	assert.Equal(t, resp, &said)
}

// A copy stays as it was, whatever is done to the calls of the first.
func TestClonesOfCalls(t *testing.T) {
	req, resp := called()
	asked, said := req.Clone(), resp.Clone()
	turn := &req.Messages[1]
	turn.Calls[0].Name, turn.Calls[0].Args[0], turn.Reasoning[0] = "wipe", '[', '['
	req.Tools[0].Name, req.Tools[0].Parameters[0], req.Tools[0].Strict[0] = "wipe", '[', '['
	resp.Calls[0].Name, resp.Calls[0].Args[0], resp.Reasoning[0] = "wipe", '[', '{'
	wantReq, wantResp := called()
	assert.Equal(t, wantReq, asked)
	assert.Equal(t, wantResp, said)
}

// A call is a reply, with a text or without one. A reply that was cut may have half of a call.
func TestCompleteTakesCalls(t *testing.T) {
	_, want := called()
	for reason, kind := range map[string]error{"tool_calls": nil, "tool_use": nil, "stop": nil, "": nil, "length": llm.ErrCut, "content_filter": llm.ErrRefused} {
		resp := want.Clone()
		resp.FinishReason = reason
		for _, model := range []llm.Model{answers(new(int), resp), llm.Retry(answers(new(int), resp), atOnce), llm.Fallback(answers(new(int), resp))} {
			got, err := llm.Complete(t.Context(), model, &llm.Request{})
			require.ErrorIs(t, err, kind, reason)
			assert.Equal(t, want.Calls, got.Calls)
			assert.Equal(t, want.Reasoning, got.Reasoning)
		}
	}
}

// What an attempt used that failed is in the usage of a reply of calls.
func TestRetryAddsUpAroundCalls(t *testing.T) {
	_, want := called()
	resp, err := llm.Complete(t.Context(), llm.Retry(answers(new(int), paid{"", "m", tokens(3), overloaded}, want), atOnce), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, 3, resp.Usage.InputTokens)
	assert.Equal(t, want.Calls, resp.Calls)
	assert.Equal(t, want.Reasoning, resp.Reasoning)
}

// A model never sees what is Record's.
func TestRecordKeepsCalls(t *testing.T) {
	asked, said := called()
	wantAsked, wantSaid := called()
	spoil := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		req.Tools[0].Name = "spoiled"
		return said, nil
	})
	var kept []any
	_, err := llm.Record(spoil, func(req *llm.Request, resp *llm.Response, _ error) { kept = []any{req, resp} }).Complete(t.Context(), asked)
	require.NoError(t, err)
	said.Calls[0].Name = "spoiled"
	assert.Equal(t, []any{wantAsked, wantSaid}, kept)
}
