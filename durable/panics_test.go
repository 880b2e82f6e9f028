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
	"github.com/agentfsm/agentfsm/round"
)

// explosive is a store whose Read panics.
type explosive struct{ store.Store }

func (explosive) Read(context.Context, string, int64) iter.Seq2[store.Entry, error] {
	return func(func(store.Entry, error) bool) { panic("bang") }
}

// forgetful is an agent whose Load panics.
type forgetful struct{ *clerk }

func (forgetful) Load(fsm.Saved) error { panic("bang") }

// Panics of a store and of an agent, and a store that is a nil pointer, are errors of
// Resume and Replay.
func TestPanicsWhileAJournalIsRead(t *testing.T) {
	y := newTally(t)
	done := func(context.Context, *clerk) (fsm.Status, error) { return fsm.Finish, nil }
	_, err := y.begin(done).Run(t.Context(), "go")
	require.NoError(t, err)
	var none *explosive
	for name, c := range map[string]struct {
		agent fsm.Worker
		store store.Store
		panic bool
	}{
		"the store":     {newClerk(done), explosive{}, true},
		"the agent":     {forgetful{newClerk(done)}, y.store, true},
		"a nil pointer": {newClerk(done), none, false},
		"nil":           {newClerk(done), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, resumed := durable.Open(t.Context(), c.agent, c.store, "run", &durable.Options{Existing: true})
			_, replayed := durable.Replay(t.Context(), c.agent, c.store, "run", nil)
			for what, err := range map[string]error{"resumed": resumed, "replayed": replayed} {
				require.Error(t, err, what)
				var panicked *round.PanicError
				if c.panic {
					require.ErrorAs(t, err, &panicked, what)
				} else {
					require.NotErrorAs(t, err, &panicked, what)
				}
			}
		})
	}
}

// An answer that could not be recorded is none, although the agent swallows the error.
func TestAnAnswerThatIsNotRecorded(t *testing.T) {
	y := newTally(t)
	c := newClerk(nil)
	c.do = func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		c.answer = func() string { _ = y.ask(ctx); return "done" } // an agent that keeps a context
		return fsm.Finish, nil
	}
	y.store.start(3, false) // round, step, and the call of its Answer
	res, err := y.beginWith(c).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	assert.Equal(t, round.Lost, res.Outcome)
	assert.Empty(t, res.Answer)
	state, err := durable.Look(t.Context(), y.store.Store, "run")
	require.NoError(t, err)
	assert.Equal(t, round.Unfinished, state.Outcome)
}
