package appagent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// loopSteps is how many model calls a round of the benchmark has.
const loopSteps = 100

// noop is a desktop with one tool that does nothing.
type noop struct{}

func (noop) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{
		Name: "noop", Description: "does nothing",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
	}}, nil
}

func (noop) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	return desktop.Result{Status: desktop.Success, CallID: cmd.CallID, Content: []desktop.Content{{Text: "ok"}}}, nil
}

// A round of 100 steps, each one call of a fake model and one tool that does
// nothing: what the library adds to an agent's step. One operation is a round;
// divide by 100 for a step.
func BenchmarkLoop(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		calls := 0
		model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			if calls++; calls == loopSteps {
				return &llm.Response{Text: `{"Status": "FINISH", "Comment": "done"}`}, nil
			}
			return &llm.Response{Text: `{"Status": "CONTINUE", "Function": "noop", "Args": {"n": 1}}`}, nil
		})
		agent, err := appagent.New(appagent.Config{Model: model, Desktop: noop{}})
		require.NoError(b, err)
		r, err := round.New(agent, "do nothing", &round.Options{MaxSteps: -1, MaxTransitions: -1, MaxRepeats: -1})
		require.NoError(b, err)
		res, err := r.Run(b.Context())
		require.NoError(b, err)
		require.Equal(b, loopSteps, res.Steps)
	}
}
