package anthropic_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestStatuses(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   error
		text   string
	}{
		"rate limited": {
			fails(429, "rate_limit_error", "Number of request tokens has exceeded your rate limit."), llm.ErrRateLimited,
			"llm: rate limited (status 429, model parrot, again in 7s): rate_limit_error: Number of request tokens has exceeded your rate limit.",
		},
		"quota": {
			fails(429, "billing_error", "Your limit of spending is reached."), llm.ErrRejected,
			"llm: the request was rejected (status 429, model parrot, again in 7s): billing_error: Your limit of spending is reached.",
		},
		"payment": {
			fails(402, "billing_error", "There is an issue with your billing."), llm.ErrRejected,
			"llm: the request was rejected (status 402, model parrot): billing_error: There is an issue with your billing.",
		},
		"credit": {
			fails(400, "invalid_request_error", "Your credit balance is too low to access the API."), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): invalid_request_error: Your credit balance is too low to access the API.",
		},
		"overloaded": {
			fails(529, "overloaded_error", "Overloaded"), llm.ErrOverloaded,
			"llm: the provider is overloaded (status 529, model parrot): overloaded_error: Overloaded",
		},
		"overloaded behind a gateway": {
			fails(500, "overloaded_error", "Overloaded"), llm.ErrOverloaded,
			"llm: the provider is overloaded (status 500, model parrot): overloaded_error: Overloaded",
		},
		"inside": {
			fails(500, "api_error", "Internal server error"), llm.ErrUnavailable,
			"llm: the provider gave no answer (status 500, model parrot): api_error: Internal server error",
		},
		"timeout": {
			fails(504, "timeout_error", "The request timed out."), llm.ErrUnavailable,
			"llm: the provider gave no answer (status 504, model parrot): timeout_error: The request timed out.",
		},
		"too large": {
			fails(413, "request_too_large", "Request exceeds the maximum size"), llm.ErrRejected,
			"llm: the request was rejected (status 413, model parrot): request_too_large: Request exceeds the maximum size",
		},
		"unknown model": {
			fails(404, "not_found_error", "model: parrot"), llm.ErrRejected,
			"llm: the request was rejected (status 404, model parrot): not_found_error: model: parrot",
		},
		"key refused": {
			fails(401, "authentication_error", "invalid x-api-key "+key[:6]+"***."), llm.ErrRejected,
			"llm: the request was rejected (status 401, model parrot): authentication_error: Unauthorized",
		},
		"key elsewhere": {
			fails(400, key, "the key "+key+" has no credit"), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): ***: the key *** has no credit",
		},
		"error as text": {
			writes(404, map[string]any{"error": "model 'parrot' not found"}), llm.ErrRejected,
			"llm: the request was rejected (status 404, model parrot): model 'parrot' not found",
		},
		"error at the top": {
			writes(400, map[string]any{"object": "error", "message": "too long", "type": "BadRequestError", "code": 400}), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): BadRequestError: too long",
		},
		"detail": {
			writes(405, map[string]any{"detail": "Method Not Allowed"}), llm.ErrRejected,
			"llm: the request was rejected (status 405, model parrot): Method Not Allowed",
		},
		"code alone": {
			writes(400, map[string]any{"error": map[string]any{"code": "bad_thing"}}), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): bad_thing",
		},
		"strange error": {
			writes(400, map[string]any{"error": []any{1}}), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): Bad Request",
		},
		"HTML": {
			raw(502, "text/html", "<html><h1>Bad Gateway</h1></html>"), llm.ErrUnavailable,
			"llm: the provider gave no answer (status 502, model parrot): Bad Gateway",
		},
		"breaks inside": {
			breaksInside(500), llm.ErrUnavailable,
			"llm: the provider gave no answer (status 500, model parrot): Internal Server Error",
		},
		"quotes the prompt": {
			fails(400, "bad", "what do you mean by 'the secret plan of the company'?"), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): bad: (it quotes the request)",
		},
		"quotes all of a short text": {
			fails(400, "bad", "what is p4ssw0rd?"), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): bad: (it quotes the request)",
		},
		"quotes the data of an image": {
			fails(400, "bad", "cannot read "+strings.Repeat("iVBORw0KGgo+", 6)), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): bad: (it quotes the request)",
		},
		"quotes an image": {
			fails(400, "bad", "cannot read data:image/png;base64,AAAA"), llm.ErrRejected,
			"llm: the request was rejected (status 400, model parrot): bad: (it quotes the request)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			req := ask("this is the secret plan of the company, keep it")
			req.Messages = append(req.Messages, llm.Text(llm.User, "p4ssw0rd"), llm.Text(llm.User, "x"))
			call := callError(t, s.model(t, nil), req)
			require.ErrorIs(t, call, c.kind)
			assert.EqualError(t, call, c.text)
			assert.Len(t, s.sent(), 1, "the SDK does not try again")
		})
	}
}

