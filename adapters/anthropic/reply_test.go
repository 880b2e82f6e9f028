package anthropic_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

func TestReplies(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want llm.Response
		kind error // of llm.Complete
	}{
		"whole": {
			`{"model": "m", "content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 2}}`,
			llm.Response{Text: "hi", Model: "m", FinishReason: "end_turn", Usage: llm.Usage{InputTokens: 3, OutputTokens: 2}}, nil,
		},
		"bare": {
			`{"content": [{"type": "text", "text": "hi"}]}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"cache": {
			`{"content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": 3, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 200, "output_tokens": 6}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 213, OutputTokens: 6, CacheReadTokens: 200, CacheCreationTokens: 10}}, nil,
		},
		"thoughts": {
			`{"content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": 3, "output_tokens": 60, "output_tokens_details": {"thinking_tokens": 50}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 3, OutputTokens: 60, ReasoningTokens: 50}}, nil,
		},
		"a cache, as documented": {
			`{"content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": 2048, "cache_read_input_tokens": 1800, "cache_creation_input_tokens": 248, "output_tokens": 503,
				"cache_creation": {"ephemeral_5m_input_tokens": 148, "ephemeral_1h_input_tokens": 100}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 4096, OutputTokens: 503, CacheReadTokens: 1800, CacheCreationTokens: 248}}, nil,
		},
		"no cache": {
			`{"content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": 3, "cache_creation_input_tokens": null, "output_tokens": 6}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 3, OutputTokens: 6}}, nil,
		},
		"more than there is": {
			`{"content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": 9223372036854775807, "cache_read_input_tokens": 9223372036854775807, "output_tokens": 9223372036854775807}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 1<<31 - 1, OutputTokens: 1<<31 - 1, CacheReadTokens: 1<<31 - 1}}, nil,
		},
		"negative": {
			`{"content": [{"type": "text", "text": "hi"}], "usage": {"input_tokens": -3, "cache_read_input_tokens": -1, "output_tokens": -1}}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"thinking tokens": {
			`{"content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "redacted_thinking", "data": "x"},
				{"type": "text", "text": "h"}, {"type": "text", "text": "i"}], "stop_reason": "stop_sequence"}`,
			llm.Response{Text: "hi", Model: "parrot", FinishReason: "stop_sequence"}, nil,
		},
		"a plain text": {
			`{"content": "hi", "stop_reason": "end_turn"}`,
			llm.Response{Text: "hi", Model: "parrot", FinishReason: "end_turn"}, nil,
		},
		"a byte order mark": {
			"\ufeff" + `{"content": [{"type": "text", "text": "hi"}]}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"blocks of tomorrow": {
			`{"content": [{"type": "hologram", "text": "no"}, 1, {"type": "text", "text": "hi"}], "stop_reason": "end_turn"}`,
			llm.Response{Text: "hi", Model: "parrot", FinishReason: "end_turn"}, nil,
		},
		"only thoughts": {
			`{"content": [{"type": "thinking", "thinking": "hm", "signature": "s"}], "stop_reason": "end_turn"}`,
			llm.Response{Model: "parrot", FinishReason: "end_turn"}, llm.ErrEmpty,
		},
		"nothing": {
			`{"content": [], "stop_reason": "end_turn"}`,
			llm.Response{Model: "parrot", FinishReason: "end_turn"}, llm.ErrEmpty,
		},
		"refusal": {
			`{"content": [], "stop_reason": "refusal", "stop_details": {"type": "refusal", "category": null, "explanation": null}}`,
			llm.Response{Model: "parrot", FinishReason: "refusal"}, llm.ErrRefused,
		},
		"details of no refusal": {
			`{"content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn", "stop_details": {"type": "refusal", "category": "cyber"}}`,
			llm.Response{Text: "hi", Model: "parrot", FinishReason: "end_turn"}, nil,
		},
		"refusal in the middle": {
			`{"content": [{"type": "text", "text": "h"}], "stop_reason": "refusal"}`,
			llm.Response{Text: "h", Model: "parrot", FinishReason: "refusal"}, llm.ErrRefused,
		},
		"cut": {
			`{"content": [{"type": "text", "text": "{"}], "stop_reason": "max_tokens"}`,
			llm.Response{Text: "{", Model: "parrot", FinishReason: "max_tokens"}, llm.ErrCut,
		},
		"full": {
			`{"content": [{"type": "text", "text": "{"}], "stop_reason": "model_context_window_exceeded"}`,
			llm.Response{Text: "{", Model: "parrot", FinishReason: "model_context_window_exceeded"}, llm.ErrCut,
		},
		"call of a tool": {
			`{"content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}], "stop_reason": "tool_use"}`,
			llm.Response{Model: "parrot", FinishReason: "tool_use"}, llm.ErrEmpty,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, adapterstest.Raw(http.StatusOK, "application/json", c.body)).model(t, nil)
			resp, err := m.Complete(t.Context(), adapterstest.Ask("hello"))
			require.NoError(t, err)
			assert.Equal(t, c.want, *resp)
			_, err = llm.Complete(t.Context(), m, adapterstest.Ask("hello"))
			require.ErrorIs(t, err, c.kind)
		})
	}
}

