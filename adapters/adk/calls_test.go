package adk_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

// called is a whole reply of calls.
func called(calls []llm.Call, signature string) *model.LLMResponse {
	r := text("")
	r.Content.Parts = []*genai.Part{{Text: "I click."}}
	for _, c := range calls {
		call := &genai.FunctionCall{ID: c.ID, Name: c.Name}
		if json.Unmarshal(c.Args, &call.Args) != nil {
			call.Args = nil
		}
		r.Content.Parts = append(r.Content.Parts, &genai.Part{FunctionCall: call, ThoughtSignature: []byte(signature)})
	}
	return r
}

// A round whose model replies with calls.
func TestRoundInCalls(t *testing.T) {
	var responses []*model.LLMResponse
	for _, calls := range adapterstest.InCalls {
		responses = append(responses, called(calls, ""))
	}
	of := &fake{}
	next := 0
	of.yield = func(_ context.Context, _ *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		next++
		yield(responses[next-1], nil)
	}
	adapterstest.RunRound(t, adapt(t, of, nil), true)
	config := of.last(t).Config
	require.Len(t, config.Tools, 1)
	assert.Equal(t, genai.FunctionCallingConfigModeAny, config.ToolConfig.FunctionCallingConfig.Mode)
	assert.Empty(t, config.ResponseMIMEType)
}

// A reply comes back with its calls as its model made them, signatures included, and what came of each.
func TestResultsOfCalls(t *testing.T) {
	made := []llm.Call{{Name: "desk.click", Args: json.RawMessage(`{"id":"1"}`)}, {ID: "x", Name: "FINISH"}}
	of := says(called([]llm.Call{{Name: "click", Args: made[0].Args}, made[1]}, "signed"))
	m := adapt(t, of, nil)
	req := adapterstest.Tooled("click it")
	resp, err := llm.Complete(t.Context(), m, req)
	require.NoError(t, err)
	assert.Equal(t, "I click.", resp.Text)
	assert.Equal(t, []llm.Call{{Name: "click", Args: made[0].Args}, made[1]}, resp.Calls)
	require.NotNil(t, resp.Reasoning)

	resp.Calls[0].ID = "call_1" // as deciding.Ask fills it in
	for _, reasoning := range []json.RawMessage{resp.Reasoning, json.RawMessage(`{"reasoning_content":"of another"}`)} {
		resp.Reasoning = reasoning
		_, err = m.Complete(t.Context(), adapterstest.Told(resp))
		require.NoError(t, err)
		contents := of.last(t).Contents
		require.Len(t, contents, 3)
		turn, results := contents[1], contents[2]
		require.Len(t, turn.Parts, 3)
		assert.Equal(t, "I click.", turn.Parts[0].Text)
		assert.Equal(t, &genai.FunctionCall{Name: "click", Args: map[string]any{"id": "1"}}, turn.Parts[1].FunctionCall)
		assert.Equal(t, reasoning[0] == '[', string(turn.Parts[1].ThoughtSignature) == "signed")
		require.Len(t, results.Parts, 2, "all results of a turn are in one")
		assert.Equal(t, &genai.FunctionResponse{Name: "click", Response: map[string]any{"output": "not done"}}, results.Parts[0].FunctionResponse)
		assert.Equal(t, "x", results.Parts[1].FunctionResponse.ID)
	}

	bad := adapterstest.Told(resp)
	bad.Messages = bad.Messages[:2]
	_, err = m.Complete(t.Context(), bad)
	require.ErrorIs(t, err, llm.ErrRejected)
}

// A call that nobody asked for is none.
func TestUncalled(t *testing.T) {
	resp, err := adapt(t, says(called([]llm.Call{{Name: "search"}}, "s")), nil).Complete(t.Context(), ask("hello"))
	require.NoError(t, err)
	assert.Empty(t, resp.Calls)
	assert.Nil(t, resp.Reasoning)
}

// A provider that does not let a model be made to call something is asked once more, and that is remembered.
func TestForcedCallsAreForgone(t *testing.T) {
	for name, refusal := range map[string]error{
		"Gemini":         genai.APIError{Code: 400, Message: "Function calling config mode ANY is not supported by this model"},
		"another client": errors.New("POST /v1/messages: 400 Bad Request: Thinking may not be enabled when tool_choice forces tool use"),
	} {
		t.Run(name, func(t *testing.T) {
			of := &fake{}
			of.yield = func(_ context.Context, req *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
				if req.Config.ToolConfig.FunctionCallingConfig.Mode == genai.FunctionCallingConfigModeAny {
					yield(nil, refusal)
					return
				}
				yield(called([]llm.Call{{ID: "1", Name: "click"}}, ""), nil)
			}
			m := adapt(t, of, nil)
			for range 2 {
				resp, err := m.Complete(t.Context(), adapterstest.Tooled("click it"))
				require.NoError(t, err)
				assert.Equal(t, []llm.Call{{ID: "1", Name: "click"}}, resp.Calls)
			}
			var modes []genai.FunctionCallingConfigMode
			for _, req := range of.requests {
				modes = append(modes, req.Config.ToolConfig.FunctionCallingConfig.Mode)
			}
			const must, may = genai.FunctionCallingConfigModeAny, genai.FunctionCallingConfigModeAuto
			assert.Equal(t, []genai.FunctionCallingConfigMode{must, may, may}, modes)
		})
	}

	of := fails(genai.APIError{Code: 400, Message: "tool_choice is not supported, and nothing else is"})
	m := adapt(t, of, nil)
	for range 2 {
		call := adapterstest.CallError(t, m, adapterstest.Tooled("click it"))
		require.ErrorIs(t, call, llm.ErrRejected)
		assert.Contains(t, call.Message, "does not take these tools: tool_choice")
	}
	assert.Len(t, of.requests, 4, "that did not help, so it was not the choice")

	of = fails(genai.APIError{Code: 429, Message: "too many tool_choice"})
	require.ErrorIs(t, adapterstest.CallError(t, adapt(t, of, nil), adapterstest.Tooled("click it")), llm.ErrRateLimited)
	assert.Len(t, of.requests, 1)
}
