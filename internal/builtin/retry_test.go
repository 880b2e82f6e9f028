package builtin_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// own is somebody's middleware.
type own struct{ llm.Model }

func (o own) Unwrap() llm.Model { return o.Model }

// A model gets a Retry, unless somebody says how it is retried. Two of them do not multiply, also where the
// inner one cannot be seen.
func TestRetried(t *testing.T) {
	busy := llm.StatusError(503, 0, "busy")
	retry := func(m llm.Model) llm.Model { return llm.Retry(m, &llm.RetryOptions{MaxAttempts: 2}) }
	once := func(m llm.Model) llm.Model { return llm.Retry(m, &llm.RetryOptions{MaxAttempts: 1}) }
	plain := func(m llm.Model) llm.Model { return m }
	refuses := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, llm.ErrRejected })
	for name, c := range map[string]struct {
		around  func(llm.Model) llm.Model
		retries int
		calls   int
	}{
		"by default":                     {plain, 0, 4},
		"another number":                 {plain, 1, 2},
		"none":                           {plain, -1, 1},
		"a Retry of its own":             {retry, 0, 2},
		"a Retry that asks once":         {once, 0, 1},
		"around it a middleware":         {func(m llm.Model) llm.Model { return own{once(m)} }, 0, 1},
		"around it those of llm":         {func(m llm.Model) llm.Model { return llm.Record(llm.Timeout(once(m), -1), nobody) }, 0, 1},
		"it is limited":                  {func(m llm.Model) llm.Model { return llm.Limit(once(m), freely{}) }, 0, 1},
		"one of two models has one":      {func(m llm.Model) llm.Model { return llm.Fallback(once(m), refuses) }, 0, 1},
		"the other has one":              {func(m llm.Model) llm.Model { return llm.Fallback(m, retry(refuses)) }, 0, 1},
		"none of two":                    {func(m llm.Model) llm.Model { return llm.Fallback(m, m) }, 0, 8},
		"a middleware and no Retry":      {func(m llm.Model) llm.Model { return own{m} }, 0, 4},
		"a middleware that shows no one": {func(m llm.Model) llm.Model { return llm.ModelFunc(retry(m).Complete) }, 0, 2},
		"a middleware around nothing":    {func(m llm.Model) llm.Model { return shell{m} }, 0, 4},
	} {
		t.Run(name, func(t *testing.T) {
			replies := make([]any, c.calls)
			for i := range replies {
				replies[i] = busy
			}
			_, err := builtin.Retried(c.around(llmtest.Script(t, replies...)), c.retries).Complete(t.Context(), &llm.Request{})
			require.ErrorIs(t, err, llm.ErrOverloaded)
		})
	}
}

// shell has an Unwrap, and nothing to show.
type shell struct{ llm.Model }

func (shell) Unwrap() llm.Model { return nil }

type freely struct{}

func (freely) WaitN(context.Context, int) error { return nil }

func nobody(*llm.Request, *llm.Response, error) {}

// The model is told that its reply was empty, so it is not asked the same again. An empty reply of
// another model that was asked before does not count.
func TestRetriedLeavesAnEmptyReply(t *testing.T) {
	empty, busy := &llm.CallError{Kind: llm.ErrEmpty}, llm.StatusError(503, 0, "busy")
	_, err := builtin.Retried(llmtest.Script(t, ""), 0).Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrEmpty)

	_, err = builtin.Retried(llm.Fallback(llmtest.Script(t, busy), llmtest.Script(t, empty)), 0).Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrEmpty)

	resp, err := builtin.Retried(llm.Fallback(llmtest.Script(t, empty, "hi"), llmtest.Script(t, busy)), 0).Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)
}
