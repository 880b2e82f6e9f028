package durable_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// asks is an errand with the questions q1 and q2.
func asks(user people.User) errand {
	return func(ctx context.Context, c *clerk) (fsm.Status, error) {
		var errs []error
		for _, id := range []string{"q1", "q2"} {
			answer, err := people.Ask(ctx, user, people.Question{ID: id, Agent: "clerk", Text: id + "?"}, 0)
			c.Notes, errs = append(c.Notes, answer.Text), append(errs, err)
		}
		return fsm.Finish, errors.Join(errs...)
	}
}

// waiting is a run that waits for two answers.
func waiting(t *testing.T) *tally {
	t.Helper()
	y := newTally(t)
	_, err := y.begin(asks(people.Later())).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrSuspended)
	return y
}

// answers are those on record, by question: one each.
func (y *tally) answers() map[string]string {
	y.t.Helper()
	answers := map[string]string{}
	for r, err := range durable.Records(y.t.Context(), y.store, "run") {
		require.NoError(y.t, err)
		if r.Kind == "answer" {
			rec, err := records.Read(r.Data)
			require.NoError(y.t, err)
			require.NotContains(y.t, answers, r.ID)
			answers[r.ID] = rec.Answer.Text
		}
	}
	return answers
}

// Of many who answer at once one counts, and all learn who.
func TestTheFirstAnswerCounts(t *testing.T) {
	y := waiting(t)
	var group sync.WaitGroup
	var mu sync.Mutex
	counted := map[string]string{}
	for i := range 20 {
		group.Go(func() {
			id, text := fmt.Sprint("q", i%2+1), fmt.Sprint("person ", i)
			given, err := durable.Answer(context.Background(), y.store, "run", id, people.Answer{Text: text})
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			if given {
				assert.NotContains(t, counted, id)
				counted[id] = text
			}
		})
	}
	group.Wait()
	assert.Len(t, counted, 2)
	assert.Equal(t, counted, y.answers())
}

// overtaken is a store in which somebody else answers just before the first Append.
type overtaken struct {
	store.Store
	first func()
}

func (o *overtaken) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if first := o.first; first != nil {
		o.first = nil
		first()
	}
	return o.Store.Append(ctx, run, after, records...)
}

// Who was overtaken is told so: it is the other one's answer that counts. Where it was
// another question, the answer is tried again, and counts.
func TestWhoIsOvertaken(t *testing.T) {
	for other, want := range map[string]map[string]string{"q1": {"q1": "Ann"}, "q2": {"q1": "Bob", "q2": "Ann"}} {
		y := waiting(t)
		st := &overtaken{Store: y.store, first: func() {
			given, err := durable.Answer(t.Context(), y.store, "run", other, people.Answer{Text: "Ann"})
			require.NoError(t, err)
			require.True(t, given)
		}}
		given, err := durable.Answer(t.Context(), st, "run", "q1", people.Answer{Text: "Bob"})
		require.NoError(t, err)
		assert.Equal(t, other == "q2", given)
		assert.Equal(t, want, y.answers())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBang)
	_, err := durable.Answer(ctx, waiting(t).store, "run", "q1", people.Answer{})
	require.ErrorIs(t, err, errBang)
}

// While somebody drives a run, others look at it, fork it and answer what it asks, in memory and in files.
func TestWhileARunIsDriven(t *testing.T) {
	files, err := store.Files(t.TempDir())
	require.NoError(t, err)
	for _, st := range []store.Store{store.Memory(), files} {
		y := newTally(t)
		y.store.Store = st
		_, err := y.begin(asks(people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
			state, err := durable.Look(ctx, st, "run")
			require.NoError(t, err)
			require.Len(t, state.Waits, 1)
			assert.Equal(t, q.Text, state.Waits[0].Text)
			assert.Equal(t, round.Unfinished, state.Outcome)
			if q.ID == "q1" {
				return people.Answer{Text: "Bob"}, nil
			}
			_, err = durable.Open(ctx, newClerk(nil), st, "run", nil)
			require.ErrorIs(t, err, store.ErrDriven)
			require.NoError(t, durable.Fork(ctx, st, "run", st, "fork", durable.Change{}))
			s, err := durable.Open(ctx, newClerk(asks(people.Later())), st, "fork", nil)
			require.NoError(t, err)
			_, err = s.Round().Run(ctx)
			require.ErrorIs(t, err, round.ErrSuspended, "the fork asks in its turn")
			given, err := durable.Answer(ctx, st, "run", "q2", people.Answer{Text: "tomorrow"})
			require.NoError(t, err)
			assert.True(t, given)
			return people.Answer{Text: "never"}, nil
		}))).Run(t.Context(), "go")
		require.ErrorIs(t, err, store.ErrConflict, "who drove it does nothing more")
		c := newClerk(asks(people.Later()))
		_, err = y.resumeWith(c).Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"Bob", "tomorrow"}, c.Notes)
		assert.Equal(t, map[string]string{"q1": "Bob", "q2": "tomorrow"}, y.answers())
	}
}
