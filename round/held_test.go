package round_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// press is a desktop that counts what reaches it, and calls back behind it.
type press struct {
	times int
	after func()
	err   error
}

func (p *press) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (p *press) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	p.times++
	p.after()
	return desktop.TextResult("pressed"), p.err
}

// A step whose effects are done when the context ends is not handled again: the
// next Run only takes the move that is left.
func TestEffectsAreNotRepeatedOnGoingOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	button := &press{after: cancel}
	a := newPuppet("A", fsm.Finish)
	handled := 0
	a.do = func(ctx context.Context) error {
		handled++
		_, err := desktop.Execute(ctx, button, desktop.Command{ToolName: "press"})
		return err
	}
	var steps []round.Step
	r, err := round.New(a, "press it once", &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
	require.NoError(t, err)
	res, err := r.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, round.Cancelled, res.Outcome, "what was cancelled did not finish")
	assert.Equal(t, fsm.Continue, res.Status)
	assert.Empty(t, steps)

	res, err = r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	assert.Equal(t, 1, handled)
	assert.Equal(t, 1, button.times)
	require.Len(t, steps, 1)
	assert.Equal(t, "A:CONTINUE", steps[0].Agent+":"+string(steps[0].From), "who was handled, though only the move was left")
	assert.Equal(t, "Puppet", steps[0].Kind)
	assert.Equal(t, 1, steps[0].Attempts, "it was handled once")
	assert.Len(t, steps[0].Commands, 1, "what the interrupted attempt did is in the step that came of it")
}

// Where the end of the context reached a call, the Handle was misled, whatever
// it returns, and is called again.
func TestADisturbedHandleIsCalledAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	button := &press{after: cancel, err: context.Canceled}
	a := newPuppet("A", fsm.Finish)
	handled := 0
	a.do = func(ctx context.Context) error {
		handled++
		_, _ = desktop.Execute(ctx, button, desktop.Command{ToolName: "press"})
		button.err = nil
		return nil
	}
	r, err := round.New(a, "press it", nil)
	require.NoError(t, err)
	_, err = r.Run(ctx)
	require.ErrorIs(t, err, round.ErrCancelled)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, handled)
}
