package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

// Calls in every form that servers write them. One that nobody can read has no name, so that the model is told of it.
func TestFormsOfCalls(t *testing.T) {
	const click = `{"id":"1","type":"function","function":{"name":"click","arguments":"{\"id\":\"7\"}"}}`
	clicked := llm.Call{ID: "1", Name: "click", Args: json.RawMessage(`{"id":"7"}`)}
	bare := clicked
	bare.ID = ""
	for name, c := range map[string]struct {
		choices string
		want    []llm.Call
		text    string
	}{
		"as the protocol has it": {`[{"message":{"tool_calls":[` + click + `]}}]`, []llm.Call{clicked}, ""},
		"an object as arguments": {`[{"message":{"tool_calls":[{"id":"1","function":{"name":"click","arguments":{"id":"7"}}}]}}]`, []llm.Call{clicked}, ""},
		"flat":                   {`[{"message":{"tool_calls":[{"id":"1","name":"click","arguments":"{\"id\":\"7\"}"}]}}]`, []llm.Call{clicked}, ""},
		"no list":                {`[{"message":{"tool_calls":` + click + `}}]`, []llm.Call{clicked}, ""},
		"before there were tools": {`[{"message":{"content":null,"function_call":{"name":"click","arguments":"{\"id\":\"7\"}"}}}]`,
			[]llm.Call{bare}, ""},
		"in the second choice": {`[{"message":{"content":"I click."},"finish_reason":"stop"},{"message":{"tool_calls":[` + click + `]},"finish_reason":"tool_calls"}]`,
			[]llm.Call{clicked}, "I click."},
		"of both choices": {`[{"message":{"tool_calls":[` + click + `]},"finish_reason":"tool_calls"},{"message":{"tool_calls":[{"id":"2","function":{"name":"FINISH"}}]}}]`,
			[]llm.Call{clicked}, ""},
		"beside a refusal": {`[{"message":{"content":"No"},"finish_reason":"content_filter"},{"message":{"tool_calls":[` + click + `]}}]`, nil, "No"},
		"no name":          {`[{"message":{"tool_calls":[{"id":"1","function":{"arguments":"{}"}}]}}]`, []llm.Call{{ID: "1", Args: json.RawMessage(`{"id":"1","function":{"arguments":"{}"}}`)}}, ""},
		"another type":     {`[{"message":{"tool_calls":[` + click + `,{"id":"2","type":"custom"}]}}]`, []llm.Call{clicked, {ID: "2", Args: json.RawMessage(`{"id":"2","type":"custom"}`)}}, ""},
		"a text":           {`[{"message":{"tool_calls":"click"}}]`, []llm.Call{{Args: json.RawMessage(`"click"`)}}, ""},
		"an empty list":    {`[{"message":{"content":"hm","tool_calls":[]}}]`, nil, "hm"},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, adapterstest.Raw(http.StatusOK, "application/json", `{"choices":`+c.choices+`}`)).model(t, nil)
			resp, err := m.Complete(t.Context(), adapterstest.Tooled("click it"))
			require.NoError(t, err)
			assert.Equal(t, c.want, resp.Calls)
			assert.Equal(t, c.text, resp.Text)
		})
	}
}

// paying is an inquiry whose model pays by a call.
func paying(m llm.Model) deciding.Inquiry[struct{ Paid string }] {
	return deciding.Inquiry[struct{ Paid string }]{
		Model: m, Messages: adapterstest.Ask("pay bob").Messages,
		Tools:  []llm.Tool{{Name: "pay", Parameters: json.RawMessage(`{"type":"object"}`)}},
		Called: func(_ string, calls []llm.Call) (string, error) { return `{"Paid": "` + calls[0].ID + `"}`, nil },
	}
}

func pays(id, finish string) http.HandlerFunc {
	call := map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "pay", "arguments": "{}"}}
	return message(map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}, finish)
}

