package openai_test

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
			`{"model": "m", "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}`,
			llm.Response{Text: "hi", Model: "m", FinishReason: "stop", Usage: llm.Usage{InputTokens: 3, OutputTokens: 2}}, nil,
		},
		"bare": {
			`{"choices": [{"message": {"content": "hi"}}]}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"total only": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 3, "total_tokens": 9}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 3, OutputTokens: 6}}, nil,
		},
		"thoughts beside the output": { // as xAI and Google count
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 65, "completion_tokens_details": {"reasoning_tokens": 60}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 3, OutputTokens: 62, ReasoningTokens: 60}}, nil,
		},
		"thoughts in the output, and a cache": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 300, "completion_tokens": 70, "total_tokens": 370,
				"prompt_tokens_details": {"cached_tokens": 256}, "completion_tokens_details": {"reasoning_tokens": 60}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 300, OutputTokens: 70, CacheReadTokens: 256, ReasoningTokens: 60}}, nil,
		},
		"a cache, as documented": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
				"prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 2006, OutputTokens: 300, CacheReadTokens: 1920}}, nil,
		},
		"written into a cache": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 2006, "completion_tokens": 3, "total_tokens": 2009,
				"prompt_tokens_details": {"cached_tokens": 128, "cache_write_tokens": 1792}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 2006, OutputTokens: 3, CacheReadTokens: 128, CacheCreationTokens: 1792}}, nil,
		},
		"more cached than there was": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 10, "completion_tokens": 3,
				"prompt_tokens_details": {"cached_tokens": 9, "cache_write_tokens": 9}}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 10, OutputTokens: 3, CacheReadTokens: 9, CacheCreationTokens: 1}}, nil,
		},
		"usage of another kind": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": "unknown", "created": "yesterday", "id": 7, "object": null, "error": null, "timings": {"predicted_ms": 1.5}}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"a byte order mark": {
			"\ufeff" + `{"choices": [{"message": {"content": "hi"}}]}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"the second choice": {
			`{"choices": [{"message": {"content": ""}, "finish_reason": "stop"}, {"message": {"content": "hi"}, "finish_reason": "stop"}]}`,
			llm.Response{Text: "hi", Model: "parrot", FinishReason: "stop"}, nil,
		},
		"the second choice beside one that is filtered": {
			`{"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}, {"message": {"content": "hi"}, "finish_reason": "stop"}]}`,
			llm.Response{Model: "parrot", FinishReason: "content_filter"}, llm.ErrRefused,
		},
		"no reason yet": {
			`{"choices": [{"index": 0, "message": {"content": "hi", "reasoning_content": "hm"}, "finish_reason": ""}], "usage": null}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"more than there is": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 9223372036854775807, "completion_tokens": 9223372036854775807, "total_tokens": -9223372036854775808}}`,
			llm.Response{Text: "hi", Model: "parrot", Usage: llm.Usage{InputTokens: 1<<31 - 1, OutputTokens: 1<<31 - 1}}, nil,
		},
		"negative": {
			`{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": -3, "completion_tokens": -1}}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"list of parts": {
			`{"choices": [{"message": {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "h"}, {"type": "text", "text": "i"}]}}]}`,
			llm.Response{Text: "hi", Model: "parrot"}, nil,
		},
		"list of something": {
			`{"choices": [{"message": {"content": [1, 2]}}]}`,
			llm.Response{Model: "parrot"}, llm.ErrEmpty,
		},
		"refusal beside a text": {
			`{"choices": [{"message": {"content": "hi", "refusal": "No."}, "finish_reason": "stop"}]}`,
			llm.Response{Text: "hi", Model: "parrot", FinishReason: "stop"}, nil,
		},
		"filtered": {
			`{"choices": [{"message": {"content": "h"}, "finish_reason": "content_filter"}]}`,
			llm.Response{Text: "h", Model: "parrot", FinishReason: "content_filter"}, llm.ErrRefused,
		},
		"cut": {
			`{"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}`,
			llm.Response{Model: "parrot", FinishReason: "length"}, llm.ErrCut,
		},
		"call of a tool": {
			`{"choices": [{"message": {"content": null, "tool_calls": []}, "finish_reason": "tool_calls"}]}`,
			llm.Response{Model: "parrot", FinishReason: "tool_calls"}, llm.ErrEmpty,
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
	m := serve(t, adapterstest.Raw(http.StatusOK, "text/plain", `{"choices": [{"message": {"content": "hi"}}]}`)).model(t, nil)
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
		"no choice":     {adapterstest.Raw(200, "application/json", `{"choices": []}`), llm.ErrEmpty, 0, "no choice", 0},
		"nothing":       {adapterstest.Raw(200, "application/json", `null`), llm.ErrEmpty, 0, "no choice", 0},
		"tokens only":   {adapterstest.Raw(200, "application/json", `{"usage": {"prompt_tokens": 3}}`), llm.ErrEmpty, 0, "no choice", 3},
		"broken JSON":   {adapterstest.Raw(200, "application/json", `{"choices": [{"mess`), llm.ErrUnavailable, 0, "not the JSON", 0},
		"empty body":    {adapterstest.Raw(200, "application/json", ``), llm.ErrUnavailable, 0, "not the JSON", 0},
		"HTML":          {adapterstest.Raw(200, "text/html", `<html>log in</html>`), llm.ErrUnavailable, 0, "not the JSON", 0},
		"breaks inside": {adapterstest.BreaksInside(200, `{"choices": [{"mess`), llm.ErrUnavailable, 0, "unexpected EOF", 0},
		"too long":      {adapterstest.Raw(200, "application/json", strings.Repeat(" ", 32<<20+1)), llm.ErrUnavailable, 0, "too long", 0},
		"error of a router": {
			adapterstest.Raw(200, "application/json", `{"error": {"code": 502, "message": "the provider is down"}, "usage": {"prompt_tokens": 7}}`),
			llm.ErrUnavailable, 502, "502: the provider is down", 7,
		},
		"rate limit of a router": {adapterstest.Raw(200, "application/json", `{"error": {"code": 429, "message": "slow down"}}`), llm.ErrRateLimited, 429, "slow down", 0},
		"an error in a choice": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"content": "{\"Answer\": 1}"}, "finish_reason": "error", "error": {"code": 502, "message": "it broke"}}], "usage": {"prompt_tokens": 7}}`),
			llm.ErrUnavailable, 502, "502: it broke", 7,
		},
		"an end by an error": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"content": "{\"Answer\": 1}"}, "finish_reason": "error"}], "usage": {"prompt_tokens": 7}}`),
			llm.ErrUnavailable, 0, "finish reason error", 7,
		},
		"an error beside an empty choice": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"content": ""}}], "error": {"code": "429", "message": "slow down"}}`),
			llm.ErrRateLimited, 429, "429: slow down", 0,
		},
		"refusal": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"content": null, "refusal": "I cannot\nhelp with that."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7}}`),
			llm.ErrRefused, 0, "refused to answer (model parrot): refusal: I cannot help with that.", 7,
		},
		"refusal with the key": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"refusal": "Not with `+key+`."}}]}`),
			llm.ErrRefused, 0, "refusal: Not with ***.", 0,
		},
		"refusal with the request": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"refusal": "I do not say hello to the world."}}]}`),
			llm.ErrRefused, 0, "refusal: (it quotes the request)", 0,
		},
		"refusal without an end": {
			adapterstest.Raw(200, "application/json", `{"choices": [{"message": {"refusal": "`+strings.Repeat("I cannot. ", 10_000)+`"}}]}`),
			llm.ErrRefused, 0, "refusal: I cannot. I", 0,
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
			assert.Less(t, len(call.Message), 2000)
			assert.Equal(t, "parrot", call.Model)
			if c.used == 0 {
				assert.Nil(t, resp)
				return
			}
			assert.Equal(t, llm.Response{Model: "parrot", Usage: llm.Usage{InputTokens: c.used}}, *resp)
		})
	}
}
