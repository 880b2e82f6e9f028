package scenarios_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

var errBang = errors.New("bang")

// bang panics once.
type bang struct{ armed bool }

func (b *bang) here() {
	if b.armed {
		b.armed = false
		panic(errBang)
	}
}

// tumbler finishes at its second step, and panics where it is told to.
type tumbler struct {
	fsm.Position
	states *fsm.Manager[*tumbler]
	in     string // where
	bang   bang
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
	return &tumbler{states: tumblerStates, in: in, bang: bang{armed: true}}
}

func (a *tumbler) at(place string) {
	if a.in == place {
		a.bang.here()
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

// faultStep is the step that a fault makes.
func faultStep(t *testing.T, step round.Step, agent string, from fsm.Status) {
	t.Helper()
	assert.Equal(t, agent+":"+string(from)+" -> "+agent+":ERROR (fault)", step.String())
	assert.Equal(t, fsm.ByFault, step.By)
	assert.Error(t, step.Err)
	assert.NotEmpty(t, step.Reason)
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
				faultStep(t, steps[len(steps)-1], "Tumbler", from)
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

func TestScenario30_PanicOfAnObserver(t *testing.T) {
	for _, at := range []int{1, 2} {
		a := newTumbler("")
		var b bang
		var steps []round.Step
		session, err := round.NewSession(a, &round.Options{Observe: func(s round.Step) {
			steps = append(steps, s)
			if s.Seq == at {
				b.here()
			}
		}})
		require.NoError(t, err)
		b.armed = true
		r, err := session.Start("watch")
		require.NoError(t, err)
		var yielded []string
		var last error
		for step, err := range r.Steps(t.Context()) {
			if last = err; err == nil {
				yielded = append(yielded, step.String())
			}
		}
		panicked(t, r.Result(), last, "faults_test.go")
		assert.Len(t, steps, at, "a broken observer is not called again")
		require.Len(t, yielded, at+1, "the fault is a step of its own")
		assert.Contains(t, yielded[at], "-> Tumbler:ERROR (fault)")
		steps = nil
		_, err = session.Run(t.Context(), "again")
		require.NoError(t, err, "the next round works")
		assert.Len(t, steps, 2, "and is observed")
	}
}

// What other plug-ins do is in testdata/30_plug_ins_panic.txt.
func TestScenario30_PanicOfAPrice(t *testing.T) {
	s := onStage(t, finish("never"), finish("works"))
	b := &bang{armed: true}
	s.Options.Price = func(string, llm.Usage) float64 { b.here(); return 1 }
	session := s.session()
	res, err := session.Run(t.Context(), "break it")
	panicked(t, res, err, "panic(")
	faultStep(t, s.Steps[len(s.Steps)-1], "HostAgent", fsm.Continue)
	assert.Equal(t, 15, res.Usage.Total(), "what was used before counts")
	res, err = session.Run(t.Context(), "once more")
	require.NoError(t, err, "the next round works")
	assert.Equal(t, "works", res.Answer)
}

// lodger is an agent that cannot be driven: by what its States are.
type lodger struct {
	fsm.Position
	states fsm.Set
}

func (l *lodger) Name() string    { return "Lodger" }
func (l *lodger) States() fsm.Set { return l.states }

// copied is an agent that cannot be compared.
type copied struct {
	*lodger
	_ []int
}

func TestScenario31_StepsThatCannotBe(t *testing.T) {
	open := fsm.Edge{From: fsm.Continue, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem}
	noState := fsm.NewManager[*tumbler]("NoState", tumblerEdges...)
	for _, row := range tumblerRows {
		require.NoError(t, noState.Register(row.Status, func() fsm.State[*tumbler] {
			if row.Status == fsm.Finish {
				return nil
			}
			return tumblerStates.State(row.Status)
		}))
	}
	undecided := &tumbler{}
	undecided.work = func(context.Context) error { undecided.Decide("", 0, ""); return nil }
	nobody := func(a fsm.Agent) func() fsm.Agent { return func() fsm.Agent { return a } }
	for name, c := range map[string]struct {
		a    *tumbler
		is   error
		text string
	}{
		"NextAgent is nil":           {&tumbler{next: nobody(nil)}, round.ErrAgent, "next agent is nil"},
		"NextAgent is a nil pointer": {&tumbler{next: nobody((*lodger)(nil))}, round.ErrAgent, "next agent is nil"},
		"its States are nil":         {&tumbler{next: nobody(&lodger{})}, round.ErrAgent, "States are nil"},
		"its States are a nil pointer": {
			&tumbler{next: nobody(&lodger{states: (*fsm.Manager[*lodger])(nil)})}, round.ErrAgent, "States are nil",
		},
		"it cannot be compared": {
			&tumbler{next: nobody(copied{lodger: &lodger{states: tumblerStates}})}, round.ErrAgent, "comparable",
		},
		"it has the same name": {
			&tumbler{next: nobody(newTumbler(""))}, round.ErrAgent, "Tumbler",
		},
		"no such status": {
			&tumbler{to: "DANCE"}, fsm.ErrUnknownStatus, `no state "DANCE"`,
		},
		"nothing is decided": {undecided, fsm.ErrNotAllowed, "nothing was decided"},
		"no such edge": {
			&tumbler{to: fsm.Error}, fsm.ErrNotAllowed, "may not go from CONTINUE to ERROR",
		},
		"no hand-over in the table": {
			&tumbler{states: tumblerStates, next: nobody(&lodger{states: tumblerStates})}, fsm.ErrNotAllowed, "Tumbler.CONTINUE",
		},
		"an agent of another type": {
			&tumbler{states: tumblerStates.With(open), next: nobody(&lodger{states: tumblerStates})}, fsm.ErrAgentType, "was given a *scenarios_test.lodger",
		},
		"a constructor that gives no state": {
			&tumbler{states: noState}, fsm.ErrUnknownStatus, `no state "FINISH"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.a.states == nil {
				c.a.states = tumblerStates
			}
			s := onStage(t)
			res, err := s.drive(c.a, "go").Run(t.Context())
			require.ErrorIs(t, err, round.ErrFault)
			require.ErrorIs(t, err, c.is)
			var p *round.PanicError
			assert.NotErrorAs(t, err, &p, "it is found before it breaks anything")
			assert.Contains(t, err.Error(), c.text)
			assert.Equal(t, round.Faulted, res.Outcome)
			assert.Equal(t, fsm.Error, res.Status)
			last := s.Steps[len(s.Steps)-1]
			assert.Equal(t, fsm.ByFault, last.By)
			assert.Equal(t, fsm.Continue, last.From, "it did not get there")
			assert.NotContains(t, c.a.seen, fsm.Finish)
		})
	}
}

// Where control cannot come back to, it does not go on somewhere else.
func TestScenario31_NoWayBack(t *testing.T) {
	states := fsm.NewManager[*tumbler]("OneWay",
		fsm.Edge{To: "SEND", By: fsm.BySystem},
		fsm.Edge{From: "SEND", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem})
	sends := newTumbler("")
	worker := &namedTumbler{newTumbler("")}
	require.NoError(t, states.AddState("SEND", fsm.Table("OneWay", []fsm.Row[*tumbler]{
		{Status: "SEND", NextState: fsm.To[*tumbler](fsm.Continue), NextAgent: func(*tumbler) fsm.Agent { return worker }},
		{Status: fsm.Continue, RoundEnd: true, Success: true},
	}, fsm.Edge{To: "SEND", By: fsm.BySystem}, fsm.Edge{From: "SEND", To: fsm.Continue, By: fsm.BySystem}).State("SEND")))
	sends.states = states
	res, err := onStage(t).drive(sends, "go").Run(t.Context())
	require.ErrorIs(t, err, fsm.ErrUnknownStatus)
	assert.Contains(t, err.Error(), "OneWay")
	assert.Equal(t, fsm.Error, res.Status)
}

// namedTumbler has another name and, as it embeds a built kind, states of its own.
type namedTumbler struct{ *tumbler }

func (n *namedTumbler) Name() string    { return "Worker" }
func (n *namedTumbler) States() fsm.Set { return namedStates }

var namedStates = fsm.Table("Worker",
	[]fsm.Row[*namedTumbler]{
		{Status: fsm.Continue, NextState: fsm.To[*namedTumbler](fsm.Finish)},
		{Status: fsm.Finish, SubtaskEnd: true},
		{Status: fsm.Error, SubtaskEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem})

func TestScenario31_NoFirstAgent(t *testing.T) {
	for name, w := range map[string]fsm.Worker{"nil": nil, "nil pointer": (*tumbler)(nil), "no states": &tumbler{}} {
		_, err := round.New(w, "go", nil)
		require.ErrorIs(t, err, round.ErrAgent, name)
		_, err = round.NewSession(w, nil)
		require.ErrorIs(t, err, round.ErrAgent, name)
	}
}
