package round_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

func TestStepsThatAreNotInTheTable(t *testing.T) {
	to := func(a fsm.Agent) *puppet {
		p := newPuppet("A", pass)
		p.pass = []fsm.Agent{a}
		return p
	}
	elsewhere := to(newPuppet("B"))
	elsewhere.to = fsm.Finish
	noContinue := newPuppet("B")
	noContinue.set = fsm.Table("NoContinue", []fsm.Row[*puppet]{{Status: fsm.Finish, RoundEnd: true}}, fsm.Edge{To: fsm.Finish, By: fsm.BySystem})
	var nobody *puppet
	stateless := newPuppet("B")
	stateless.set = nil
	for name, c := range map[string]struct {
		a  *puppet
		is error
	}{
		"no edge":                         {newPuppet("A", fsm.Error), fsm.ErrNotAllowed},
		"no hand-over to there":           {elsewhere, fsm.ErrNotAllowed},
		"no such status":                  {newPuppet("A", "NOWHERE"), fsm.ErrUnknownStatus},
		"the next agent has no such":      {to(noContinue), fsm.ErrUnknownStatus},
		"nil":                             {to(nil), round.ErrAgent},
		"a nil pointer":                   {to(nobody), round.ErrAgent},
		"an agent without States":         {to(stateless), round.ErrAgent},
		"nothing decided":                 {newPuppet("A", ""), fsm.ErrNotAllowed},
		"an agent of another Go type":     {newPuppet("A", pass), fsm.ErrAgentType},
		"a panic in a hand-over's Name()": {to(mute{newPuppet("B")}), errBang},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "an agent of another Go type" {
				c.a.pass = []fsm.Agent{&struct{ *puppet }{newPuppet("B")}}
			}
			_, res, err := path(t, c.a, nil)
			require.ErrorIs(t, err, round.ErrFault)
			require.ErrorIs(t, err, c.is)
			if errors.Is(err, fsm.ErrAgentType) {
				assert.Equal(t, "B", res.Agent, "it had taken over")
			}
			assert.Equal(t, fsm.Error, res.Status)
		})
	}
}

type mute struct{ *puppet }

func (mute) Name() string { panic(errBang) }

// An agent whose way back is gone is at fault where it ended.
func TestNoWayBack(t *testing.T) {
	a := newPuppet("A")
	a.set = fsm.Table("OneWay", []fsm.Row[*puppet]{
		{Status: "GO", NextState: fsm.To[*puppet](fsm.Continue), NextAgent: (*puppet).next},
		{Status: fsm.Continue, RoundEnd: true, Success: true},
	}, fsm.Edge{To: "GO", By: fsm.BySystem},
		fsm.Edge{From: "GO", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem})
	bare := fsm.NewManager[*puppet]("Bare", a.set.Edges()...)
	require.NoError(t, bare.AddState("GO", a.set.(*fsm.Manager[*puppet]).State("GO")))
	a.set, a.heir = bare, newPuppet("B")
	way, res, err := path(t, a, nil)
	require.ErrorIs(t, err, fsm.ErrUnknownStatus)
	assert.Equal(t, []string{"A:GO", "B:CONTINUE", "B:FINISH", "B:ERROR"}, way)
	assert.Equal(t, "B", res.Agent)
}

// moody panics when it is moved to a status.
type moody struct {
	*puppet
	hates fsm.Status
}

func (m *moody) SetStatus(s fsm.Status) {
	if s == m.hates {
		panic(errBang)
	}
	m.puppet.SetStatus(s)
}
func (m *moody) States() fsm.Set { return moodyStates }

var moodyStates = fsm.Table("Moody",
	[]fsm.Row[*moody]{
		{Status: fsm.Continue, Handle: func(m *moody, ctx context.Context) error { return m.play(ctx) }},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel})

