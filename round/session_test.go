package round_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// The rounds of a session share its blackboard, and what comes later does not change what a
// round came to.
func TestSessionRounds(t *testing.T) {
	a := newPuppet("A", fsm.Finish, fsm.Fail, "NOWHERE", fsm.Finish)
	s := newSession(t, a, nil)
	assert.Nil(t, s.Round())
	a.do = func(context.Context) error {
		_, err := s.Board().Open(blackboard.Subtask{Text: "x"})
		return err
	}
	rounds, results := []*round.Round{}, []round.Result{}
	for i, want := range []round.Outcome{round.Finished, round.Failed, round.Faulted, round.Finished} {
		res, _ := s.Run(t.Context(), "request")
		assert.Equal(t, want, res.Outcome, i)
		assert.Len(t, res.Subtasks, 1, "those of this round")
		assert.Same(t, s.Board(), s.Round().Board())
		rounds, results = append(rounds, s.Round()), append(results, res)
	}
	assert.Len(t, s.Board().Subtasks(), 4)
	assert.Len(t, a.tasks, 4)
	for i, r := range rounds {
		assert.Equal(t, results[i], r.Result())
		again, err := r.Run(t.Context())
		assert.Equal(t, results[i], again)
		assert.Equal(t, results[i].Err, err)
		again.Subtasks[0].Text = "changed"
		assert.Equal(t, "x", r.Result().Subtasks[0].Text, "results are copies")
	}
}

// A round that could have gone on is over when the next one starts.
func TestARoundIsGivenUp(t *testing.T) {
	a := newPuppet("A", fsm.Continue, fsm.Continue)
	s := newSession(t, a, &round.Options{MaxTransitions: 1})
	a.do = func(context.Context) error {
		_, err := s.Board().Open(blackboard.Subtask{Text: "x"})
		return err
	}
	first, err := s.Start("first")
	require.NoError(t, err)
	_, err = first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrBudget)
	assert.Empty(t, first.Result().Subtasks[0].Status, "it can go on")
	second, err := s.Start("second")
	require.NoError(t, err)

	res, err := first.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed, "another one has the agent now")
	require.ErrorIs(t, err, round.ErrBudget, "why it stopped")
	assert.Contains(t, res.Subtasks[0].Reason, "MaxTransitions")

	third, err := s.Start("third")
	require.NoError(t, err)
	res, err = second.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed, "also one that was never run")
	assert.Equal(t, "the round was given up", res.Reason)
	assert.Len(t, a.tasks, 1)
	require.NoError(t, s.Close(t.Context()))
	_, err = third.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed, "and one of a session that was closed")
}

func TestSessionAdjust(t *testing.T) {
	s := newSession(t, newPuppet("A", fsm.Continue, fsm.Continue, fsm.Continue, fsm.Continue), nil)
	r, err := s.Start("first")
	require.NoError(t, err)
	board := s.Board()
	s.Adjust(func(o *round.Options) { o.MaxTransitions, o.Board = 1, blackboard.New(0) })
	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrBudget, "the current round is adjusted too")
	assert.Equal(t, 1, res.Transitions)
	next, err := s.Start("second")
	require.NoError(t, err)
	next.Adjust(func(o *round.Options) { assert.Equal(t, 1, o.MaxTransitions) })
	assert.Same(t, board, s.Board())
	assert.Same(t, board, next.Board())
}

// closer is a host with a clean-up: a Close, and a Handle of FAIL and ERROR.
type closer struct {
	*puppet
	cleaned []fsm.Status
	closed  int
	clean   func(ctx context.Context) error
	breaks  bool // its Close panics
}

func (c *closer) States() fsm.Set { return closerStates }

func (c *closer) Close(context.Context) error {
	c.closed++
	if c.breaks {
		panic(errBang)
	}
	return nil
}

func (c *closer) work(ctx context.Context) error { return c.play(ctx) }

func (c *closer) cleanUp(ctx context.Context) error {
	c.cleaned = append(c.cleaned, c.Status())
	if c.clean != nil {
		return c.clean(ctx)
	}
	return nil
}

var closerStates = fsm.Table("Closer",
	[]fsm.Row[*closer]{
		{Status: fsm.Continue, Handle: (*closer).work},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, Handle: (*closer).cleanUp, NextState: fsm.To[*closer](fsm.Finish), RoundEnd: true},
		{Status: fsm.Error, Handle: (*closer).cleanUp, NextState: fsm.To[*closer](fsm.Finish), RoundEnd: true},
	}, slices.DeleteFunc(slices.Clone(puppetEdges), func(e fsm.Edge) bool { return e.From == pass || e.To == pass })...)

