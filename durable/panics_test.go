package durable_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// What did not return a result is a fault, in a replay and for whoever resumes as well: no
// plug-in is asked once more.
func TestPanicsAreReplayed(t *testing.T) {
	explodes := screen(func(desktop.Command) (desktop.Result, error) { panic("bang") })
	for name, do := range map[string]func(ctx context.Context) error{
		"a model that panics": func(ctx context.Context) error {
			_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { panic("bang") }), &llm.Request{})
			return err
		},
		"a model that says nothing": func(ctx context.Context) error {
			_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, nil }), &llm.Request{})
			return err
		},
		"a command": func(ctx context.Context) error {
			_, err := desktop.Execute(ctx, explodes, desktop.Command{ToolName: "act"})
			return err
		},
		"a person": func(ctx context.Context) error {
			_, err := people.Ask(ctx, people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { panic("bang") }),
				people.Question{ID: "q", Agent: "clerk", Text: "?"}, 0)
			return err
		},
		"a look": func(ctx context.Context) error {
			_, err := desktop.Execute(ctx, explodes, desktop.Command{ToolName: desktop.GetDesktopAppInfo, Looks: true})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			y, times := newTally(t), 0
			errand := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				times++
				return fsm.Finish, do(ctx)
			}
			_, err := y.begin(errand, nil).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrFault)
			_, err = y.replay(errand)
			require.NoError(t, err)
			_, err = y.resume(errand, nil).Round().Run(t.Context())
			require.ErrorIs(t, err, round.ErrFault)
			assert.Equal(t, 2, times, "in the run and in the replay")
		})
	}
}

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
	_, err := y.begin(done, nil).Run(t.Context(), "go")
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
	res, err := y.beginWith(c, nil).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	assert.Equal(t, round.Lost, res.Outcome)
	assert.Empty(t, res.Answer)
	state, err := durable.Look(t.Context(), y.store.Store, "run")
	require.NoError(t, err)
	assert.Equal(t, round.Unfinished, state.Outcome)
}
