package scenarios_test

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
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/round"
)

// accounts requires that everything which says how the sub-tasks ended says the same:
// their list, the plan on the blackboard, the progress and what is current.
func accounts(t *testing.T, host *hostagent.Agent) {
	t.Helper()
	board := host.Board()
	want := boarddata.Progress{}
	ended := map[string]plan.Status{}
	for _, s := range board.Subtasks() {
		want.Total++
		switch s.Status {
		case "":
			want.Current, ended[s.ID] = s.ID, plan.Assigned
		case "FINISH":
			want.Finished++
			ended[s.ID] = plan.Finished
		default:
			want.Failed++
			ended[s.ID] = plan.Failed
		}
	}
	shown := map[string]plan.Status{}
	for _, e := range planOf(host) {
		if e.Subtask != "" {
			shown[e.Subtask] = e.Status
		}
	}
	assert.Equal(t, ended, shown, "each sub-task is one of an item")
	progress, _, err := blackboard.NewKey[boarddata.Progress](boarddata.TaskProgress).Get(board)
	require.NoError(t, err)
	assert.Equal(t, want, progress)
	current, there, err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Get(board)
	require.NoError(t, err)
	assert.Equal(t, want.Current, current.ID)
	assert.Equal(t, want.Current != "", there)
}

// However a round ends, or stops, all that says how its sub-tasks ended agrees, and the
// one that was open has the end that it had. The class: all ends, each where control is
// at the application, on its way there, and on its way back.
func TestPlan_AllAccountsAgree(t *testing.T) {
	const came, givenUp = "as it came", "the round was given up"
	ends := func(list ...fsm.Status) []fsm.Status { return list }
	atWork := ends(fsm.Continue, fsm.Continue, fsm.Continue)
	stop := func(transitions int) func(*stage) {
		return func(s *stage) { s.Options.MaxTransitions = transitions }
	}
	small := func(s *stage) { s.Config.Board = blackboard.New(5000) }
	panics := func(place string) {
		if place == "Answer" {
			panic("no answer")
		}
	}
	done := []any{withPlan(status(fsm.Continue), []any{}), finish("done")}
	asks := []any{map[string]any{"Status": "PENDING", "Questions": []string{"Why?"}}}
	for name, tc := range map[string]struct {
		worker  worker
		replies []any // behind the ASSIGN
		set     func(*stage)
		cancel  bool // when the task is handed over
		giveUp  bool
		is      error
		status  string // of the sub-task; "": open
		reason  string
		result  string
	}{
		"finished":               {worker: worker{answer: "done"}, replies: done, status: "FINISH", reason: came, result: `"done"`},
		"failed":                 {worker: worker{script: ends(fsm.Fail)}, replies: asks, is: round.ErrFailed, status: "FAIL", reason: came},
		"an error that it chose": {worker: worker{script: ends(fsm.Error)}, is: round.ErrFault, status: "ERROR", reason: came},
		"an error of the agent":  {worker: worker{script: ends("NOWHERE")}, is: round.ErrFault, status: "ERROR", reason: "has no state"},
		"an error of the host": {
			worker: worker{answer: "done"}, replies: []any{errors.New("it is gone")},
			is: round.ErrFault, status: "FINISH", reason: came, result: `"done"`,
		},
		"given up when it has failed": {
			worker: worker{script: ends(fsm.Fail)}, set: stop(4), is: round.ErrBudget, giveUp: true, status: "FAIL", reason: came,
		},
		"a bound": {worker: worker{script: atWork}, set: stop(3), is: round.ErrBudget},
		"given up at work": {
			worker: worker{script: atWork}, set: stop(3), is: round.ErrBudget, giveUp: true, status: "FAIL", reason: givenUp,
		},
		"given up when it is back": {
			worker: worker{answer: "done"}, set: stop(4), is: round.ErrBudget, giveUp: true, status: "FINISH", reason: came, result: `"done"`,
		},
		"given up on its way": {
			worker: worker{script: atWork}, cancel: true, is: round.ErrCancelled, giveUp: true, status: "FAIL", reason: givenUp,
		},
		"an answer that panics": {worker: worker{at: panics}, is: round.ErrFault, status: "ERROR", reason: "no answer"},
		"an answer that panics, given up": {
			worker: worker{at: panics}, set: stop(4), is: round.ErrBudget, giveUp: true, status: "FAIL", reason: givenUp,
		},
		"a result that the board has no room for": {
			worker: worker{answer: strings.Repeat("x", 5000)}, set: small, is: round.ErrFault, status: "ERROR", reason: "full",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, append([]any{withPlan(assign("0", "a"), planOfTwo)}, tc.replies...)...)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if tc.cancel {
				tc.worker.at = func(string) { cancel(errGoHome) }
			}
			s.employ(&tc.worker)
			if tc.set != nil {
				tc.set(s)
			}
			session := s.session()
			_, err := session.Run(ctx, "draw it")
			require.ErrorIs(t, err, tc.is)
			if tc.giveUp {
				accounts(t, s.Host)
				if _, err := session.Start("something else"); err != nil {
					require.ErrorContains(t, err, "no answer")
				}
			}
			accounts(t, s.Host)
			all := session.Board().Subtasks()
			require.Len(t, all, 1)
			assert.Equal(t, tc.status, all[0].Status)
			assert.Contains(t, all[0].Reason, tc.reason)
			assert.Equal(t, tc.result, string(all[0].Result))
		})
	}
}

// An agent that was done before has a status of then when it is handed another task: a
// round that is given up on the way there must not take the old end for the new one's.
func TestPlan_GivenUpOnTheWayToAnAgentThatWasDone(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "a"), planOfTwo), assign("0", "b"))
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	a := &worker{}
	a.at = func(place string) {
		if place == "Begin" && len(a.tasks) == 2 {
			cancel(errGoHome)
		}
	}
	s.employ(a)
	session := s.session()
	_, err := session.Run(ctx, "draw it")
	require.ErrorIs(t, err, round.ErrCancelled)
	accounts(t, s.Host)
	require.NoError(t, session.Close(t.Context()))
	all := session.Board().Subtasks()
	require.Len(t, all, 2)
	assert.Equal(t, "FAIL", all[1].Status)
	assert.Equal(t, json.RawMessage(nil), all[1].Result)
	accounts(t, s.Host)
}
