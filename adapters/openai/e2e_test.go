//go:build e2e

package openai_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// The suite against a server that others wrote.
func TestRealConformance(t *testing.T) {
	of := func(f realpartstest.Fixture, extra ...string) func(testing.TB) llm.Model {
		return func(t testing.TB) llm.Model {
			t.Helper()
			return startMock(t, []realpartstest.Fixture{f}, extra...).model(t)
		}
	}
	said := func(text, finish string) realpartstest.Fixture {
		return realpartstest.Always(map[string]any{"content": text, "finishReason": finish})
	}
	chaos := func(kind string, value any) realpartstest.Fixture {
		f := said(llmtest.GoodReply, "stop")
		f.Chaos = map[string]any{kind: value}
		return f
	}
	limited := realpartstest.Failure(http.StatusTooManyRequests, "slow down")
	limited["retryAfter"] = 7
	llmtest.Run(t, llmtest.Backend{
		Good:        of(said(llmtest.GoodReply, "stop")),
		Slow:        of(chaos("latencyMs", 30_000)),
		RateLimited: of(realpartstest.Always(limited)),
		ServerError: of(realpartstest.Always(realpartstest.Failure(http.StatusInternalServerError, "oops"))),
		Rejected:    of(realpartstest.Always(realpartstest.Failure(http.StatusBadRequest, llmtest.ErrorMessage(key)))),
		Unavailable: of(chaos("disconnectRate", 1)),
		Refusal:     of(said("I cannot", "content_filter")),
		Empty:       of(said(" ", "stop")), // it takes no fixture without any text
		Cut:         of(said(`{"Answer": "for`, "length")),
		Key:         key,
	})
}

func TestRealFailures(t *testing.T) {
	good := realpartstest.Always(map[string]any{"content": "hi"})
	broken := good
	broken.Chaos = map[string]any{"malformedRate": 1}
	for name, c := range map[string]struct {
		fixture realpartstest.Fixture
		env     []string
		kind    error
		status  int
	}{
		"broken JSON":   {broken, nil, llm.ErrUnavailable, 0},
		"wrong key":     {good, []string{"AIMOCK_API_KEYS=another-key"}, llm.ErrRejected, http.StatusUnauthorized},
		"no fixture":    {realpartstest.Fixture{Match: map[string]any{"userMessage": "nobody says that"}, Response: good.Response}, nil, llm.ErrOverloaded, http.StatusServiceUnavailable},
		"only a tool":   {realpartstest.Always(map[string]any{"toolCalls": []any{map[string]any{"name": "f", "arguments": "{}"}}}), nil, llm.ErrEmpty, 0},
		"bad gateway":   {realpartstest.Always(realpartstest.Failure(http.StatusBadGateway, "oops")), nil, llm.ErrUnavailable, http.StatusBadGateway},
		"unknown model": {realpartstest.Always(realpartstest.Failure(http.StatusNotFound, "no such model")), nil, llm.ErrRejected, http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			call := callError(t, startMock(t, []realpartstest.Fixture{c.fixture}, c.env...).model(t), ask("hello"))
			require.ErrorIs(t, call, c.kind)
			assert.Equal(t, c.status, call.Status)
		})
	}
}

