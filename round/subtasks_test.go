package round_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// opener is an agent of any kind that opens a sub-task when it works, and keeps an
// account of it.
type opener struct {
	*puppet
	board *blackboard.Board
	told  *[]string
	open  string
	fails error
	own   fsm.Status // how its sub-task ended, where it knows better
	plans func() int
}

var (
	_ fsm.SubtaskCloser = (*opener)(nil)
	_ fsm.Planner       = (*opener)(nil)
)

func newOpener(name string, board *blackboard.Board, told *[]string, script ...fsm.Status) *opener {
	o := &opener{puppet: newPuppet(name, script...), board: board, told: told, plans: func() int { return 0 }}
	o.do = func(context.Context) error {
		if o.open != "" {
			return nil
		}
		s, err := board.Open(blackboard.Subtask{App: name, Text: "work"})
		o.open = s.ID
		return err
	}
	o.set = openerStates
	return o
}

func (o *opener) CloseSubtasks(status fsm.Status, reason string) error {
	*o.told = append(*o.told, fmt.Sprintf("%s %s %s", o.name, status, reason))
	if o.fails != nil {
		err := o.fails
		o.fails = nil
		return err
	}
	if o.open == "" {
		return nil
	}
	if o.own != "" {
		status, reason = o.own, "it knows better"
	}
	return o.board.Close(o.open, string(status), nil, reason)
}

func (o *opener) Planned() int { return o.plans() }

var openerStates = fsm.Table("Opener", []fsm.Row[*opener]{
	{Status: fsm.Continue, Handle: func(o *opener, ctx context.Context) error { return o.play(ctx) }},
	{Status: pass, Handle: func(o *opener, ctx context.Context) error { return o.handOver(ctx) },
		NextState: func(o *opener) fsm.Status { return o.passTo() }, NextAgent: func(o *opener) fsm.Agent { return o.passed1() }},
	{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Error, RoundEnd: true},
}, puppetEdges[:6]...)

// An agent knows better where control is back and it had not come to say so. It is told
// after those that it handed over to, who may have sub-tasks of their own.
func TestAnAgentKnowsBetter(t *testing.T) {
	board, told := blackboard.New(0), []string{}
	outer := newOpener("B", board, &told, pass, fsm.Finish)
	inner := newOpener("A", board, &told, fsm.Fail)
	last := newOpener("C", board, &told, fsm.Finish)
	outer.pass = []fsm.Agent{inner}
	outer.own = "DONE"
	inner.script, inner.pass = []fsm.Status{pass}, []fsm.Agent{last}
	last.do = func(context.Context) error { return errBang }
	_, res, err := path(t, outer, &round.Options{Board: board})
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, []string{"C ERROR bang", "A ERROR bang", "B ERROR bang"}, told[:3])
	statuses := []string{}
	for _, s := range res.Subtasks {
		statuses = append(statuses, s.App+" "+s.Status+" "+s.Reason)
	}
	assert.Equal(t, []string{"B DONE it knows better", "A ERROR bang"}, statuses)
}

// An agent that fails at it, or that keeps no account, leaves nothing open, and what was
// closed stays as it is.
func TestAnAgentThatDoesNotClose(t *testing.T) {
	board, told := blackboard.New(0), []string{}
	a := newOpener("A", board, &told, fsm.Finish)
	a.fails = errBang
	_, res, err := path(t, a, &round.Options{Board: board})
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, round.Faulted, res.Outcome)
	assert.Equal(t, "FAIL the request ended before this sub-task", res.Subtasks[0].Status+" "+res.Subtasks[0].Reason)

	p := newPuppet("A", "NOWHERE")
	p.do = func(context.Context) error {
		s, err := board.Open(blackboard.Subtask{Text: "x"})
		_, left := board.Open(blackboard.Subtask{Text: "y"})
		return errors.Join(err, left, board.Close(s.ID, "FINISH", nil, ""))
	}
	_, res, err = path(t, p, &round.Options{Board: board})
	require.ErrorIs(t, err, round.ErrFault)
	require.Len(t, res.Subtasks, 2, "those of this round")
	assert.Equal(t, "FINISH", res.Subtasks[0].Status)
	assert.Equal(t, "ERROR", res.Subtasks[1].Status)
	assert.Contains(t, res.Subtasks[1].Reason, `has no state "NOWHERE"`)
}

// Agents that another round drives now are not this round's any more: their sub-tasks
// are the other one's.
func TestAgentsOfAnotherRoundAreNotTold(t *testing.T) {
	board, told := blackboard.New(0), []string{}
	a := newOpener("A", board, &told, fsm.Continue, fsm.Fail)
	s := newSession(t, a, &round.Options{Board: board, MaxTransitions: 1})
	_, err := s.Run(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrBudget)
	_, _, err = path(t, a, &round.Options{Board: board})
	require.ErrorIs(t, err, round.ErrFailed)
	require.Len(t, told, 1)
	require.NoError(t, s.Close(t.Context()))
	assert.Len(t, told, 1)
}

// A step says how far the sub-tasks of its round are, not those of the session, and what
// the first agent plans besides.
func TestStepCountsSubtasks(t *testing.T) {
	for name, tc := range map[string]struct {
		plans   func() int
		planned int
	}{
		"a planner":       {func() int { return 2 }, 2},
		"one that panics": {func() int { panic(errBang) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			board := blackboard.New(0)
			_, err := board.Open(blackboard.Subtask{Text: "of the round before"})
			require.NoError(t, err)
			a := newOpener("A", board, &[]string{}, fsm.Continue)
			a.plans = tc.plans
			a.do = func(context.Context) error {
				if len(a.seen) > 1 {
					return board.Close("one", "FAIL", nil, "no")
				}
				_, err := board.Open(blackboard.Subtask{ID: "one", Text: "first"})
				return err
			}
			var seen []round.Progress
			_, _, err = path(t, a, &round.Options{Board: board, Observe: func(s round.Step) { seen = append(seen, s.Progress) }})
			require.NoError(t, err)
			assert.Equal(t, []round.Progress{
				{Opened: 1, Planned: tc.planned, Current: "one"}, {Opened: 1, Planned: tc.planned, Failed: 1},
			}, seen)
		})
	}
}
