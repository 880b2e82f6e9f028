package scenarios_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

var errBang = errors.New("bang")

// tumbler finishes at its second step, and panics where it is told to.
type tumbler struct {
	fsm.Position
	states *fsm.Manager[*tumbler]
	in     string                          // where, once
	work   func(ctx context.Context) error // what CONTINUE does first; nil: nothing
	next   func() fsm.Agent                // NextAgent of CONTINUE; nil: itself
	to     fsm.Status                      // what CONTINUE decides second; "": FINISH
	steps  int
	began  int
	seen   []fsm.Status // where Handle was called
}

var tumblerRows = []fsm.Row[*tumbler]{
	{Status: fsm.Continue, Handle: (*tumbler).handle, NextState: (*tumbler).nextState, NextAgent: (*tumbler).nextAgent},
	{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true, Handle: (*tumbler).handle},
}

var tumblerEdges = []fsm.Edge{
	{To: fsm.Continue, By: fsm.BySystem},
	{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
}

var tumblerStates = fsm.Table("Tumbler", tumblerRows, tumblerEdges...)

func newTumbler(in string) *tumbler {
	return &tumbler{states: tumblerStates, in: in}
}

func (a *tumbler) at(place string) {
	if a.in == place {
		a.in = ""
		panic(errBang)
	}
}

func (a *tumbler) Name() string    { return "Tumbler" }
func (a *tumbler) States() fsm.Set { return a.states }
func (a *tumbler) Answer() string  { a.at("Answer"); return "up again" }

func (a *tumbler) Begin(context.Context, fsm.Task) error {
	a.began, a.steps = a.began+1, 0
	a.at("Begin")
	return nil
}

func (a *tumbler) handle(ctx context.Context) error {
	a.seen = append(a.seen, a.Status())
	a.at("Handle")
	a.steps++
	if a.steps == 1 {
		a.Decide(fsm.Continue, fsm.BySystem, "once more")
	} else {
		to := a.to
		if to == "" {
			to = fsm.Finish
		}
		a.Decide(to, fsm.BySystem, "enough")
	}
	if a.work != nil {
		return a.work(ctx)
	}
	return nil
}

func (a *tumbler) nextState() fsm.Status { a.at("NextState"); return a.Decision().To }

func (a *tumbler) nextAgent() fsm.Agent {
	a.at("NextAgent")
	if a.next != nil {
		return a.next()
	}
	return a
}

// panicked checks a result that a panic must lead to.
func panicked(t *testing.T, res round.Result, err error, where string) {
	t.Helper()
	require.ErrorIs(t, err, round.ErrFault)
	require.ErrorIs(t, err, errBang, "a value that is an error is found")
	var p *round.PanicError
	require.ErrorAs(t, err, &p)
	assert.Equal(t, errBang, p.Value)
	assert.Contains(t, string(p.Stack), where, "the stack says where")
	assert.Contains(t, err.Error(), "bang")
	assert.NotContains(t, err.Error(), "goroutine", "the stack is not in the text")
	assert.Equal(t, round.Faulted, res.Outcome)
	assert.Equal(t, fsm.Error, res.Status)
	assert.Empty(t, res.Answer)
	assert.Equal(t, err, res.Err)
}

func TestScenario30_PanicOfAnAgent(t *testing.T) {
	for place, from := range map[string]fsm.Status{
		"Begin": fsm.Continue, "Handle": fsm.Continue, "NextState": fsm.Continue, "NextAgent": fsm.Continue, "Answer": "",
	} {
		t.Run(place, func(t *testing.T) {
			a := newTumbler(place)
			var steps []round.Step
			session, err := round.NewSession(a, &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
			require.NoError(t, err)
			res, err := session.Run(t.Context(), "fall")
			panicked(t, res, err, "faults_test.go")
			if from != "" {
				last := steps[len(steps)-1]
				assert.Equal(t, "Tumbler:"+string(from)+" -> Tumbler:ERROR (fault)", last.String())
				assert.NotEmpty(t, last.Reason)
				assert.Equal(t, fsm.Error, a.Status())
				assert.NotContains(t, a.seen, fsm.Error, "the end of a round is not handled")
			}
			steps = nil
			res, err = session.Run(t.Context(), "get up")
			require.NoError(t, err, "the next round works")
			assert.Equal(t, "up again", res.Answer)
			assert.Equal(t, 2, a.began)
			assert.Len(t, steps, 2)
		})
	}
}

// lodger is an agent without States.
type lodger struct{ fsm.Position }

func (l *lodger) Name() string    { return "Lodger" }
func (l *lodger) States() fsm.Set { return (*fsm.Manager[*lodger])(nil) }

// Package round tests each step that cannot be.
func TestScenario31_StepsThatCannotBe(t *testing.T) {
	nobody := func(a fsm.Agent) func() fsm.Agent { return func() fsm.Agent { return a } }
	noState := fsm.NewManager[*tumbler]("NoState", tumblerEdges...)
	for _, row := range tumblerRows {
		require.NoError(t, noState.Register(row.Status, func() fsm.State[*tumbler] {
			if row.Status == fsm.Finish {
				return nil
			}
			return tumblerStates.State(row.Status)
		}))
	}
	for name, c := range map[string]struct {
		a    *tumbler
		is   error
		text string
	}{
		"NextAgent is nil":                  {&tumbler{next: nobody(nil)}, round.ErrAgent, "next agent is nil"},
		"its States are a nil pointer":      {&tumbler{next: nobody(&lodger{})}, round.ErrAgent, "States are nil"},
		"no such status":                    {&tumbler{to: "DANCE"}, fsm.ErrUnknownStatus, `no state "DANCE"`},
		"no such edge":                      {&tumbler{to: fsm.Error}, fsm.ErrNotAllowed, "may not go from CONTINUE to ERROR"},
		"a constructor that gives no state": {&tumbler{states: noState}, fsm.ErrUnknownStatus, `no state "FINISH"`},
	} {
		t.Run(name, func(t *testing.T) {
			if c.a.states == nil {
				c.a.states = tumblerStates
			}
			s := onStage(t)
			_, err := s.drive(c.a, "go").Run(t.Context())
			require.ErrorIs(t, err, round.ErrFault)
			var p *round.PanicError
			assert.NotErrorAs(t, err, &p, "it is found before it breaks anything")
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.text)
			assert.Equal(t, fsm.Continue, s.Steps[len(s.Steps)-1].From, "it did not get there")
			assert.NotContains(t, c.a.seen, fsm.Finish)
		})
	}
}

func TestScenario31_NoFirstAgent(t *testing.T) {
	for name, w := range map[string]fsm.Worker{"nil": nil, "nil pointer": (*tumbler)(nil), "no states": &tumbler{}} {
		_, err := round.New(w, "go", nil)
		require.ErrorIs(t, err, round.ErrAgent, name)
		_, err = round.NewSession(w, nil)
		require.ErrorIs(t, err, round.ErrAgent, name)
	}
}
