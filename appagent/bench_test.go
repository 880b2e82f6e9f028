package appagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// idle is an agent with one tool that does nothing, whose model calls it so often.
func idle(t testing.TB, steps int) *appagent.Agent {
	t.Helper()
	desk, err := desktop.New(desktop.Func("noop", "does nothing", func(context.Context, struct{ N int }) (string, error) { return "ok", nil }, nil))
	require.NoError(t, err)
	calls := 0
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		if calls++; calls == steps {
			return &llm.Response{Text: `{"Status": "FINISH", "Comment": "done"}`}, nil
		}
		return &llm.Response{Text: `{"Status": "CONTINUE", "Thought": "on", "Function": "noop", "Args": {"N": 1}}`}, nil
	})
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, NoImages: true})
	require.NoError(t, err)
	return agent
}

// A round of 100 steps: what the library adds to an agent's step. One operation is a round;
// divide by 100 for a step.
func BenchmarkLoop(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		r, err := round.New(idle(b, 100), "do nothing", &round.Options{MaxSteps: -1, MaxTransitions: -1, MaxRepeats: -1})
		require.NoError(b, err)
		res, err := r.Run(b.Context())
		require.NoError(b, err)
		require.Equal(b, 100, res.Steps)
	}
}
