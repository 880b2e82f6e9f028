package durable_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// free reports whether nobody drives the run.
func (y *tally) free() bool {
	y.t.Helper()
	hold, err := y.store.Drive(y.t.Context(), "run", false)
	if err != nil {
		require.ErrorIs(y.t, err, store.ErrDriven)
		return false
	}
	require.NoError(y.t, hold.Release(y.t.Context()))
	return true
}

func finishes(context.Context, *clerk) (fsm.Status, error) { return fsm.Finish, nil }

// A session has its run from Open until the round ends or stops, or somebody closes it. Each stands for
// a way in which it comes to have the run, or to give it back.
func TestWhoHasARun(t *testing.T) {
	suspends := func(context.Context, *clerk) (fsm.Status, error) { return "", errAway }
	open := func(t *testing.T, y *tally, do errand) *round.Session {
		t.Helper()
		s, err := durable.Open(t.Context(), newClerk(do), y.store, "run", nil)
		require.NoError(t, err)
		return s
	}
	for name, do := range map[string]func(t *testing.T, y *tally){
		"a new run": func(t *testing.T, y *tally) {
			s := open(t, y, finishes)
			assert.False(t, y.free())
			_, err := s.Continue(t.Context(), "go")
			require.NoError(t, err)
		},
		"a new run without Open": func(t *testing.T, y *tally) {
			do := func(context.Context, *clerk) (fsm.Status, error) {
				assert.False(t, y.free()) //nolint:contextcheck // the test looks, not the step
				return fsm.Finish, nil
			}
			_, err := y.begin(do).Run(t.Context(), "go")
			require.NoError(t, err)
		},
		"one that ended": func(t *testing.T, y *tally) {
			_, err := y.begin(finishes).Run(t.Context(), "go")
			require.NoError(t, err)
			s := open(t, y, finishes)
			assert.True(t, y.free(), "there is nothing to drive")
			_, err = s.Run(t.Context(), "once more")
			require.NoError(t, err)
		},
		"closed": func(t *testing.T, y *tally) {
			s := open(t, y, finishes)
			require.NoError(t, s.Close(t.Context()))
		},
		"suspended": func(t *testing.T, y *tally) {
			_, err := open(t, y, suspends).Continue(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrSuspended)
		},
		"a loop that was left": func(t *testing.T, y *tally) {
			s := open(t, y, func(context.Context, *clerk) (fsm.Status, error) { return fsm.Continue, nil })
			r, err := s.Start("go")
			require.NoError(t, err)
			for range r.Steps(t.Context()) {
				assert.False(t, y.free())
				break
			}
		},
		"refused": func(t *testing.T, y *tally) {
			_, err := y.begin(suspends).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrSuspended)
			_, err = open(t, y, suspends).Continue(t.Context(), "another request")
			require.ErrorIs(t, err, round.ErrOtherRequest)
		},
		"not to be resumed": func(t *testing.T, y *tally) {
			require.NoError(t, y.store.Append(t.Context(), "run", 0, []byte("?")))
			_, err := durable.Open(t.Context(), newClerk(finishes), y.store, "run", nil)
			require.ErrorIs(t, err, store.ErrDamaged)
		},
		"forgotten": func(t *testing.T, y *tally) {
			open(t, y, finishes)
			for !y.free() && t.Context().Err() == nil {
				runtime.GC()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			do(t, y)
			assert.True(t, y.free())
		})
	}
}

// A take-over is recorded before it does anything, so that the other one is refused from then on. Of a
// run that nobody has it is Open.
func TestTakeOver(t *testing.T) {
	y := newTally(t)
	open := func(how *durable.Options) *round.Session {
		s, err := durable.Open(t.Context(), newClerk(finishes), y.store, "run", how)
		require.NoError(t, err)
		return s
	}
	s := open(&durable.Options{TakeOver: true})
	assert.Nil(t, s.Round())
	require.NoError(t, s.Close(t.Context()))
	y.dies(1, finishes)

	hung := open(nil)
	taken := open(&durable.Options{TakeOver: true})
	assert.Equal(t, []string{"round", "resume"}, y.kinds())
	_, err := hung.Round().Run(t.Context())
	require.ErrorIs(t, err, store.ErrConflict)
	_, err = taken.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"round", "resume", "step", "end"}, y.kinds())
}

// undriven is a store that cannot say who drives a run.
type undriven struct{ store.Store }

var errAsked = errors.New("nobody answers")

func (undriven) Drive(context.Context, string, bool) (store.Hold, error) { return nil, errAsked }

// What cannot be driven is not begun.
func TestDriveFails(t *testing.T) {
	st := undriven{store.Memory()}
	_, err := durable.Open(t.Context(), newClerk(finishes), st, "run", nil)
	require.ErrorIs(t, err, errAsked)
	require.NotErrorIs(t, err, round.ErrLost, "nothing was lost")
}
