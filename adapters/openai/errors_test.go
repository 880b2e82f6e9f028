package openai_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

func TestStatuses(t *testing.T) {
	adapterstest.RunBroken(t, adapter, map[string]adapterstest.Broken{
		"rate limited": {
			Answer: fails(429, "rate_limit_exceeded", "Rate limit reached."), Kind: llm.ErrRateLimited,
			Text: "llm: rate limited (status 429, model parrot, again in 7s): rate_limit_exceeded: Rate limit reached.",
		},
		"quota": {
			Answer: fails(429, "insufficient_quota", "You exceeded your current quota."), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 429, model parrot, again in 7s): insufficient_quota: You exceeded your current quota.",
		},
		"overloaded": {
			Answer: adapterstest.JSON(503, map[string]any{"error": map[string]any{"message": "That model is overloaded.", "type": "server_error", "code": nil}}), Kind: llm.ErrOverloaded,
			Text: "llm: the provider is overloaded (status 503, model parrot): server_error: That model is overloaded.",
		},
		"key refused": {
			Answer: fails(401, "invalid_api_key", "Incorrect API key provided: "+key[:6]+"***."), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 401, model parrot): invalid_api_key: Unauthorized",
		},
		"key elsewhere": {
			Answer: fails(400, key, "the key "+key+" has no credit"), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 400, model parrot): ***: the key *** has no credit",
		},
		"filter before": {
			Answer: adapterstest.JSON(400, map[string]any{"error": map[string]any{
				"message": "The response was filtered.", "code": "content_filter", "innererror": map[string]any{"code": "ResponsibleAIPolicyViolation"},
			}}), Kind: llm.ErrRefused,
			Text: "llm: the model refused to answer (status 400, model parrot): content_filter: The response was filtered.",
		},
		"filter behind a gateway": {
			Answer: adapterstest.JSON(400, map[string]any{"error": map[string]any{"message": "no", "code": "400", "innererror": map[string]any{"code": "ResponsibleAIPolicyViolation"}}}), Kind: llm.ErrRefused,
			Text: "llm: the model refused to answer (status 400, model parrot): 400: no",
		},
		"error as text": {
			Answer: adapterstest.JSON(404, map[string]any{"error": "model 'parrot' not found"}), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 404, model parrot): model 'parrot' not found",
		},
		"error of Google": {
			Answer: adapterstest.JSON(429, []any{map[string]any{"error": map[string]any{"message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED"}}}), Kind: llm.ErrRateLimited,
			Text: "llm: rate limited (status 429, model parrot, again in 7s): RESOURCE_EXHAUSTED: Quota exceeded.",
		},
		"HTML": {
			Answer: adapterstest.Raw(502, "text/html", "<html><h1>Bad Gateway</h1></html>"), Kind: llm.ErrUnavailable,
			Text: "llm: the provider gave no answer (status 502, model parrot): Bad Gateway",
		},
		"breaks inside": {
			Answer: adapterstest.BreaksInside(500, `{"choices": [{"mess`), Kind: llm.ErrUnavailable,
			Text: "llm: the provider gave no answer (status 500, model parrot): Internal Server Error",
		},
		"quotes the prompt": {
			Answer: fails(400, "bad", "what do you mean by 'the secret plan of the company'?"), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 400, model parrot): bad: (it quotes the request)",
		},
	})
}

// A deadline of an option is not the caller's.
func TestSlowOption(t *testing.T) {
	call := adapterstest.CallError(t, serve(t, adapterstest.Hangs).model(t, func(cfg *openai.Config) {
		cfg.Options = []option.RequestOption{option.WithRequestTimeout(time.Millisecond)}
	}), adapterstest.Ask("hello"))
	require.ErrorIs(t, call, llm.ErrSlow)
	assert.True(t, llm.Retryable(call))
}

func TestOptionThatTheSDKRefuses(t *testing.T) {
	s := serve(t, says("hi", "stop"))
	call := adapterstest.CallError(t, s.model(t, func(cfg *openai.Config) {
		cfg.Options = []option.RequestOption{option.WithHTTPClient(nil)}
	}), adapterstest.Ask("hello"))
	assert.NoError(t, call.Kind)
	assert.False(t, llm.Retryable(call))
	assert.Empty(t, s.Sent())
}

// What a middleware of the user makes of an answer is what counts.
func TestMiddlewareOfTheUser(t *testing.T) {
	m := serve(t, says("geheim", "stop")).model(t, func(cfg *openai.Config) {
		cfg.Options = []option.RequestOption{option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			answer, err := next(r)
			if err != nil {
				return nil, err
			}
			defer func() { _ = answer.Body.Close() }()
			text, err := io.ReadAll(answer.Body)
			answer.Body = io.NopCloser(strings.NewReader(strings.Replace(string(text), "geheim", "secret", 1)))
			return answer, err
		})}
	})
	resp, err := m.Complete(t.Context(), adapterstest.Ask("hello"))
	require.NoError(t, err)
	assert.Equal(t, "secret", resp.Text)
}

// Retries that the user asks the SDK for do not mix up the answers.
func TestRetriesOfTheUser(t *testing.T) {
	s := serve(t, fails(500, "", "oops"), says("hi", "stop"))
	m := s.model(t, func(cfg *openai.Config) {
		cfg.Options = []option.RequestOption{option.WithMaxRetries(1), option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			answer, err := next(r)
			if err == nil {
				answer.Header.Set("Retry-After-Ms", "1")
			}
			return answer, err
		})}
	})
	resp, err := m.Complete(t.Context(), adapterstest.Ask("hello"))
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)
	assert.Len(t, s.Sent(), 2)
}

// A base URL without /v1 is the commonest mistake: the error says so, and no more of the
// URL than its path.
func TestMissingV1(t *testing.T) {
	for base, want := range map[string]string{
		"":              "404 page not found (the path of the base URL is /; mostly it ends in /v1)",
		"/api":          "404 page not found (the path of the base URL is /api/; mostly it ends in /v1)",
		"/v1":           "404 page not found",
		"/v1/":          "404 page not found",
		"/api/v3":       "404 page not found",
		"/v1beta":       "404 page not found",
		"/openai/v1abc": "404 page not found",
	} {
		s := serve(t, adapterstest.Raw(http.StatusNotFound, "text/plain", "404 page not found"))
		call := adapterstest.CallError(t, s.model(t, func(cfg *openai.Config) { cfg.BaseURL = s.URL + base }), adapterstest.Ask("hello"))
		require.ErrorIs(t, call, llm.ErrRejected)
		assert.Equal(t, "llm: the request was rejected (status 404, model parrot): "+want, call.Error(), base)
	}
}
