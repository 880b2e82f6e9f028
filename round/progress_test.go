package round_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/round"
)

// A step says how far the sub-tasks of its round are, not those of the session, and what
// the first agent plans besides.
func TestStepCountsSubtasks(t *testing.T) {
	for name, tc := range map[string]struct {
		planned func() int
		want    []round.Progress
	}{
		"no planner": {nil, []round.Progress{{Opened: 1, Current: "one"}, {Opened: 1, Failed: 1}}},
		"a planner": {func() int { return 2 }, []round.Progress{
			{Opened: 1, Planned: 2, Current: "one"}, {Opened: 1, Planned: 2, Failed: 1},
		}},
		"one that panics": {func() int { panic(errBang) }, []round.Progress{{Opened: 1, Current: "one"}, {Opened: 1, Failed: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			board := blackboard.New(nil)
			_, err := board.Open(blackboard.Subtask{Text: "of the round before"})
			require.NoError(t, err)
			a := newOpener("A", board, &[]string{}, fsm.Continue)
			turn := 0
			a.do = func(context.Context) error {
				turn++
				if turn == 1 {
					_, err := board.Open(blackboard.Subtask{ID: "one", Text: "first"})
					return err
				}
				return board.Close("one", "FAIL", nil, "no")
			}
			var w fsm.Worker = a
			if a.plans = tc.planned; tc.planned == nil {
				w = a.puppet
				a.set = puppetStates
			}
			r, err := round.New(w, "go", &round.Options{Board: board})
			require.NoError(t, err)
			var seen []round.Progress
			var last []byte
			for step, err := range r.Steps(t.Context()) {
				require.NoError(t, err)
				seen = append(seen, step.Progress)
				last, err = json.Marshal(step.Progress)
				require.NoError(t, err)
			}
			assert.Equal(t, tc.want, seen)
			if tc.planned == nil {
				assert.Equal(t, `{"opened":1,"finished":0,"failed":1}`, string(last))
			}
		})
	}
}

// The reason may quote a reply of any length.
func TestRefusedRepliesAreCut(t *testing.T) {
	steps, err := observe(t, keeper("hunter2", func(ctx context.Context) error {
		trace.From(ctx).Refused(errBang)
		trace.From(ctx).Refused(errors.New(strings.Repeat("hunter2 ", 1000)))
		return errBang
	}))
	require.Error(t, err)
	require.Len(t, steps[0].Refused, 2)
	assert.Equal(t, "bang", steps[0].Refused[0])
	assert.Less(t, len(steps[0].Refused[1]), 3<<10)
	assert.NotContains(t, steps[0].Refused[1], "hunter2")
	assert.Contains(t, steps[0].Refused[1], "[cut: ")
}
