package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// asked is a person who is asked in the process that drives the run.
type asked func(context.Context, people.Question) (people.Answer, error)

func (f asked) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	return f(ctx, q)
}

// While somebody drives a run, others look at it, fork it and answer what it asks. The class:
// what only reads, and what takes the run, of a store in memory and of one in files.
func TestWhileARunIsDriven(t *testing.T) {
	for name, open := range map[string]func(*testing.T) store.Store{
		"memory": func(*testing.T) store.Store { return store.Memory() },
		"files": func(t *testing.T) store.Store {
			s, err := store.Files(t.TempDir(), nil)
			require.NoError(t, err)
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.store = open(t)
			var at []durable.State
			o.user = asked(func(ctx context.Context, q people.Question) (people.Answer, error) {
				state, err := durable.Look(ctx, o.store, "run")
				require.NoError(t, err)
				at = append(at, state)
				if q.Text == "To whom?" {
					return people.Answer{Text: "Bob"}, nil
				}

				_, err = durable.Open(ctx, o.agent(), o.store, "run", nil)
				require.ErrorIs(t, err, store.ErrDriven, "somebody drives it")

				o.user = people.Later()
				require.NoError(t, durable.Fork(ctx, o.store, "run", o.store, "fork", durable.Change{}))
				_, err = o.goOn("fork") //nolint:contextcheck // with the test's own
				require.ErrorIs(t, err, round.ErrSuspended, "the fork asks in its turn")
				fork, err := durable.Look(ctx, o.store, "fork")
				require.NoError(t, err)
				require.NotEmpty(t, fork.Waits)

				given, err := durable.Answer(ctx, o.store, "run", q.ID, people.Answer{Text: "tomorrow"})
				require.NoError(t, err)
				assert.True(t, given)
				return people.Answer{Text: "never"}, nil
			})
			_, err := o.begin()
			require.ErrorIs(t, err, store.ErrConflict, "who drove it does nothing more")
			assert.Equal(t, 1, o.calls)
			assert.Empty(t, o.sent)
			require.Len(t, at, 2)
			for _, state := range at {
				assert.Equal(t, fsm.Pending, state.Status)
				assert.False(t, state.Outcome.Ended())
			}
			require.Len(t, at[1].Waits, 1, "the first one is answered")
			assert.Equal(t, "When?", at[1].Waits[0].Text)

			_, err = o.goOn("run")
			require.ErrorIs(t, err, round.ErrSuspended, "the letter wants an approval")
			var texts []string
			for r, err := range durable.Records(t.Context(), o.store, "run") {
				require.NoError(t, err)
				if r.Kind == "answer" {
					texts = append(texts, answerIn(t, r))
				}
			}
			assert.Equal(t, []string{"Bob", "tomorrow"}, texts)
			for _, q := range o.look("run").Waits {
				_, err := o.answer("run", q.ID, answered)
				require.NoError(t, err)
			}
			res, err := o.goOn("run")
			require.NoError(t, err)
			assert.Equal(t, fsm.Finish, res.Status)
			assert.Equal(t, []string{"Bob"}, o.sent)
		})
	}
}
