package round_test

import (
	"context"
	"errors"
	"sync"
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

// The iterator says an end once more, and takes no step.
func TestStepsAfterTheEnd(t *testing.T) {
	for _, to := range []fsm.Status{fsm.Finish, fsm.Fail, "NOWHERE"} {
		a := newPuppet("A", to)
		r, err := round.New(a, "go", nil)
		require.NoError(t, err)
		assert.Equal(t, round.Result{Agent: "A", Status: fsm.Continue}, r.Result(), "before the start")
		_, firstErr := r.Run(t.Context())
		var steps []round.Step
		var last error
		for step, err := range r.Steps(t.Context()) {
			steps, last = append(steps, step), err
		}
		assert.Equal(t, firstErr, last)
		assert.Len(t, steps, map[bool]int{true: 0, false: 1}[firstErr == nil], "at most the pair with the error")
		assert.Len(t, a.tasks, 1)
	}
}

// Whoever leaves the loop, or panics in its body, may go on.
func TestLeavingTheLoop(t *testing.T) {
	a := newPuppet("A", fsm.Continue, fsm.Continue)
	r, err := round.New(a, "go", nil)
	require.NoError(t, err)
	for range r.Steps(t.Context()) {
		break
	}
	res := r.Result()
	assert.Equal(t, round.Unfinished, res.Outcome)
	assert.Equal(t, 1, res.Transitions)
	require.NoError(t, res.Err)
	assert.Panics(t, func() {
		for range r.Steps(t.Context()) {
			panic("in the body of the loop")
		}
	})
	res, err = r.Run(t.Context())
	require.NoError(t, err, "it is not busy")
	assert.Equal(t, 3, res.Transitions)
	assert.Len(t, a.tasks, 1, "the task is given once")
}

func TestBusy(t *testing.T) {
	a := newPuppet("A", fsm.Continue)
	var r *round.Round
	var session *round.Session
	asked := 0
	a.do = func(ctx context.Context) error {
		asked++
		res, err := r.Run(ctx)
		assert.Equal(t, round.ErrBusy, err)
		assert.Equal(t, round.Result{}, res)
		for _, err := range r.Steps(ctx) {
			assert.Equal(t, round.ErrBusy, err)
		}
		assert.Equal(t, round.ErrBusy, session.Close(ctx))
		_, err = session.Start("another")
		assert.Equal(t, round.ErrBusy, err)
		return nil
	}
	session, err := round.NewSession(a, nil)
	require.NoError(t, err)
	r, err = session.Start("go")
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, asked)
	assert.NoError(t, session.Close(t.Context()), "what was busy is not closed")
}

// A panic whose value happens to be ErrSuspend is a panic, also of a round inside.
func TestAPanicDoesNotSuspend(t *testing.T) {
	inner := newPuppet("Inner")
	inner.do = func(context.Context) error { panic(fsm.ErrSuspend) }
	outer := newPuppet("Outer")
	outer.do = func(ctx context.Context) error {
		r, err := round.New(inner, "go", nil)
		require.NoError(t, err)
		_, err = r.Run(ctx)
		return err
	}
	_, res, err := path(t, outer, nil)
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, round.Faulted, res.Outcome)
}

// What a first state that ends is given is a new task, and what it answers no
// answer of before.
func TestAnAgentThatEndsAtOnce(t *testing.T) {
	a := newPuppet("A")
	a.set = fsm.Table("AtOnce", []fsm.Row[*puppet]{{Status: fsm.Finish, RoundEnd: true}}, fsm.Edge{To: fsm.Finish, By: fsm.BySystem})
	r, err := round.New(a, "go", nil)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	res, err := r.Run(ctx)
	require.NoError(t, err)
	assert.Zero(t, res.Transitions)
	assert.Equal(t, fsm.Finish, a.Status())
	assert.Len(t, a.tasks, 1)

	cancel()
	r, err = round.New(failsToBegin{a}, "go", nil)
	require.NoError(t, err)
	_, err = r.Run(ctx)
	require.ErrorIs(t, err, round.ErrCancelled)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFault, "it was not begun, so it is begun now")
	require.ErrorIs(t, err, errBang)
}

type failsToBegin struct{ *puppet }

func (failsToBegin) Begin(context.Context, fsm.Task) error { return errBang }

