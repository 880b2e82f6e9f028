package durable_test

import (
	"context"
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

// A session has its run from Open until the round ends or stops, or somebody closes it. Each stands for
// a way in which it comes to have the run, or to give it back; testdata/runs has others.
func TestWhoHasARun(t *testing.T) {
	open := func(t *testing.T, y *tally, do errand) *round.Session {
		t.Helper()
		s, err := durable.Open(t.Context(), newClerk(do), y.store, "run", nil)
		require.NoError(t, err)
		return s
	}
	for name, do := range map[string]func(t *testing.T, y *tally){
		"opened": func(t *testing.T, y *tally) {
			s := open(t, y, finishes)
			assert.False(t, y.free())
			_, err := s.Continue(t.Context(), "go")
			require.NoError(t, err)
			open(t, y, finishes)
			assert.True(t, y.free(), "it has ended: there is nothing to drive")
		},
		"closed": func(t *testing.T, y *tally) { require.NoError(t, open(t, y, finishes).Close(t.Context())) },
		"driven": func(t *testing.T, y *tally) {
			do := func(context.Context, *clerk) (fsm.Status, error) {
				assert.False(t, y.free()) //nolint:contextcheck // the test looks, not the step
				return fsm.Finish, nil
			}
			_, err := y.begin(do).Run(t.Context(), "go")
			require.NoError(t, err)
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
		"not to be resumed": func(t *testing.T, y *tally) {
			require.NoError(t, y.store.Append(t.Context(), "run", 0, []byte("?")))
			_, err := durable.Open(t.Context(), newClerk(finishes), y.store, "run", nil)
			require.ErrorIs(t, err, store.ErrDamaged)
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			do(t, y)
			assert.True(t, y.free())
		})
	}
}