func TestClose(t *testing.T) {
	for to, clean := range map[fsm.Status][]fsm.Status{fsm.Finish: nil, fsm.Fail: {fsm.Fail}, "NOWHERE": {fsm.Error}} {
		t.Run(string(to), func(t *testing.T) {
			host := &closer{puppet: newPuppet("A", to)}
			var steps []round.Step
			s := newSession(t, host, &round.Options{MaxDuration: 1 << 40, Observe: func(s round.Step) { steps = append(steps, s) }})
			before, _ := s.Run(t.Context(), "go")
			d := screen(func(desktop.Command) (desktop.Result, error) { return desktop.TextResult("swept"), nil })
			host.clean = func(ctx context.Context) error {
				_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "sweep"})
				return err
			}
			require.NoError(t, s.Close(t.Context()))
			assert.Equal(t, clean, host.cleaned)
			assert.Equal(t, fsm.Finish, host.Status())
			assert.Equal(t, 1, host.closed)
			if clean != nil {
				last := steps[len(steps)-1]
				assert.Equal(t, "A:"+string(clean[0])+" -> A:FINISH (system)", last.String())
				assert.Equal(t, 2, last.Seq)
				require.Len(t, last.Commands, 1, "what the clean-up does is recorded")
				assert.Equal(t, "sweep", last.Commands[0].Command.ToolName)
			}
			assert.Equal(t, before, s.Round().Result(), "the result stays")
			require.NoError(t, s.Close(t.Context()))
			assert.Equal(t, 1, host.closed, "a session that is closed again does nothing")
			_, err := s.Run(t.Context(), "more")
			require.ErrorIs(t, err, round.ErrClosed)
		})
	}
}

func TestCloseThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		clean     func(context.Context) error
		cancelled bool
		breaks    bool
	}{
		"the clean-up":              {func(context.Context) error { return errBang }, false, false},
		"the clean-up panics":       {func(context.Context) error { panic(errBang) }, false, false},
		"the clean-up is cancelled": {nil, true, false},
		"Close panics":              {nil, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			host := &closer{puppet: newPuppet("A", fsm.Fail), clean: c.clean, breaks: c.breaks}
			s := newSession(t, host, nil)
			_, err := s.Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrFailed)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if c.cancelled {
				cancel(errBang)
			}
			require.ErrorIs(t, s.Close(ctx), errBang)
			assert.Equal(t, 1, host.closed, "it is called whatever the clean-up does")
			if !c.breaks {
				assert.Equal(t, fsm.Fail, host.Status(), "what failed has moved nothing")
			}
		})
	}
}

// A bound holds in the clean-up, and an observer that panics in it is told.
func TestCleanUpIsWatched(t *testing.T) {
	host := &closer{puppet: newPuppet("A", fsm.Fail), clean: askEcho}
	host.do = askEcho
	seen := 0
	s := newSession(t, host, &round.Options{MaxSteps: 1, Observe: func(round.Step) { seen++ }})
	_, err := s.Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrFailed)
	require.ErrorIs(t, s.Close(t.Context()), round.ErrBudget)
	assert.Equal(t, 1, seen)

	host = &closer{puppet: newPuppet("A", fsm.Fail)}
	seen = 0
	s = newSession(t, host, &round.Options{Observe: func(round.Step) {
		if seen++; seen == 2 {
			panic(errBang)
		}
	}})
	_, err = s.Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrFailed)
	require.ErrorIs(t, s.Close(t.Context()), errBang)
}

// A session in which nothing ran closes its host; one whose agent at work is not
// the host takes no clean-up step.
func TestCloseWithoutACleanUp(t *testing.T) {
	host := &closer{puppet: newPuppet("A")}
	s := newSession(t, host, nil)
	require.NoError(t, s.Close(t.Context()))
	assert.Equal(t, 1, host.closed)

	b := newPuppet("B", "NOWHERE")
	a := newPuppet("A", pass)
	a.pass = []fsm.Agent{b}
	s = newSession(t, a, nil)
	res, err := s.Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, "B", res.Agent)
	require.NoError(t, s.Close(t.Context()))
	assert.Equal(t, fsm.Error, b.Status())
}
