package round_test

import (
	"context"
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
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: pass, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
	fsm.Edge{From: pass, Kind: fsm.AnyKind, To: fsm.Continue, By: fsm.BySystem},
)

// Whoever opened a sub-task is told how it ended, once, whichever way the round went,
// and before the Round looks at the blackboard. The class: all ends of a round.
func TestWhoOpenedASubtaskIsTold(t *testing.T) {
	for name, tc := range map[string]struct {
		script []fsm.Status
		breaks bool
		bound  int
		want   []string
		status string
	}{
		"finished":  {[]fsm.Status{fsm.Finish}, false, 0, []string{"A FAIL the round ended before it"}, "FAIL"},
		"failed":    {[]fsm.Status{fsm.Fail}, false, 0, []string{"A FAIL "}, "FAIL"},
		"at fault":  {[]fsm.Status{fsm.Finish}, true, 0, []string{"A ERROR bang"}, "ERROR"},
		"no state":  {[]fsm.Status{"NOWHERE"}, false, 0, []string{"A ERROR fsm: Opener has no state"}, "ERROR"},
		"given up":  {[]fsm.Status{fsm.Continue}, false, 1, []string{"A FAIL the round was given up: "}, "FAIL"},
		"it stands": {[]fsm.Status{fsm.Continue, fsm.Continue}, false, 1, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			board, told := blackboard.New(nil), []string{}
			a := newOpener("A", board, &told, tc.script...)
			opens := a.do
			a.do = func(ctx context.Context) error {
				if err := opens(ctx); err != nil || !tc.breaks {
					return err
				}
				return errBang
			}
			s := newSession(t, a, &round.Options{Board: board, MaxTransitions: tc.bound})
			_, err := s.Run(t.Context(), "go")
			if tc.bound > 0 {
				require.ErrorIs(t, err, round.ErrBudget)
				require.Empty(t, told, "it can go on")
				require.Empty(t, board.Subtasks()[0].Status)
			}
			if name != "it stands" {
				require.NoError(t, s.Close(t.Context()))
			}
			require.Len(t, told, len(tc.want))
			for i, want := range tc.want {
				assert.Contains(t, told[i], want)
			}
			assert.Equal(t, tc.status, board.Subtasks()[0].Status)
		})
	}
}

// An agent knows better where control is back and it had not come to say so. It is told
// after those that it handed over to, who may have sub-tasks of their own.
func TestAnAgentKnowsBetter(t *testing.T) {
	board, told := blackboard.New(nil), []string{}
	outer := newOpener("B", board, &told, pass, fsm.Finish)
	inner := newOpener("A", board, &told, fsm.Fail)
	last := newOpener("C", board, &told, fsm.Finish)
	outer.pass = []fsm.Agent{inner}
	outer.own = "DONE"
	inner.script, inner.pass = []fsm.Status{pass}, []fsm.Agent{last}
	last.do = func(context.Context) error { return errBang }
	r, err := round.New(outer, "go", &round.Options{Board: board})
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, []string{"C ERROR bang", "A ERROR bang", "B ERROR bang"}, told[:3])
	statuses := []string{}
	for _, s := range res.Subtasks {
		statuses = append(statuses, s.App+" "+s.Status+" "+s.Reason)
	}
	assert.Equal(t, []string{"B DONE it knows better", "A ERROR bang"}, statuses)
}

// An agent that fails at it leaves nothing open, and the round is no success.
func TestAnAgentThatDoesNotClose(t *testing.T) {
	board, told := blackboard.New(nil), []string{}
	a := newOpener("A", board, &told, fsm.Finish)
	a.fails = errBang
	r, err := round.New(a, "go", &round.Options{Board: board})
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, round.Faulted, res.Outcome)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
	assert.Equal(t, "the round ended before it", res.Subtasks[0].Reason)
}

// What others keep under the name of a plan is left alone.
func TestClosingLeavesOtherPlansAlone(t *testing.T) {
	board, told := blackboard.New(nil), []string{}
	require.NoError(t, board.PutRaw("plan", []byte(`[{"id":"a","task":"x","status":"assigned","subtask":"subtask_1"}]`)))
	r, err := round.New(newOpener("A", board, &told), "go", &round.Options{Board: board})
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "FAIL", board.Subtasks()[0].Status)
	raw, _ := board.Raw("plan")
	assert.Contains(t, string(raw), `"assigned"`)
}

// Agents that another round drives now are not this round's any more: their sub-tasks
// are the other one's.
func TestAgentsOfAnotherRoundAreNotTold(t *testing.T) {
	board, told := blackboard.New(nil), []string{}
	a := newOpener("A", board, &told, fsm.Continue, fsm.Fail)
	s := newSession(t, a, &round.Options{Board: board, MaxTransitions: 1})
	_, err := s.Run(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrBudget)
	other, err := round.New(a, "second", &round.Options{Board: board})
	require.NoError(t, err)
	_, err = other.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed)
	require.Len(t, told, 1)
	require.NoError(t, s.Close(t.Context()))
	assert.Len(t, told, 1)
}