// Where a long message is cut no part of the key is left.
func TestKeyAtTheCut(t *testing.T) {
	words := strings.Repeat("a", llm.MaxMessage-30) + strings.Repeat(" ", 3*llm.MaxMessage+22) + key
	call := callError(t, serve(t, fails(400, "", words)).model(t, nil), ask("hello"))
	assert.NotContains(t, call.Message, key[:4])

	call = callError(t, serve(t, fails(400, "bad", llmtest.ErrorMessage(key))).model(t, nil), ask("hello"))
	assert.LessOrEqual(t, len(call.Message), 5*llm.MaxMessage)
}

// llm.Retry does what the SDK does not.
func TestRetry(t *testing.T) {
	s := serve(t, fails(500, "", "oops"), breaksOff, says("hi", "end_turn"))
	m := llm.Retry(s.model(t, nil), &llm.RetryOptions{Base: -1})
	resp, err := llm.Complete(t.Context(), m, ask("hello"))
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)
	assert.Len(t, s.sent(), 3)
}

func TestNoServer(t *testing.T) {
	s := serve(t, hangs)
	m := s.model(t, nil)
	s.Close()
	call := callError(t, m, ask("hello"))
	require.ErrorIs(t, call, llm.ErrUnavailable)
	assert.NotContains(t, call.Error(), "/v1", "the URL is not shown")
	var network *net.OpError
	assert.ErrorAs(t, call, &network)
}

// A deadline of the client is not the caller's.
func TestSlowClient(t *testing.T) {
	for name, change := range map[string]func(*anthropic.Config){
		"client": func(cfg *anthropic.Config) { cfg.HTTPClient = &http.Client{Timeout: time.Millisecond} },
		"option": func(cfg *anthropic.Config) {
			cfg.Options = []option.RequestOption{option.WithRequestTimeout(time.Millisecond)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			call := callError(t, serve(t, hangs).model(t, change), ask("hello"))
			require.ErrorIs(t, call, llm.ErrSlow)
			assert.True(t, llm.Retryable(call))
		})
	}
}

// failsToRead is a body that breaks in a way of its own, as those of HTTP/2 do.
type failsToRead struct{ io.Reader }

func (failsToRead) Read([]byte) (int, error) {
	return 0, errors.New("stream error: stream ID 1; INTERNAL_ERROR; received from peer")
}

// doer is a client that is not net/http's.
type doer func(*http.Request) (*http.Response, error)

func (f doer) Do(r *http.Request) (*http.Response, error) { return f(r) }

func TestTransports(t *testing.T) {
	s := serve(t, says("hi", "end_turn"))
	for name, c := range map[string]struct {
		do   doer
		kind error
	}{
		"stream that breaks": {func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Request: r, Header: http.Header{}, Body: io.NopCloser(failsToRead{})}, nil
		}, llm.ErrUnavailable},
		"network": {func(*http.Request) (*http.Response, error) { return nil, &net.OpError{Op: "read", Err: io.EOF} }, llm.ErrUnavailable},
		"end":     {func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }, llm.ErrUnavailable},
		"timeout": {func(*http.Request) (*http.Response, error) { return nil, os.ErrDeadlineExceeded }, llm.ErrSlow},
		"unknown": {func(*http.Request) (*http.Response, error) { return nil, errors.New("no idea") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			call := callError(t, s.model(t, func(cfg *anthropic.Config) {
				cfg.Options = []option.RequestOption{option.WithHTTPClient(c.do)}
			}), ask("hello"))
			assert.Equal(t, c.kind, call.Kind)
			assert.Equal(t, c.kind != nil, llm.Retryable(call))
			assert.Error(t, call.Err)
		})
	}
	assert.Empty(t, s.sent())
}

func TestOptionThatTheSDKRefuses(t *testing.T) {
	s := serve(t, says("hi", "end_turn"))
	call := callError(t, s.model(t, func(cfg *anthropic.Config) {
		cfg.Options = []option.RequestOption{option.WithHTTPClient(nil)}
	}), ask("hello"))
	assert.NoError(t, call.Kind)
	assert.False(t, llm.Retryable(call))
	assert.Empty(t, s.sent())
}

func TestCause(t *testing.T) {
	why := errors.New("the user left")
	m := serve(t, hangs).model(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, err := m.Complete(ctx, ask("hello"))
	require.ErrorIs(t, err, why)
	require.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "anthropic: the call ended: context canceled: the user left")
}