// Some servers forget to say that they send JSON.
func TestReplyWithoutMediaType(t *testing.T) {
	m := serve(t, adapterstest.Raw(http.StatusOK, "text/plain", `{"content": [{"type": "text", "text": "hi"}]}`)).model(t, nil)
	resp, err := m.Complete(t.Context(), adapterstest.Ask("hello"))
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)
}

func TestAnswersThatAreNoReply(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   error
		status int
		words  string
		used   int
	}{
		"no content":     {adapterstest.Raw(200, "application/json", `{"type": "message"}`), llm.ErrEmpty, 0, "no content", 0},
		"null content":   {adapterstest.Raw(200, "application/json", `{"content": null}`), llm.ErrEmpty, 0, "no content", 0},
		"nothing":        {adapterstest.Raw(200, "application/json", `null`), llm.ErrEmpty, 0, "no content", 0},
		"tokens only":    {adapterstest.Raw(200, "application/json", `{"usage": {"input_tokens": 3}}`), llm.ErrEmpty, 0, "no content", 3},
		"another thing":  {adapterstest.Raw(200, "application/json", `["hi"]`), llm.ErrUnavailable, 0, "not the JSON", 0},
		"broken JSON":    {adapterstest.Raw(200, "application/json", `{"content": [{"ty`), llm.ErrUnavailable, 0, "not the JSON", 0},
		"empty body":     {adapterstest.Raw(200, "application/json", ``), llm.ErrUnavailable, 0, "not the JSON", 0},
		"HTML":           {adapterstest.Raw(200, "text/html", `<html>log in</html>`), llm.ErrUnavailable, 0, "not the JSON", 0},
		"breaks inside":  {adapterstest.BreaksInside(200, `{"content": [{"ty`), llm.ErrUnavailable, 0, "unexpected EOF", 0},
		"too long":       {adapterstest.Raw(200, "application/json", strings.Repeat(" ", 32<<20+1)), llm.ErrUnavailable, 0, "too long", 0},
		"too long error": {adapterstest.Raw(500, "application/json", strings.Repeat(" ", 32<<20+1)), llm.ErrUnavailable, 500, "Internal Server Error", 0},
		"error of a router": {
			adapterstest.Raw(200, "application/json", `{"error": {"code": 502, "message": "the provider is down"}, "usage": {"input_tokens": 7}}`),
			llm.ErrUnavailable, 502, "502: the provider is down", 7,
		},
		"overload of a router":   {fails(200, "overloaded_error", "Overloaded"), llm.ErrOverloaded, 529, "overloaded_error: Overloaded", 0},
		"rate limit of a router": {fails(200, "rate_limit_error", "slow down"), llm.ErrRateLimited, 429, "slow down", 0},
		"key of a router":        {fails(200, "authentication_error", "wrong key xyz"), llm.ErrRejected, 401, "authentication_error: Unauthorized", 0},
		"unknown error":          {fails(200, "some_error", "hm"), llm.ErrUnavailable, 0, "some_error: hm", 0},
		"error beside no content": {
			adapterstest.Raw(200, "application/json", `{"content": [], "error": {"type": "overloaded_error", "message": "Overloaded"}}`),
			llm.ErrOverloaded, 529, "overloaded_error: Overloaded", 0,
		},
		"refusal that says why": {
			adapterstest.Raw(200, "application/json", `{"content": [], "stop_reason": "refusal", "usage": {"input_tokens": 7},
				"stop_details": {"type": "refusal", "category": "cyber", "explanation": "No,\nnot `+key+`."}}`),
			llm.ErrRefused, 0, "refused to answer (model parrot): refusal: cyber: No, not ***.", 7,
		},
		"refusal of a kind": {
			adapterstest.Raw(200, "application/json", `{"content": [{"type": "text", "text": "h"}], "stop_reason": "refusal", "stop_details": {"category": "bio"}}`),
			llm.ErrRefused, 0, "refusal: bio", 0,
		},
		"refusal with the request": {
			adapterstest.Raw(200, "application/json", `{"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "I do not say hello to the world."}}`),
			llm.ErrRefused, 0, "refusal: (it quotes the request)", 0,
		},
		"redirect": {adapterstest.Raw(300, "text/html", `<a href="x">`), llm.ErrRejected, 300, "Multiple Choices", 0},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := serve(t, c.answer).model(t, nil).Complete(t.Context(), adapterstest.Ask("say hello to the world"))
			var call *llm.CallError
			require.ErrorAs(t, err, &call)
			require.ErrorIs(t, call, c.kind)
			assert.Equal(t, c.status, call.Status)
			assert.ErrorContains(t, call, c.words)
			assert.Equal(t, "parrot", call.Model)
			if c.used == 0 {
				assert.Nil(t, resp)
				return
			}
			assert.Equal(t, llm.Response{Model: "parrot", Usage: llm.Usage{InputTokens: c.used}}, *resp)
		})
	}
}
