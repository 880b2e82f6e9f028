package round_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// A Handle runs a round of its own and returns its error: that round's outcome is not
// this one's, which has ended. A higher bound does not let it go on. What it waits for is
// waited for outside, too.
func TestAFaultHidesTheOutcomeOfAnotherRound(t *testing.T) {
	waits := doing(func(context.Context) error { return fsm.ErrSuspend })
	for name, c := range map[string]struct {
		inner     fsm.Worker
		wrap      string
		suspendOn error
		want      error
		hidden    error
	}{
		"a bound":   {restless(nil), "within: %w", nil, round.ErrFault, round.ErrBudget},
		"a failure": {newPuppet("A", fsm.Fail), "within: %w", nil, round.ErrFault, round.ErrFailed},
		// What is tried again later because of another round's bound has not reached one.
		"tried again later": {restless(nil), "%w", round.ErrBudget, round.ErrSuspended, round.ErrBudget},
		"a question":        {waits, "%w", nil, round.ErrSuspended, round.ErrFault},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := start(t, func(ctx context.Context) error {
				within, err := round.New(c.inner, "inner", &round.Options{MaxTransitions: 3})
				require.NoError(t, err)
				_, err = within.Run(ctx)
				var own *round.BudgetError
				if c.suspendOn != nil && errors.As(err, &own) {
					return own // as it is: it looks like one of this round
				}
				return fmt.Errorf(c.wrap, err)
			}, &round.Options{SuspendOn: func(err error) bool { return c.suspendOn != nil && errors.Is(err, c.suspendOn) }}).Run(t.Context())
			require.ErrorIs(t, err, c.want)
			require.NotErrorIs(t, err, c.hidden)
			var budget *round.BudgetError
			require.NotErrorAs(t, err, &budget)
			if c.want == round.ErrFault { //nolint:errorlint // of two sentinels
				require.ErrorContains(t, err, "within: ", "its words are there")
			}
		})
	}
}

// A round that another one's end stops has not reached a bound of its own: it is
// cancelled, and nothing of the other's outcome is found. The class: whatever ends a context.
func TestTheBoundOfAnotherRoundIsNotOurs(t *testing.T) {
	other := func(ctx context.Context, w fsm.Worker, want error) error {
		r, err := round.New(w, "other", &round.Options{MaxTransitions: 3})
		require.NoError(t, err)
		_, err = r.Run(context.WithoutCancel(ctx))
		require.ErrorIs(t, err, want)
		return err
	}
	bounded := func(ctx context.Context) error { return other(ctx, restless(nil), round.ErrBudget) }
	waits := func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	for name, c := range map[string]struct {
		opts *round.Options
		do   func(ctx context.Context, end context.CancelCauseFunc) error
		want error
	}{
		"the other's bound ends the context": {nil, func(ctx context.Context, end context.CancelCauseFunc) error {
			end(fmt.Errorf("the group ends: %w", bounded(ctx)))
			return waits(ctx)
		}, round.ErrCancelled},
		"with a panic": {nil, func(ctx context.Context, end context.CancelCauseFunc) error {
			end(nil)
			panic(bounded(ctx))
		}, round.ErrCancelled},
		"the other was at fault": {nil, func(ctx context.Context, end context.CancelCauseFunc) error {
			end(other(ctx, doing(func(context.Context) error { return errBang }), round.ErrFault))
			return waits(ctx)
		}, round.ErrCancelled},
		"beside a bound of its own": {&round.Options{MaxDuration: time.Millisecond}, func(ctx context.Context, _ context.CancelCauseFunc) error {
			<-ctx.Done()
			return bounded(ctx)
		}, round.ErrBudget},
	} {
		synctest.Test(t, func(t *testing.T) {
			t.Log(name)
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			_, err := start(t, func(ctx context.Context) error { return c.do(ctx, end) }, c.opts).Run(ctx)
			require.ErrorIs(t, err, c.want)
			for _, other := range []error{round.ErrFailed, round.ErrFault, round.ErrBudget, round.ErrSuspended, round.ErrCancelled, round.ErrLost} {
				if other != c.want { //nolint:errorlint // of two sentinels
					require.NotErrorIs(t, err, other)
				}
			}
			var budget *round.BudgetError
			if c.want == round.ErrBudget { //nolint:errorlint // likewise
				require.ErrorAs(t, err, &budget)
				assert.Equal(t, "MaxDuration", budget.Bound)
			} else {
				require.NotErrorAs(t, err, &budget)
			}
		})
	}

	// MaxDuration of the round whose Handle runs this one.
	synctest.Test(t, func(t *testing.T) {
		var inner error
		_, err := start(t, func(ctx context.Context) error {
			_, inner = start(t, waits, &round.Options{MaxDuration: time.Hour}).Run(ctx)
			return nil
		}, &round.Options{MaxDuration: time.Minute}).Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		require.ErrorIs(t, inner, round.ErrCancelled)
		require.NotErrorIs(t, inner, round.ErrBudget)
	})
}
