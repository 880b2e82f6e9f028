package round_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

func do(ctx context.Context, key string, err error) error {
	_, failed := effects.Do(ctx, key, func(context.Context) (string, error) { return "a token", err })
	return failed
}

// Who reads steps reads what was done under which key, and not what it returned.
func TestStepsHaveEffects(t *testing.T) {
	a := doing(func(ctx context.Context) error {
		return errors.Join(do(ctx, "pay", nil), do(ctx, "refund ACME", errBang), do(ctx, "later", fsm.ErrSuspend))
	})
	var steps []round.Step
	r, err := round.New(a, "go", &round.Options{
		Observe: func(s round.Step) { steps = append(steps, s) },
		Redact:  func(string) string { return "redacted" },
	})
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
	a.do = nil
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, steps, 1)
	require.Len(t, steps[0].Commands, 2, "one that did nothing is none")
	text, err := steps[0].MarshalJSON()
	require.NoError(t, err)
	assert.NotContains(t, string(text), "token")
	assert.Equal(t, "pay", steps[0].Commands[0].Command.ToolName)
	assert.Equal(t, "success", string(steps[0].Commands[0].Result.Status))
	assert.Equal(t, "redacted", steps[0].Commands[1].Result.Error)
}

// What a poll does again and again is no repeat: code decides it.
func TestEffectsAreNoRepeats(t *testing.T) {
	polls := 0
	a := doing(func(ctx context.Context) error {
		polls++
		return do(ctx, "poll", nil)
	})
	for range 40 {
		a.script = append(a.script, fsm.Continue)
	}
	r, err := round.New(a, "go", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 41, polls)
}

// An effect that nobody gives back is not done again: its step is not tried again later, nor handled again.
func TestEffectsAreNotRepeated(t *testing.T) {
	t.Run("after an outage", func(t *testing.T) {
		a := doing(func(ctx context.Context) error { return errors.Join(do(ctx, "pay", nil), errBang) })
		r, err := round.New(a, "go", &round.Options{SuspendOn: func(error) bool { return true }})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrFault)
	})
	t.Run("after a cancelled context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		handled := 0
		a := doing(func(ctx context.Context) error {
			handled++
			_, err := effects.Do(ctx, "pay", func(context.Context) (string, error) {
				cancel()
				return "", nil
			})
			return err
		})
		r, err := round.New(a, "go", nil)
		require.NoError(t, err)
		_, err = r.Run(ctx)
		require.ErrorIs(t, err, round.ErrCancelled)
		_, err = r.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 1, handled, "only its move was left")
	})
	t.Run("after a bound", func(t *testing.T) {
		a := doing(func(ctx context.Context) error {
			assert.NoError(t, askEcho(ctx))
			assert.ErrorIs(t, askEcho(ctx), round.ErrBudget)
			_, err := effects.Do(ctx, "pay", func(context.Context) (string, error) {
				assert.Fail(t, "it is done")
				return "", nil
			})
			return errors.Join(err, effects.WaitUntil(ctx, "w", time.Now().Add(time.Hour)))
		})
		r, err := round.New(a, "go", &round.Options{MaxCalls: 1})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
	})
}

// A wait ends with the time of its round.
func TestWaitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := doing(func(ctx context.Context) error { return effects.WaitUntil(ctx, "w", time.Now().Add(24*time.Hour)) })
		r, err := round.New(a, "go", &round.Options{MaxDuration: time.Hour})
		require.NoError(t, err)
		began := time.Now()
		res, err := r.Run(t.Context())
		assert.Equal(t, "MaxDuration", bound(t, err).Bound)
		assert.Equal(t, time.Hour, time.Since(began))
		assert.Zero(t, res.Wakes)
	})
}
