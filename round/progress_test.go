package round_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/blackboard/plan"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/round"
)

// A step says how far the sub-tasks of its round are, not those of the session.
func TestStepCountsSubtasks(t *testing.T) {
	board := blackboard.New(nil)
	_, err := board.Open(blackboard.Subtask{Text: "of the round before"})
	require.NoError(t, err)

	a := newPuppet("A", fsm.Continue)
	turn := 0
	a.do = func(context.Context) error {
		turn++
		switch turn {
		case 1:
			require.NoError(t, blackboard.Plan.Put(board, plan.Notes("second", "third")))
			_, err := board.Open(blackboard.Subtask{ID: "one", Text: "first"})
			require.NoError(t, err)
		case 2:
			require.NoError(t, board.Close("one", "FAIL", nil, "no"))
			require.NoError(t, board.PutRaw(blackboard.Plan.Name(), json.RawMessage(`42`)))
		}
		return nil
	}
	r, err := round.New(a, "go", &round.Options{Board: board})
	require.NoError(t, err)
	var seen []round.Progress
	var last []byte
	for step, err := range r.Steps(t.Context()) {
		require.NoError(t, err)
		seen = append(seen, step.Progress)
		last, err = json.Marshal(step)
		require.NoError(t, err)
	}
	assert.Contains(t, string(last), `"progress":{"opened":1,"finished":0,"failed":1}`)
	assert.Equal(t, []round.Progress{
		{Opened: 1, Planned: 2, Current: "one"},
		{Opened: 1, Failed: 1}, // and a plan that cannot be read counts nothing
	}, seen)
}

// The reason may quote a reply of any length.
func TestRefusedRepliesAreCut(t *testing.T) {
	steps, err := observe(t, keeper("hunter2", func(ctx context.Context) error {
		trace.From(ctx).Refused(errBang)
		trace.From(ctx).Refused(&fsm.RegisterError{Kind: strings.Repeat("hunter2 ", 1000)})
		return errBang
	}))
	require.Error(t, err)
	require.Len(t, steps[0].Refused, 2)
	assert.Equal(t, "bang", steps[0].Refused[0])
	assert.Less(t, len(steps[0].Refused[1]), 3<<10)
	assert.NotContains(t, steps[0].Refused[1], "hunter2")
	assert.Contains(t, steps[0].Refused[1], "[cut: ")
}