func TestAnAgentThatCannotBeMoved(t *testing.T) {
	for hates, stands := range map[fsm.Status]fsm.Status{fsm.Continue: fsm.Error, fsm.Finish: fsm.Error, fsm.Error: fsm.Continue} {
		m := &moody{puppet: newPuppet("A", fsm.Finish), hates: hates}
		if hates == fsm.Error {
			m.script = []fsm.Status{"NOWHERE"}
		}
		_, res, err := path(t, m, nil)
		require.ErrorIs(t, err, round.ErrFault)
		assert.Equal(t, fsm.Error, res.Status)
		assert.Equal(t, stands, m.Status())
	}
}

// A panic at the moment of a cancellation, or of a bound, is not lost, and the
// position stays.
func TestPanicsThatComeTogetherWithAStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := newPuppet("A")
	a.do = func(context.Context) error { cancel(); panic(errBang) }
	r, err := round.New(a, "go", nil)
	require.NoError(t, err)
	res, err := r.Run(ctx)
	require.ErrorIs(t, err, round.ErrCancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, round.Cancelled, res.Outcome)
	assert.Equal(t, fsm.Continue, a.Status())
}

// What a plug-in is asked under a context that is done, it is not asked.
func TestNothingIsCalledWhenCancelled(t *testing.T) {
	asked := 0
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		asked++
		return nil, nil
	})
	d := screen(func(desktop.Command) (desktop.Result, error) {
		asked++
		return desktop.Result{Status: desktop.Success}, nil
	})
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		asked++
		return people.Answer{}, nil
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	a := newPuppet("A")
	a.do = func(ctx context.Context) error {
		cancel(errBang)
		_, err := llm.Complete(ctx, model, &llm.Request{})
		require.ErrorIs(t, err, errBang)
		_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "x"})
		require.ErrorIs(t, err, errBang)
		_, err = people.Ask(ctx, user, people.Question{}, 0)
		require.ErrorIs(t, err, errBang)
		return nil
	}
	r, err := round.New(a, "go", nil)
	require.NoError(t, err)
	_, err = r.Run(ctx)
	require.ErrorIs(t, err, errBang)
	assert.Zero(t, asked)
}

// After a bound a person is not asked either; a response that is none costs nothing.
func TestAfterABoundNobodyIsAsked(t *testing.T) {
	nothing := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, nil })
	a := newPuppet("A")
	a.do = func(ctx context.Context) error {
		_, err := llm.Complete(ctx, nothing, &llm.Request{})
		require.ErrorIs(t, err, llm.ErrNoResponse)
		require.NoError(t, askEcho(ctx))
		require.ErrorIs(t, askEcho(ctx), round.ErrBudget)
		require.ErrorIs(t, askEcho(ctx), round.ErrBudget, "and it stays reached")
		_, err = people.Ask(ctx, people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
			t.Error("asked")
			return people.Answer{}, nil
		}), people.Question{}, 0)
		return err
	}
	r, err := round.New(a, "go", &round.Options{MaxTokens: 10})
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	bound(t, err)
	assert.Equal(t, 2, res.Calls)
}

// What an agent closed itself stays as it is.
func TestClosedSubtasksStay(t *testing.T) {
	board := blackboard.New(nil)
	a := newPuppet("A")
	a.do = func(context.Context) error {
		s, err := board.Open(blackboard.Subtask{Text: "x"})
		return errors.Join(err, board.Close(s.ID, "FINISH", nil, ""))
	}
	_, res, err := path(t, a, &round.Options{Board: board})
	require.NoError(t, err)
	assert.Equal(t, "FINISH", res.Subtasks[0].Status, "what is closed stays as it is")
}

func TestSessionNeedsADriveableHost(t *testing.T) {
	_, err := round.NewSession(nil, nil)
	require.ErrorIs(t, err, round.ErrAgent)
	a := newPuppet("A")
	s, err := round.NewSession(a, nil)
	require.NoError(t, err)
	a.set = fsm.NewManager[*puppet]("NoStart")
	_, err = s.Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrAgent, "also later")
}

