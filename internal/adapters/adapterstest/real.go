package adapterstest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// Real is what of a protocol aimock is told in its own words.
type Real struct {
	Adapter
	Refusal     string // a finish reason
	Input, Used string // the names that the counts of tokens have
}

// At is a model at aimock.
func (r Real) At(t testing.TB, server *realpartstest.Aimock) llm.Model {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return r.Model(t, server.URL, &http.Client{Transport: transport}, nil)
}

// response is one with a text, for 30 tokens of input and 4 of output.
func (r Real) response(text, finish string) map[string]any {
	return map[string]any{"content": text, "finishReason": finish, "usage": map[string]any{r.Input: 30, r.Used: 4}}
}

// limited asks to wait.
func limited(seconds int) map[string]any {
	f := realpartstest.Failure(http.StatusTooManyRequests, "slow down")
	f["retryAfter"] = seconds
	return f
}

// RunReal tests an adapter against aimock, a server that others wrote.
func RunReal(t *testing.T, r Real) {
	t.Helper()
	realpartstest.Need(t)
	good := r.response(llmtest.GoodReply, "stop")
	t.Run("conformance", func(t *testing.T) {
		of := func(response map[string]any, chaos map[string]any) func(testing.TB) llm.Model {
			return func(t testing.TB) llm.Model {
				t.Helper()
				f := realpartstest.Always(response)
				f.Chaos = chaos
				return r.At(t, realpartstest.Start(t, []realpartstest.Fixture{f}))
			}
		}
		llmtest.Run(t, llmtest.Backend{
			Good:        of(good, nil),
			Slow:        of(good, map[string]any{"latencyMs": 30_000}),
			RateLimited: of(limited(7), nil),
			ServerError: of(realpartstest.Failure(http.StatusInternalServerError, "oops"), nil),
			Rejected:    of(realpartstest.Failure(http.StatusBadRequest, llmtest.ErrorMessage(Key)), nil),
			Unavailable: of(good, map[string]any{"disconnectRate": 1}),
			Refusal:     of(r.response("I cannot", r.Refusal), nil),
			Empty:       of(r.response(" ", "stop"), nil), // it takes no fixture without any text
			Cut:         of(r.response(`{"Answer": "for`, "length"), nil),
			Key:         Key,
		})
	})
	t.Run("round", r.testRound)
}

// A host and its agents get over failures with llm.Retry, which waits as long as the server asks for.
func (r Real) testRound(t *testing.T) {
	var responses []map[string]any
	for i, turn := range Turns {
		switch i {
		case 1:
			responses = append(responses, realpartstest.Failure(http.StatusInternalServerError, "oops"))
		case 3:
			responses = append(responses, limited(1))
		}
		responses = append(responses, r.response(turn, "stop"))
	}
	server := realpartstest.Start(t, realpartstest.InOrder(responses...))
	var waits []time.Duration
	used := RunRound(t, llm.Retry(r.At(t, server), &llm.RetryOptions{
		Base: -1, OnRetry: func(_ int, wait time.Duration, _ error) { waits = append(waits, wait) },
	}), false)
	assert.Equal(t, []time.Duration{0, time.Second}, waits)
	assert.Equal(t, llm.Usage{InputTokens: 7 * 30, OutputTokens: 7 * 4}, used)
	calls := server.Journal(t)
	assert.Len(t, calls, len(responses))
	for _, call := range calls {
		assert.Contains(t, string(call.Body), "put the table into Excel")
	}
}
