package adapterstest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// Real is what of a protocol aimock is told in its own words.
type Real struct {
	Adapter
	Refusal     string // a finish reason
	Input, Used string // the names that the counts of tokens have
}

// RunReal tests an adapter against aimock, a server that others wrote.
func RunReal(t *testing.T, r Real) {
	t.Helper()
	realpartstest.Need(t)
	t.Run("conformance", r.testConformance)
	t.Run("failures", r.testFailures)
	t.Run("round", r.testRound)
	t.Run("round without tokens left", r.testOverBudget)
	t.Run("cancelled", r.testCancelled)
	t.Run("killed", r.testKilled)
}

// At is a model at aimock.
func (r Real) At(t testing.TB, server *realpartstest.Aimock) llm.Model {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return r.Model(t, server.URL, &http.Client{Transport: transport}, nil)
}

// Says is a response with a text, for 30 tokens of input and 4 of output.
func (r Real) Says(text, finish string) map[string]any {
	response := map[string]any{"content": text, "usage": map[string]any{r.Input: 30, r.Used: 4}}
	if finish != "" {
		response["finishReason"] = finish
	}
	return response
}

func (r Real) says(text string) realpartstest.Fixture {
	return realpartstest.Always(r.Says(text, "stop"))
}

// chaos is a good reply that something is done to.
func (r Real) chaos(kind string, value any) realpartstest.Fixture {
	f := r.says(llmtest.GoodReply)
	f.Chaos = map[string]any{kind: value}
	return f
}

// limited asks to wait.
func limited(seconds int) map[string]any {
	f := realpartstest.Failure(http.StatusTooManyRequests, "slow down")
	f["retryAfter"] = seconds
	return f
}

func (r Real) testConformance(t *testing.T) {
	of := func(f realpartstest.Fixture) func(testing.TB) llm.Model {
		return func(t testing.TB) llm.Model {
			t.Helper()
			return r.At(t, realpartstest.Start(t, []realpartstest.Fixture{f}))
		}
	}
	failing := func(status int, words string) realpartstest.Fixture {
		return realpartstest.Always(realpartstest.Failure(status, words))
	}
	llmtest.Run(t, llmtest.Backend{
		Good:        of(r.says(llmtest.GoodReply)),
		Slow:        of(r.chaos("latencyMs", 30_000)),
		RateLimited: of(realpartstest.Always(limited(7))),
		ServerError: of(failing(http.StatusInternalServerError, "oops")),
		Rejected:    of(failing(http.StatusBadRequest, llmtest.ErrorMessage(Key))),
		Unavailable: of(r.chaos("disconnectRate", 1)),
		Refusal:     of(realpartstest.Always(r.Says("I cannot", r.Refusal))),
		Empty:       of(r.says(" ")), // it takes no fixture without any text
		Cut:         of(realpartstest.Always(r.Says(`{"Answer": "for`, "length"))),
		Key:         Key,
	})
}

func (r Real) testFailures(t *testing.T) {
	good := realpartstest.Always(map[string]any{"content": "hi"})
	for name, c := range map[string]struct {
		fixture realpartstest.Fixture
		env     []string
		kind    error
		status  int
	}{
		"broken JSON":   {r.chaos("malformedRate", 1), nil, llm.ErrUnavailable, 0},
		"wrong key":     {good, []string{"AIMOCK_API_KEYS=another-key"}, llm.ErrRejected, http.StatusUnauthorized},
		"no fixture":    {realpartstest.Fixture{Match: map[string]any{"userMessage": "nobody says that"}, Response: good.Response}, nil, llm.ErrOverloaded, http.StatusServiceUnavailable},
		"only a tool":   {realpartstest.Always(map[string]any{"toolCalls": []any{map[string]any{"name": "f", "arguments": "{}"}}}), nil, llm.ErrEmpty, 0},
		"bad gateway":   {realpartstest.Always(realpartstest.Failure(http.StatusBadGateway, "oops")), nil, llm.ErrUnavailable, http.StatusBadGateway},
		"unknown model": {realpartstest.Always(realpartstest.Failure(http.StatusNotFound, "no such model")), nil, llm.ErrRejected, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			call := CallError(t, r.At(t, realpartstest.Start(t, []realpartstest.Fixture{c.fixture}, c.env...)), Ask("hello"))
			require.ErrorIs(t, call, c.kind)
			assert.Equal(t, c.status, call.Status)
		})
	}
}