// A broken observer ends also a round whose agent would recover, and one whose loop was
// left. It is not called for the clean-up.
func TestABrokenObserverEndsTheRound(t *testing.T) {
	called := 0
	opts := &round.Options{Observe: func(round.Step) { called++; panic(errBang) }}
	a := newPuppet("A")
	a.set = recovering
	s := newSession(t, a, opts)
	res, err := s.Run(t.Context(), "go")
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, fsm.Error, res.Status)
	require.NoError(t, s.Close(t.Context()))
	assert.Equal(t, 1, called)

	r, err := round.New(newPuppet("A"), "go", opts)
	require.NoError(t, err)
	for range r.Steps(t.Context()) {
		break
	}
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, errBang)
}

// A fault that the observer does not survive: both are told.
func TestTwoFaults(t *testing.T) {
	first := errors.New("first")
	_, _, err := path(t, doing(func(context.Context) error { return first }), &round.Options{Observe: func(round.Step) { panic(errBang) }})
	require.ErrorIs(t, err, first)
	require.ErrorIs(t, err, errBang)
}

// A round that has stopped is at fault when another one drove its agent since.
func TestTwoRoundsOfOneAgent(t *testing.T) {
	a := doing(func(context.Context) error { return fsm.ErrSuspend })
	first, err := round.New(a, "first", nil)
	require.NoError(t, err)
	_, err = first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
	a.do = nil
	_, _, err = path(t, a, nil)
	require.NoError(t, err)
	res, err := first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrAgent)
	assert.Equal(t, round.Faulted, res.Outcome)
	assert.Empty(t, res.Answer, "the answer to another request is none to this one")
}

// The blackboard is the agent's, else the one of the options, else a new one.
func TestBoard(t *testing.T) {
	mine, its := blackboard.New(0), blackboard.New(0)
	a := hasBoard{newPuppet("A"), its}
	for _, c := range []struct {
		w    fsm.Worker
		opts *round.Options
		want *blackboard.Board
	}{{a, nil, its}, {a, &round.Options{Board: its}, its}, {a.puppet, &round.Options{Board: mine}, mine}, {a.puppet, nil, nil}} {
		r, err := round.New(c.w, "go", c.opts)
		require.NoError(t, err)
		if c.want == nil {
			assert.NotNil(t, r.Board())
			continue
		}
		assert.Same(t, c.want, r.Board())
	}
	_, err := round.New(a, "go", &round.Options{Board: mine})
	require.ErrorIs(t, err, round.ErrAgent, "sub-tasks on one would not be seen on the other")
}

type hasBoard struct {
	*puppet
	board *blackboard.Board
}

func (h hasBoard) Board() *blackboard.Board { return h.board }

// Several goroutines of one Handle may call everything that is metered.
func TestCallsFromSeveralGoroutines(t *testing.T) {
	a := newPuppet("A")
	d := screen(func(cmd desktop.Command) (desktop.Result, error) { return desktop.TextResult("done"), nil })
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: "yes"}, nil
	})
	a.do = func(ctx context.Context) error {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, err := llm.Complete(ctx, echo, &llm.Request{})
				assert.NoError(t, err)
				_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "x"})
				assert.NoError(t, err)
				_, err = people.Ask(ctx, user, people.Question{ID: "q", Text: "?"}, 0)
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		return nil
	}
	var steps []round.Step
	_, res, err := path(t, a, &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
	require.NoError(t, err)
	assert.Equal(t, 8, res.Calls)
	assert.Equal(t, 80, res.Usage.Total())
	assert.Equal(t, 1, res.Steps)
	require.Len(t, steps, 1)
	assert.Len(t, steps[0].Commands, 8)
	assert.Len(t, steps[0].Asks, 8)
	assert.Equal(t, "echo", steps[0].Model)
}

// A request without a text is no request, of whatever kind the agent is.
func TestNoRequest(t *testing.T) {
	for _, request := range []string{"", " \n\t"} {
		_, err := round.New(newPuppet("A"), request, nil)
		require.ErrorIs(t, err, round.ErrNoRequest)
		s, err := round.NewSession(newPuppet("A"), nil)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), request)
		require.ErrorIs(t, err, round.ErrNoRequest)
		assert.Nil(t, s.Round())
	}
}