// What a server says of a reply that it calls broken.
func TestFinishReasonOfACall(t *testing.T) {
	for finish, c := range map[string]struct {
		asked int
		paid  string
		is    error
	}{
		"tool_calls":                   {1, "first", nil},
		"MALFORMED_FUNCTION_CALL":      {2, "second", nil},
		"network_error":                {2, "second", nil},
		"insufficient_system_resource": {2, "second", nil},
		"sensitive":                    {1, "", llm.ErrRefused},
	} {
		t.Run(finish, func(t *testing.T) {
			s := serve(t, pays("first", finish), pays("second", "tool_calls"))
			got, err := deciding.Ask(t.Context(), paying(llm.Retry(s.model(t, nil), &llm.RetryOptions{Base: -1})))
			require.ErrorIs(t, err, c.is)
			assert.Equal(t, c.paid, got.Paid)
			assert.Len(t, s.Sent(), c.asked)
			if finish == "MALFORMED_FUNCTION_CALL" {
				assert.Contains(t, s.Sent()[1], "which is malformed")
			}
		})
	}
}

// What a server refuses of what its model wrote goes back to the model, as broken JSON does.
func TestRefusedCallIsFedBack(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		body    string
		shown   string
		forgoes bool // the model need not call a tool any more
	}{
		"Groq": {400, `{"error": {"message": "Failed to call a function. Please adjust your prompt.", "type": "invalid_request_error", "code": "tool_use_failed",
			"failed_generation": "<function=pay{\"to\": \"bob\"}</function>"}}`, `\u003cfunction=pay`, false},
		"a tool of another name":  {400, `{"error": {"message": "tool call validation failed: attempted to call tool 'send'", "type": "invalid_request_error"}}`, "attempted to call tool 'send'", false},
		"Ollama":                  {500, `{"error": {"message": "error parsing tool call: raw='{\"to\": bob', err=invalid character", "type": "api_error"}}`, "invalid character", false},
		"llama.cpp":               {500, `{"error": {"code": 500, "message": "Failed to parse input at pos 12: <tool_call>", "type": "server_error"}}`, "at pos 12", false},
		"a text beside a choice":  {400, `{"error": {"message": "Tool choice is required, but model did not call a tool", "code": "tool_use_failed", "failed_generation": "I pay."}}`, "I pay.", true},
		"in an answer of success": {200, `{"error": {"code": 400, "message": "Failed to parse tool call arguments as JSON"}}`, "arguments as JSON", false},
	} {
		t.Run(name, func(t *testing.T) {
			refuses := adapterstest.Raw(c.status, "application/json", c.body)
			s := serve(t, refuses, refuses, pays("third", "tool_calls"))
			got, err := deciding.Ask(t.Context(), paying(llm.Retry(s.model(t, nil), &llm.RetryOptions{Base: -1})))
			require.NoError(t, err)
			assert.Equal(t, "third", got.Paid)
			sent := s.Sent()
			require.Len(t, sent, 3)
			var last struct{ Messages []struct{ Content string } }
			require.NoError(t, json.Unmarshal([]byte(sent[2]), &last))
			told := last.Messages[len(last.Messages)-1].Content
			assert.Contains(t, told, "which is malformed")
			assert.Contains(t, told, c.shown)
			assert.Equal(t, !c.forgoes, mustCall(sent[2]))
		})
	}
}

func mustCall(body string) bool {
	var sent struct {
		Choice string `json:"tool_choice"`
	}
	return json.Unmarshal([]byte(body), &sent) == nil && sent.Choice == "required"
}

// A gateway may give a call twice: it is one.
func TestACallThatCameTwice(t *testing.T) {
	call := map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": "pay", "arguments": `{"to":"bob","amount":5}`}}
	s := serve(t, message(map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call, call}}, "tool_calls"))
	in, made := paying(s.model(t, nil)), 0
	called := in.Called
	in.Called = func(text string, calls []llm.Call) (string, error) { made = len(calls); return called(text, calls) }
	_, err := deciding.Ask(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, 1, made)
}
