package durable_test

import (
	"context"
	"fmt"
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

// strict is a store that takes nothing under a context that has ended.
type strict struct{ store.Store }

func (s strict) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.Store.Append(ctx, run, after, records...)
}

// What was done in a run that is cancelled meanwhile is recorded all the same.
func TestACancelledRunRecordsWhatItDid(t *testing.T) {
	y := newTally(t)
	ctx, cancel := context.WithCancel(t.Context())
	first := true
	desk := screen(func(desktop.Command) (desktop.Result, error) {
		if first {
			cancel()
		}
		y.done["pay"]++
		return desktop.Result{Status: desktop.Success}, nil
	})
	var results []desktop.Status
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		res, err := desktop.Execute(ctx, desk, desktop.Command{ToolName: "pay"})
		results = append(results, res.Status)
		if err == nil {
			err = y.ask(ctx)
		}
		return fsm.Finish, err
	}
	y.store.Store = strict{y.store.Store}
	y.store.start(4, false) // round, intent, result, and no stop
	_, err := y.begin(do, nil).Run(ctx, "go")
	require.ErrorIs(t, err, round.ErrLost)
	first = false
	_, err = y.resume(do, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, y.done["pay"])
	assert.Equal(t, []desktop.Status{desktop.Success, desktop.Success}, results)
}

// A person's answer is durable before anything is done with it.
func TestAnAnswerIsKeptAtOnce(t *testing.T) {
	y, asked := newTally(t), 0
	var kept []int // appends by then
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		asked++
		return people.Answer{Text: "Ann"}, nil
	})
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		answer, err := people.Ask(ctx, user, people.Question{ID: "q", Agent: "clerk", Text: "Name?"}, 0)
		c.Notes = append(c.Notes, answer.Text)
		kept = append(kept, y.store.count)
		return fsm.Finish, err
	}
	y.dies(4, false, do) // round, ask, answer, and no step
	c := newClerk(do)
	_, err := y.resumeWith(c, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, asked)
	assert.Equal(t, []string{"Ann"}, c.Notes)
	assert.Equal(t, []int{3, 0}, kept, "round, ask, answer; resume goes with the step")
}

// A run is driven by one session: another one can neither resume it meanwhile nor go on
// with it, and does not even call the model.
func TestAResumedRunIsTakenAtOnce(t *testing.T) {
	y := newTally(t)
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) { return fsm.Finish, y.ask(ctx) }
	y.dies(1, true, do)
	other := y.resume(do, nil)
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
	}, nil).Round().Run(t.Context())
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

// A resumed run that stops before it has done anything still has everything to give back,
// in that process and in the next one.
func TestAStopDropsNothing(t *testing.T) {
	for name, again := range map[string]bool{"the same process": false, "another one": true} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				if err := y.ask(ctx); err != nil {
					return "", err
				}
				_, err := y.act(ctx, "pay")
				return fsm.Finish, err
			}
			y.dies(4, true, do) // round, call, intent, result
			s := y.resume(do, nil)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := s.Round().Run(ctx)
			require.ErrorIs(t, err, round.ErrCancelled)
			if again {
				s = y.resume(do, nil)
			}
			_, err = s.Round().Run(t.Context())
			require.NoError(t, err)
			assert.Empty(t, diverged(t, y.store))
			assert.Equal(t, 1, y.calls)
			assert.Equal(t, 1, y.done["pay"])
			_, err = y.replay(do)
			require.NoError(t, err)
		})
	}
}

// An agent that is made to think again gives its question another id. It is known by the
// one that it was asked under, in whatever process.
func TestAQuestionKeepsItsID(t *testing.T) {
	y, n := newTally(t), 0
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		n++
		answer, err := people.Ask(ctx, people.Later(), people.Question{ID: fmt.Sprint("q", n), Agent: "clerk", Text: "Name?"}, 0)
		c.Notes = append(c.Notes, answer.Text)
		return fsm.Finish, err
	}
	s := y.begin(do, nil)
	_, err := s.Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrSuspended)
	for range 2 {
		for range 2 {
			res, err := s.Round().Run(t.Context())
			require.ErrorIs(t, err, round.ErrSuspended)
			require.Len(t, res.Waits, 1)
			assert.Equal(t, "q1", res.Waits[0].ID)
		}
		stopped := s.Round().Result()
		s = y.resume(do, nil)
		restored := s.Round().Result()
		require.ErrorIs(t, restored.Err, round.ErrSuspended)
		require.ErrorIs(t, restored.Err, fsm.ErrSuspend)
		assert.Equal(t, stopped.Outcome, restored.Outcome)
		assert.Equal(t, stopped.Waits, restored.Waits)
	}
	require.NoError(t, s.Close(t.Context()))
	state, err := durable.Look(t.Context(), y.store, "run")
	require.NoError(t, err)
	require.Len(t, state.Waits, 1)
	given, err := durable.Answer(t.Context(), y.store, "run", "q1", people.Answer{Text: "Ann"})
	require.NoError(t, err)
	require.True(t, given)
	c := newClerk(do)
	_, err = y.resumeWith(c, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Contains(t, c.Notes, "Ann")
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
	_, err := y.begin(do, nil).Run(t.Context(), "go")
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
