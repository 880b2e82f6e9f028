package durable_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// A run is driven by one session: another one can neither resume it meanwhile nor go on
// with it, and does not even call the model.
func TestAResumedRunIsTakenAtOnce(t *testing.T) {
	y := newTally(t)
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) { return fsm.Finish, y.ask(ctx) }
	y.dies(1, do)
	other := y.resume(do)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := other.Round().Run(stopped)
	require.ErrorIs(t, err, round.ErrCancelled)
	calls := 0
	model := llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		calls++
		_, err := other.Round().Run(context.WithoutCancel(ctx))
		assert.ErrorIs(t, err, store.ErrDriven)
		_, err = durable.Open(ctx, newClerk(do), y.store, "run", &durable.Options{Existing: true})
		assert.ErrorIs(t, err, store.ErrDriven)
		return &llm.Response{Text: "x"}, nil
	})
	_, err = y.resume(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		_, err := llm.Complete(ctx, model, &llm.Request{})
		return fsm.Finish, err
	}).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, calls)
	// One that is stale learns that the run is over elsewhere before it calls its model.
	res, err := other.Round().Run(t.Context())
	require.ErrorIs(t, err, store.ErrConflict)
	require.ErrorIs(t, err, round.ErrLost)
	require.NotErrorIs(t, err, round.ErrFault)
	assert.Equal(t, round.Lost, res.Outcome)
	assert.EqualError(t, err, `round: the round could not be recorded: clerk:CONTINUE: "run": store: run "run" ends with record 7, not with 3: another one appended to it`)
	assert.Zero(t, y.calls)
}

// holed is a store that leaves a record out.
type holed struct {
	store.Store
	seq int64
}

func (h holed) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for entry, err := range h.Store.Read(ctx, run, from) {
			if entry.Seq != h.seq && !yield(entry, err) {
				return
			}
		}
	}
}

// A record that is missing in between is damage, whatever kind it was of. Only the end of
// a journal may be missing: nobody can tell that from a process that died.
func TestARecordIsMissing(t *testing.T) {
	y := newTally(t)
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N < 3 {
			return fsm.Continue, y.ask(ctx)
		}
		return fsm.Finish, nil
	}
	_, err := y.begin(do).Run(t.Context(), "go")
	require.NoError(t, err)
	for seq := 1; seq < len(y.kinds()); seq++ {
		st := holed{y.store, int64(seq)}
		_, err := durable.Open(t.Context(), newClerk(do), st, "run", &durable.Options{Existing: true})
		require.ErrorIs(t, err, store.ErrDamaged, seq)
		_, err = durable.Replay(t.Context(), newClerk(do), st, "run", nil)
		require.ErrorIs(t, err, store.ErrDamaged, seq)
		_, err = durable.Look(t.Context(), st, "run")
		require.ErrorIs(t, err, store.ErrDamaged, seq)
	}
	assert.Equal(t, 2, y.calls)
}
