package round_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// A step whose effects are done when the context ends is not handled again: the
// next Run only takes the move that is left. Where the end reached a call, the Handle was
// misled, whatever it returns, and is called again.
func TestEffectsAreNotRepeatedOnGoingOn(t *testing.T) {
	for name, c := range map[string]struct {
		pressed error // what the first press comes back with
		handled int
	}{
		"it was done":    {nil, 1},
		"it was reached": {context.Canceled, 2},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			handled := 0
			button := screen(func(desktop.Command) (desktop.Result, error) {
				cancel()
				if handled == 1 {
					return desktop.TextResult("pressed"), c.pressed
				}
				return desktop.TextResult("pressed again"), nil
			})
			a := doing(func(ctx context.Context) error {
				handled++
				_, _ = desktop.Execute(ctx, button, desktop.Command{ToolName: "press"})
				return nil
			})
			var steps []round.Step
			r, err := round.New(a, "press it once", &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
			require.NoError(t, err)
			res, err := r.Run(ctx)
			require.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, round.Cancelled, res.Outcome, "what was cancelled did not finish")
			assert.Equal(t, fsm.Continue, res.Status)
			assert.Empty(t, steps)

			_, err = r.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.handled, handled)
			require.Len(t, steps, 1)
			assert.Equal(t, "A:CONTINUE -> A:FINISH (model)", steps[0].String(), "who was handled, though only the move was left")
			assert.Equal(t, "Puppet", steps[0].Kind)
			assert.Equal(t, c.handled, steps[0].Attempts)
			assert.NotEmpty(t, steps[0].Commands, "what the interrupted attempt did is in the step that came of it")
		})
	}
}

// A Handle that says that it is done is believed, whatever it did: its agent may have noted what came of it.
func TestAFinishedHandleIsNotRepeated(t *testing.T) {
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return &llm.Response{Text: "yes"}, nil })
	think := func(ctx context.Context) error {
		_, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, "go on?")}})
		return err
	}
	list := func(ctx context.Context) error {
		_, err := desktop.Open(ctx, screen(func(desktop.Command) (desktop.Result, error) { return desktop.TextResult("-"), nil }), nil)
		return err
	}
	for name, c := range map[string]struct {
		before, behind func(context.Context) error // the end of the context
		handled        int
	}{
		"it asked its model":       {before: think, handled: 1},
		"it did nothing":           {handled: 1},
		"its model was cut off":    {behind: think, handled: 2},
		"its desktop was cut off":  {behind: list, handled: 2},
		"it listed tools in time":  {before: list, handled: 1},
		"its second call was late": {before: think, behind: think, handled: 2},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			handled := 0
			a := doing(func(ctx context.Context) error {
				if handled++; c.before != nil {
					require.NoError(t, c.before(ctx))
				}
				if cancel(); c.behind != nil && handled == 1 {
					_ = c.behind(ctx)
				}
				return nil
			})
			r, err := round.New(a, "note it once", nil)
			require.NoError(t, err)
			_, err = r.Run(ctx)
			require.ErrorIs(t, err, context.Canceled)
			_, err = r.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.handled, handled)
		})
	}
}

// So it is when the time of the round is over, which no call says to the Handle.
func TestAHandleThatTookTooLongIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := 0
		a := doing(func(context.Context) error {
			handled++
			time.Sleep(time.Hour)
			return nil
		})
		r, err := round.New(a, "note it once", &round.Options{MaxDuration: time.Minute})
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		assert.Equal(t, fsm.Continue, res.Status)
		r.Adjust(func(o *round.Options) { o.MaxDuration = -1 })
		_, err = r.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 1, handled)
	})
}