// turns are the responses of a round, with others before some of them.
func (r Real) turns(before map[int]map[string]any) (responses []map[string]any) {
	for i, turn := range Turns {
		if first, ok := before[i]; ok {
			responses = append(responses, first)
		}
		responses = append(responses, r.Says(turn, ""))
	}
	return responses
}

// asked is how often the server was asked something, and whether each time with this in
// the request.
func asked(t testing.TB, server *realpartstest.Aimock, with string) (times int) {
	t.Helper()
	for _, call := range server.Journal(t) {
		times++
		assert.Contains(t, string(call.Body), with)
	}
	return times
}

// A host and its agents, through failures that llm.Retry gets over: it waits as long as
// the server asks for.
func (r Real) testRound(t *testing.T) {
	server := realpartstest.Start(t, realpartstest.InOrder(r.turns(map[int]map[string]any{
		1: realpartstest.Failure(http.StatusInternalServerError, "oops"), 3: limited(1),
	})...))
	var waits []time.Duration
	ran := RunRound(t.Context(), t, llm.Retry(r.At(t, server), &llm.RetryOptions{
		Base: -1, OnRetry: func(_ int, wait time.Duration, _ error) { waits = append(waits, wait) },
	}), nil)
	ran.Finishes(t)
	assert.Equal(t, []time.Duration{0, time.Second}, waits)
	assert.Equal(t, llm.Usage{InputTokens: 7 * 30, OutputTokens: 7 * 4}, ran.Result.Usage)
	assert.Equal(t, len(Turns)+2, asked(t, server, "put the table into Excel"))
}

// What that server counts is what a bound is about.
func (r Real) testOverBudget(t *testing.T) {
	server := realpartstest.Start(t, realpartstest.InOrder(r.turns(nil)...))
	ran := RunRound(t.Context(), t, r.At(t, server), &round.Options{MaxTokens: 2*34 + 1})
	require.ErrorIs(t, ran.Err, round.ErrBudget)
	assert.Equal(t, round.OverBudget, ran.Result.Outcome)
	assert.Equal(t, 3*34, ran.Result.Usage.Total())
	assert.Equal(t, 3, asked(t, server, "put the table into Excel"))
}

// A run that is cancelled while that server thinks ends, and does not wait for the
// reply, which would have to be paid for.
func (r Real) testCancelled(t *testing.T) {
	server := realpartstest.Start(t, []realpartstest.Fixture{r.chaos("latencyMs", 30_000)})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel) // it is certainly being asked then
	ran := RunRound(ctx, t, llm.Retry(r.At(t, server), nil), nil)
	require.ErrorIs(t, ran.Err, round.ErrCancelled)
	require.ErrorIs(t, ran.Err, context.Canceled)
	assert.Zero(t, ran.Result.Usage)
}

// A server that is killed while it answers is no answer, at once.
func (r Real) testKilled(t *testing.T) {
	server := realpartstest.Start(t, []realpartstest.Fixture{r.chaos("latencyMs", 30_000)})
	m := r.At(t, server)
	done := make(chan error, 1)
	go func() {
		_, err := llm.Complete(t.Context(), m, Ask("hello"))
		done <- err
	}()
	select { // it is certainly being asked then; an answer now is a mistake
	case err := <-done:
		require.FailNow(t, "answered", "%v", err)
	case <-time.After(300 * time.Millisecond):
	}
	require.NoError(t, server.Process.Kill())
	select {
	case err := <-done:
		require.ErrorIs(t, err, llm.ErrUnavailable)
		assert.True(t, llm.Retryable(err))
		assert.NotContains(t, err.Error(), Key)
	case <-time.After(2 * time.Minute):
		require.FailNow(t, "the call hangs")
	}
	require.ErrorIs(t, CallError(t, m, Ask("hello")), llm.ErrUnavailable, "nobody listens any more")
}
