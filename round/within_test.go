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
// this one's, which has ended. A higher bound does not let it go on.
func TestAFaultHidesTheOutcomeOfAnotherRound(t *testing.T) {
	inner := newClerk(func(context.Context, *clerk) (fsm.Status, error) { return fsm.Continue, nil })
	waits := newClerk(func(context.Context, *clerk) (fsm.Status, error) { return "", fsm.ErrSuspend })
	fails := newClerk(func(context.Context, *clerk) (fsm.Status, error) { return fsm.Fail, nil })
	for name, c := range map[string]struct {
		inner  fsm.Worker
		hidden error
	}{
		"a bound":   {inner, round.ErrBudget},
		"a failure": {fails, round.ErrFailed},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				within, err := round.New(c.inner, "inner", &round.Options{MaxTransitions: 3})
				if err != nil {
					return "", err
				}
				_, err = within.Run(ctx)
				return fsm.Finish, fmt.Errorf("within: %w", err)
			}), "outer", nil)
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			require.ErrorIs(t, err, round.ErrFault)
			require.NotErrorIs(t, err, c.hidden)
			var budget *round.BudgetError
			require.NotErrorAs(t, err, &budget)
			require.ErrorContains(t, err, "within: ", "its words are there")
			assert.Equal(t, round.Faulted, res.Outcome)
		})
	}
	// What is tried again later because of another round's bound has not reached one.
	later, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		within, err := round.New(inner, "inner", &round.Options{MaxTransitions: 3})
		require.NoError(t, err)
		_, err = within.Run(ctx)
		var other *round.BudgetError
		require.ErrorAs(t, err, &other)
		return fsm.Finish, other // as it is: it looks like one of this round
	}), "outer", &round.Options{SuspendOn: func(err error) bool { return errors.Is(err, round.ErrBudget) }})
	require.NoError(t, err)
	_, err = later.Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
	require.NotErrorIs(t, err, round.ErrBudget)
	var budget *round.BudgetError
	require.NotErrorAs(t, err, &budget)

	// What a suspended round waits for is waited for outside, too.
	r, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		within, err := round.New(waits, "inner", nil)
		if err == nil {
			_, err = within.Run(ctx)
		}
		return fsm.Finish, err
	}), "outer", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
}

// A round that another one's end stops has not reached a bound of its own: it is
// cancelled, and nothing of the other's outcome is found. The class: whatever ends a context.
func TestTheBoundOfAnotherRoundIsNotOurs(t *testing.T) {
	bounded := func(ctx context.Context) error {
		r, err := round.New(newClerk(func(context.Context, *clerk) (fsm.Status, error) { return fsm.Continue, nil }), "other", &round.Options{MaxTransitions: 3})
		require.NoError(t, err)
		_, err = r.Run(ctx)
		require.ErrorIs(t, err, round.ErrBudget)
		return err
	}
	waits := func(ctx context.Context) (fsm.Status, error) {
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
	for name, c := range map[string]struct {
		opts *round.Options
		do   func(ctx context.Context, end context.CancelCauseFunc) (fsm.Status, error)
		want error
	}{
		"the other's bound ends the context": {nil, func(ctx context.Context, end context.CancelCauseFunc) (fsm.Status, error) {
			end(bounded(context.WithoutCancel(ctx)))
			return waits(ctx)
		}, round.ErrCancelled},
		"wrapped": {nil, func(ctx context.Context, end context.CancelCauseFunc) (fsm.Status, error) {
			end(fmt.Errorf("the group ends: %w", bounded(context.WithoutCancel(ctx))))
			return waits(ctx)
		}, round.ErrCancelled},
		"with a panic": {nil, func(ctx context.Context, end context.CancelCauseFunc) (fsm.Status, error) {
			end(nil)
			panic(bounded(context.WithoutCancel(ctx)))
		}, round.ErrCancelled},
		"the other was at fault": {nil, func(ctx context.Context, end context.CancelCauseFunc) (fsm.Status, error) {
			r, err := round.New(newClerk(func(context.Context, *clerk) (fsm.Status, error) { return "", errors.New("broken") }), "other", nil)
			require.NoError(t, err)
			_, err = r.Run(context.WithoutCancel(ctx))
			require.ErrorIs(t, err, round.ErrFault)
			end(err)
			return waits(ctx)
		}, round.ErrCancelled},
		"beside a bound of its own": {&round.Options{MaxDuration: time.Millisecond}, func(ctx context.Context, _ context.CancelCauseFunc) (fsm.Status, error) {
			<-ctx.Done()
			return "", bounded(context.WithoutCancel(ctx))
		}, round.ErrBudget},
	} {
		synctest.Test(t, func(t *testing.T) {
			t.Log(name)
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			r, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) { return c.do(ctx, end) }), "ours", c.opts)
			require.NoError(t, err)
			_, err = r.Run(ctx)
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
		outer, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			r, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) { return waits(ctx) }), "inner", &round.Options{MaxDuration: time.Hour})
			if err == nil {
				_, inner = r.Run(ctx)
			}
			return fsm.Finish, err
		}), "outer", &round.Options{MaxDuration: time.Minute})
		require.NoError(t, err)
		_, err = outer.Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		require.ErrorIs(t, inner, round.ErrCancelled)
		require.NotErrorIs(t, inner, round.ErrBudget)
	})
}
