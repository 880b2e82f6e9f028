package anthropic_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

func TestStatuses(t *testing.T) {
	adapterstest.RunBroken(t, adapter, map[string]adapterstest.Broken{
		"rate limited": {
			Answer: fails(429, "rate_limit_error", "Number of request tokens has exceeded your rate limit."), Kind: llm.ErrRateLimited,
			Text: "llm: rate limited (status 429, model parrot, again in 7s): rate_limit_error: Number of request tokens has exceeded your rate limit.",
		},
		"quota": {
			Answer: fails(429, "billing_error", "Your limit of spending is reached."), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 429, model parrot, again in 7s): billing_error: Your limit of spending is reached.",
		},
		"payment": {
			Answer: fails(402, "billing_error", "There is an issue with your billing."), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 402, model parrot): billing_error: There is an issue with your billing.",
		},
		"credit": {
			Answer: fails(400, "invalid_request_error", "Your credit balance is too low to access the API."), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 400, model parrot): invalid_request_error: Your credit balance is too low to access the API.",
		},
		"overloaded": {
			Answer: fails(529, "overloaded_error", "Overloaded"), Kind: llm.ErrOverloaded,
			Text: "llm: the provider is overloaded (status 529, model parrot): overloaded_error: Overloaded",
		},
		"overloaded behind a gateway": {
			Answer: fails(500, "overloaded_error", "Overloaded"), Kind: llm.ErrOverloaded,
			Text: "llm: the provider is overloaded (status 500, model parrot): overloaded_error: Overloaded",
		},
		"inside": {
			Answer: fails(500, "api_error", "Internal server error"), Kind: llm.ErrUnavailable,
			Text: "llm: the provider gave no answer (status 500, model parrot): api_error: Internal server error",
		},
		"timeout": {
			Answer: fails(504, "timeout_error", "The request timed out."), Kind: llm.ErrUnavailable,
			Text: "llm: the provider gave no answer (status 504, model parrot): timeout_error: The request timed out.",
		},
		"too large": {
			Answer: fails(413, "request_too_large", "Request exceeds the maximum size"), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 413, model parrot): request_too_large: Request exceeds the maximum size",
		},
		"unknown model": {
			Answer: fails(404, "not_found_error", "model: parrot"), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 404, model parrot): not_found_error: model: parrot",
		},
		"key refused": {
			Answer: fails(401, "authentication_error", "invalid x-api-key "+key[:6]+"***."), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 401, model parrot): authentication_error: Unauthorized",
		},
		"key elsewhere": {
			Answer: fails(400, key, "the key "+key+" has no credit"), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 400, model parrot): ***: the key *** has no credit",
		},
		"error as text": {
			Answer: adapterstest.JSON(404, map[string]any{"error": "model 'parrot' not found"}), Kind: llm.ErrRejected,
			Text: "llm: the request was rejected (status 404, model parrot): model 'parrot' not found",
		},
		"HTML": {
			Answer: adapterstest.Raw(502, "text/html", "<html><h1>Bad Gateway</h1></html>"), Kind: llm.ErrUnavailable,
			Text: "llm: the provider gave no answer (status 502, model parrot): Bad Gateway",
		},
		"breaks inside": {
			Answer: adapterstest.BreaksInside(500, `{"content": [{"ty`), Kind: llm.ErrUnavailable,
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
	call := adapterstest.CallError(t, serve(t, adapterstest.Hangs).model(t, func(cfg *anthropic.Config) {
		cfg.Options = []option.RequestOption{option.WithRequestTimeout(time.Millisecond)}
	}), adapterstest.Ask("hello"))
	require.ErrorIs(t, call, llm.ErrSlow)
	assert.True(t, llm.Retryable(call))
}

func TestOptionThatTheSDKRefuses(t *testing.T) {
	s := serve(t, says("hi", "end_turn"))
	call := adapterstest.CallError(t, s.model(t, func(cfg *anthropic.Config) {
		cfg.Options = []option.RequestOption{option.WithHTTPClient(nil)}
	}), adapterstest.Ask("hello"))
	assert.NoError(t, call.Kind)
	assert.False(t, llm.Retryable(call))
	assert.Empty(t, s.Sent())
}

// What a middleware of the user makes of an answer is what counts.
func TestMiddlewareOfTheUser(t *testing.T) {
	m := serve(t, says("geheim", "end_turn")).model(t, func(cfg *anthropic.Config) {
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
	s := serve(t, fails(500, "", "oops"), says("hi", "end_turn"))
	m := s.model(t, func(cfg *anthropic.Config) {
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