func TestSessionBounds(t *testing.T) {
	for name, opts := range map[string]*round.Options{
		"MaxSessionSteps":  {MaxSessionSteps: 2},
		"MaxSessionTokens": {MaxSessionTokens: 20},
		"MaxSessionCost":   {MaxSessionCost: 2, Price: func(string, llm.Usage) float64 { return 1 }},
	} {
		a := newPuppet("A")
		a.do = askEcho
		s := newSession(t, a, opts)
		for range 2 {
			_, err := s.Run(t.Context(), "go")
			require.NoError(t, err)
		}
		_, err := s.Run(t.Context(), "go")
		assert.Equal(t, name, bound(t, err).Bound)
		s.Round().Adjust(func(o *round.Options) { o.MaxSessionSteps, o.MaxSessionTokens, o.MaxSessionCost = 3, 30, 3 })
		_, err = s.Round().Run(t.Context())
		require.NoError(t, err, "with a higher one it goes on")
	}
}

// nothing is an error whose text cannot be had.
type nothing struct{ text string }

func (n *nothing) Error() string { return n.text }

func TestAFaultWithoutAText(t *testing.T) {
	a := newPuppet("A", fsm.Finish)
	a.do = func(context.Context) error { return (*nothing)(nil) }
	way, res, err := path(t, a, nil)
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, []string{"A:CONTINUE", "A:ERROR"}, way)
	assert.Equal(t, "*round_test.nothing", res.Reason)
}

func TestTwoRoundsOfOneAgent(t *testing.T) {
	a := newPuppet("A", fsm.Finish)
	a.do = func(context.Context) error { return fsm.ErrSuspend }
	first, err := round.New(a, "first", nil)
	require.NoError(t, err)
	_, err = first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
	a.do = nil
	second, err := round.New(a, "second", nil)
	require.NoError(t, err)
	_, err = second.Run(t.Context())
	require.NoError(t, err)
	res, err := first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrAgent)
	assert.Equal(t, round.Faulted, res.Outcome, "the answer to another request is none to this one")
	assert.Empty(t, res.Answer)
}

func TestAPriceThatIsNone(t *testing.T) {
	for _, price := range []float64{math.NaN(), -1, math.Inf(1)} {
		a := newPuppet("A", fsm.Finish)
		a.do = askEcho
		_, _, err := path(t, a, &round.Options{Price: func(string, llm.Usage) float64 { return price }})
		require.ErrorIs(t, err, round.ErrFault)
		require.ErrorContains(t, err, "Options.Price")
	}
}

// A state that returns the error of people.Ask as it is, with nobody to ask, leads to
// FAIL with that reason. What a User says of itself is a fault, as before.
func TestNobodyToAskIsNoFault(t *testing.T) {
	asks := func(user people.User) errand {
		return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			_, err := people.Ask(ctx, user, people.Question{Text: "May I?"}, 0)
			return fsm.Finish, err
		}
	}
	agent := newClerk(asks(nil))
	r, err := round.New(agent, "ask", nil)
	require.NoError(t, err)
	var steps []round.Step
	for step, err := range r.Steps(t.Context()) {
		if step.Agent != "" {
			steps = append(steps, step)
		}
		_ = err
	}
	res := r.Result()
	require.ErrorIs(t, res.Err, round.ErrFailed)
	assert.Equal(t, round.Failed, res.Outcome)
	assert.Equal(t, "there is nobody to ask", res.Reason)
	require.Len(t, steps, 1)
	assert.Equal(t, fsm.Fail, steps[0].To)
	assert.Equal(t, fsm.BySystem, steps[0].By)
	assert.Equal(t, "there is nobody to ask", steps[0].Reason)
	require.NoError(t, steps[0].Err)

	// What stands beside it is a fault, and so is the same in other words.
	disk := errors.New("the disk is full")
	for _, fault := range []error{errors.Join(disk, people.ErrNobody), fmt.Errorf("%w, and %w", disk, people.ErrNobody), fmt.Errorf("ask: %w", people.ErrNobody)} {
		r, err = round.New(newClerk(func(context.Context, *clerk) (fsm.Status, error) { return "", fault }), "ask", nil)
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrFault)
		require.ErrorIs(t, err, fault)
	}

	broken := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{}, fmt.Errorf("the line is dead")
	})
	r, err = round.New(newClerk(asks(broken)), "ask", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFault)
}