// What it was sent is what we meant to say.
func TestRealRequest(t *testing.T) {
	server := startMock(t, []realpartstest.Fixture{{
		Match:    map[string]any{"userMessage": "What is this?", "systemMessage": "You answer in JSON", "responseFormat": "json_schema"},
		Response: map[string]any{"content": `{"Answer": "a pixel"}`, "usage": map[string]any{"prompt_tokens": 85, "completion_tokens": 6}},
	}})
	resp, err := llm.Complete(t.Context(), server.model(t), everything(t))
	require.NoError(t, err)
	assert.Equal(t, llm.Response{
		Text: `{"Answer": "a pixel"}`, Model: "gpt-5-mini", FinishReason: "stop", Usage: llm.Usage{InputTokens: 85, OutputTokens: 6},
	}, *resp)

	calls := server.journal(t)
	require.Len(t, calls, 1)
	got := calls[0].Body
	assert.Equal(t, "/v1/chat/completions", calls[0].Path)
	assert.Contains(t, calls[0].Headers["user-agent"], "OpenAI/Go")
	assert.Equal(t, "gpt-5-mini", got.Model)
	assert.Equal(t, 500, got.MaxTokens)
	assert.Equal(t, 0.0, *got.Temperature)
	assert.Equal(t, "answer", got.Format.Schema.Name)
	assert.False(t, got.Format.Schema.Strict)
	assert.JSONEq(t, string(everything(t).Schema.JSON), string(got.Format.Schema.Schema))
	require.Len(t, got.Messages, 4)
	assert.JSONEq(t, `[
		{"type": "text", "text": "What is this?"},
		{"type": "image_url", "image_url": {"url": "data:image/png;base64,AQL6"}},
		{"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lGODlh"}}
	]`, string(got.Messages[3].Content))
}

// A server without structured output is asked in the prompt, and remembered.
func TestRealFallback(t *testing.T) {
	refuses := realpartstest.Fixture{
		Match:    map[string]any{"responseFormat": "json_schema"},
		Response: realpartstest.Failure(http.StatusBadRequest, "This response_format type is unavailable now"),
	}
	reply := realpartstest.Fixture{
		Match:    map[string]any{"systemMessage": "fits this JSON Schema"},
		Response: map[string]any{"content": `{"Answer": "42"}`},
	}
	server := startMock(t, []realpartstest.Fixture{refuses, reply})
	m := server.model(t)
	for range 2 {
		resp, err := llm.Complete(t.Context(), m, structured(t, "how much?"))
		require.NoError(t, err)
		assert.Equal(t, `{"Answer": "42"}`, resp.Text)
	}
	var statuses []int
	for _, c := range server.journal(t) {
		statuses = append(statuses, c.Response.Status)
	}
	assert.Equal(t, []int{http.StatusBadRequest, http.StatusOK, http.StatusOK}, statuses)
}

// A host and its agents, through failures that llm.Retry gets over.
func TestRealRound(t *testing.T) {
	limited := realpartstest.Failure(http.StatusTooManyRequests, "slow down")
	limited["retryAfter"] = 1
	replies := make([]map[string]any, 0, len(turns)+2)
	for i, turn := range turns {
		switch i {
		case 1:
			replies = append(replies, realpartstest.Failure(http.StatusInternalServerError, "oops"))
		case 3:
			replies = append(replies, limited)
		}
		replies = append(replies, map[string]any{"content": turn})
	}
	server := startMock(t, realpartstest.InOrder(replies...))
	result, went, asked := runRound(t, llm.Retry(server.model(t), &llm.RetryOptions{Base: -1}))
	assert.Equal(t, round.Finished, result.Outcome)
	assert.Equal(t, "The table is in Excel.", result.Answer)
	assert.Equal(t, positions, went)
	assert.Equal(t, []string{"replace_file"}, asked)
	assert.Positive(t, result.Usage.OutputTokens)

	calls := server.journal(t)
	require.Len(t, calls, len(turns)+2)
	for _, c := range calls {
		require.NotNil(t, c.Body.Format)
		assert.Equal(t, "json_schema", c.Body.Format.Type)
		last := c.Body.Messages[len(c.Body.Messages)-1]
		assert.Contains(t, string(last.Content), "data:image/png;base64,")
	}
}

// A server that is killed while it answers is no answer, at once.
func TestRealServerKilled(t *testing.T) {
	slow := realpartstest.Always(map[string]any{"content": "hi"})
	slow.Chaos = map[string]any{"latencyMs": 30_000}
	server := startMock(t, []realpartstest.Fixture{slow})
	m := server.model(t)
	done := make(chan error, 1)
	go func() {
		_, err := llm.Complete(t.Context(), m, ask("hello"))
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
	case <-time.After(10 * time.Second):
		require.FailNow(t, "the call hangs")
	}
	require.ErrorIs(t, callError(t, m, ask("hello")), llm.ErrUnavailable, "nobody listens any more")
}
