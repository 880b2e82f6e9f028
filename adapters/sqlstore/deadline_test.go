package sqlstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// drives is what a worker does with a run whose agent asks, and waits an hour for the answer.
func drives(t *testing.T, s *sqlstore.Store, limit time.Duration, replies ...any) func(context.Context, *sqlstore.Lease) (sqlstore.After, error) {
	model := llmtest.Script(t, replies...)
	return func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
		agent, err := appagent.New(appagent.Config{
			Model: model, Desktop: desktoptest.New(t, &desktoptest.App{Root: "paint", Running: true}), NoImages: true,
			Window: desktop.Window{ID: "1", Root: "paint"}, User: people.Later(), AskTimeout: limit, NewID: func() string { return "q" },
		})
		if err != nil {
			return 0, err
		}
		session, err := durable.Open(ctx, agent, s, l.Run, &durable.Options{TakeOver: l.Tries > 1})
		if err != nil {
			return 0, err
		}
		result, err := session.Continue(ctx, "paint the wall")
		switch {
		case result.Outcome.Ended():
			return sqlstore.Done, nil
		case errors.Is(err, round.ErrSuspended):
			return sqlstore.Wait, nil
		}
		return 0, err
	}
}

const asks = `{"Status": "PENDING", "Questions": ["Which colour?"]}`

// Nobody answers, and nobody calls Wake: a worker goes on with the run when the time for the answer
// is over.
func TestDeadlineWakes(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		ctx, stop := context.WithCancel(t.Context())
		ends := make(chan error)
		drive, driven := drives(t, s, time.Hour, asks), 0
		go func() {
			ends <- s.Work(ctx, sqlstore.WorkOptions{}, func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
				driven++
				return drive(ctx, l)
			})
		}()
		require.NoError(t, s.Enqueue(t.Context(), "wall", nil))
		time.Sleep(59 * time.Minute)
		assert.Equal(t, []string{"wall waiting  0"}, queue(t, s))
		time.Sleep(2 * time.Minute)
		assert.Equal(t, []string{"wall ended  1"}, queue(t, s))
		state, err := durable.Look(t.Context(), s, "wall")
		require.NoError(t, err)
		assert.Equal(t, round.Failed, state.Outcome)
		assert.Equal(t, 2, driven, "not while an answer counts")
		stop()
		require.ErrorIs(t, <-ends, context.Canceled)
	})
}

// A run that waits until a deadline is woken by its answer all the same.
func TestWakeBeforeTheDeadline(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "wall", nil))
		drive := drives(t, s, time.Hour, asks, `{"Status": "FINISH", "Result": "it is blue"}`)
		l := claim(t, s, "w")
		after, err := drive(t.Context(), l)
		require.NoError(t, err)
		require.Equal(t, sqlstore.Wait, after)
		require.NoError(t, l.Wait(t.Context()))
		nothing(t, s)
		assert.Equal(t, []string{"wall waiting  0"}, queue(t, s))
		for q, err := range s.Queue(t.Context()) {
			require.NoError(t, err)
			assert.WithinDuration(t, time.Now().Add(time.Hour), q.Free, time.Minute)
		}
		given, err := durable.Answer(t.Context(), s, "wall", "q", people.Answer{Text: "blue"})
		require.NoError(t, err)
		require.True(t, given)
		require.NoError(t, s.Wake(t.Context(), "wall"))
		after, err = drive(t.Context(), claim(t, s, "w"))
		require.NoError(t, err)
		assert.Equal(t, sqlstore.Done, after)
	})
}

// A question that is overdue when its run comes to Wait wakes nobody again and again: it has expired.
func TestOverdueAtWait(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "wall", nil))
		l := claim(t, s, "w")
		_, err := drives(t, s, time.Hour, asks)(t.Context(), l)
		require.NoError(t, err)
		time.Sleep(2 * time.Hour)
		require.NoError(t, l.Wait(t.Context()))
		state, err := durable.Look(t.Context(), s, "wall")
		require.NoError(t, err)
		assert.Empty(t, state.Waits)
		l = claim(t, s, "w")
		require.NoError(t, l.Wait(t.Context()), "for something else")
		nothing(t, s)
	})
}
