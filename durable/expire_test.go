package durable_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// asksForAnHour is an errand with the question q, which has an hour.
func asksForAnHour(user people.User) errand {
	return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		_, err := people.Ask(ctx, user, people.Question{ID: "q", Agent: "clerk", Text: "q?"}, time.Hour)
		if errors.Is(err, people.ErrTimeout) {
			return fsm.Fail, nil
		}
		return fsm.Finish, err
	}
}

// Who expires a question learns what counts, however and by whom the question came to its end: as
// Answer says whether an answer counts, so Expire says whether the question expired.
func TestExpireSaysWhatCounts(t *testing.T) {
	says := func(ctx context.Context, in store.Store, text string) (bool, error) {
		return durable.Answer(ctx, in, "run", "q", people.Answer{Text: text})
	}
	nobody := people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
		<-ctx.Done()
		return people.Answer{}, context.Cause(ctx)
	})
	bob := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { return people.Answer{Text: "Bob"}, nil })
	for name, c := range map[string]struct {
		asked   people.User // in the process that asks; nil: later
		before  func(t *testing.T, y *tally)
		during  func(t *testing.T, y *tally) // just before Expire appends
		expired bool
	}{
		"this call expired it": {expired: true},
		"another call did": {before: func(t *testing.T, y *tally) {
			time.Sleep(time.Hour)
			expired, err := durable.Expire(t.Context(), y.store, "run", "q")
			require.NoError(t, err)
			require.True(t, expired)
		}, expired: true},
		"an answer that was late did": {before: func(t *testing.T, y *tally) {
			time.Sleep(time.Hour)
			given, err := says(t.Context(), y.store, "Ann")
			require.ErrorIs(t, err, people.ErrTimeout)
			require.False(t, given)
		}, expired: true},
		"an answer that was late and quicker did": {during: func(t *testing.T, y *tally) {
			given, err := says(t.Context(), y.store, "Ann")
			require.ErrorIs(t, err, people.ErrTimeout)
			require.False(t, given)
		}, expired: true},
		"whoever went on with the run did": {before: func(t *testing.T, y *tally) {
			time.Sleep(time.Hour)
			_, _ = y.resume(asksForAnHour(people.Later())).Round().Run(t.Context())
		}, expired: true},
		"the process that asked did": {asked: nobody, expired: true},
		"it was answered": {before: func(t *testing.T, y *tally) {
			given, err := says(t.Context(), y.store, "Ann")
			require.NoError(t, err)
			require.True(t, given)
		}},
		"it was answered, and the run went on": {before: func(t *testing.T, y *tally) {
			given, err := says(t.Context(), y.store, "Ann")
			require.NoError(t, err)
			require.True(t, given)
			_, err = y.resume(asksForAnHour(people.Later())).Round().Run(t.Context())
			require.NoError(t, err)
		}},
		"it was answered in the process that asked": {asked: bob},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				y := newTally(t)
				user := c.asked
				if user == nil {
					user = people.Later()
				}
				_, _ = y.begin(asksForAnHour(user)).Run(t.Context(), "go")
				if c.before != nil {
					c.before(t, y)
				}
				time.Sleep(2 * time.Hour)
				in := &overtaken{Store: y.store}
				if c.during != nil {
					in.first = func() { c.during(t, y) }
				}
				expired, err := durable.Expire(t.Context(), in, "run", "q")
				require.NoError(t, err)
				assert.Equal(t, c.expired, expired)

				given, err := says(t.Context(), y.store, "Zoe")
				assert.False(t, given)
				assert.Equal(t, c.expired, errors.Is(err, people.ErrTimeout), "both know the same: %v", err)
				assert.Len(t, y.answers(), 1)
			})
		})
	}
}

// A store that does not answer in time has said nothing of the question.
func TestExpireInTime(t *testing.T) {
	y := newTally(t)
	_, err := y.begin(asksForAnHour(people.Later())).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrSuspended)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(people.ErrTimeout)
	expired, err := durable.Expire(ctx, y.store, "run", "q")
	require.ErrorIs(t, err, people.ErrTimeout)
	assert.False(t, expired)
}

// A worker that polls goes on with a run whose questions are all overdue, whoever expires them, and
// leaves one alone that waits for an answer which still counts.
func TestReadyWhenOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newTally(t)
		_, err := y.begin(asksForAnHour(people.Later())).Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrSuspended)
		ready := func() bool {
			state, err := durable.Look(t.Context(), y.store, "run")
			require.NoError(t, err)
			return state.Ready()
		}
		state, err := durable.Look(t.Context(), y.store, "run")
		require.NoError(t, err)
		assert.Equal(t, durable.Waiting, state.Stage)
		assert.WithinDuration(t, time.Now().Add(time.Hour), state.Due, 0)
		time.Sleep(59 * time.Minute)
		assert.False(t, ready(), "an answer still counts")
		time.Sleep(time.Minute)
		assert.True(t, ready(), "none does")
		_, _ = y.resume(asksForAnHour(people.Later())).Round().Run(t.Context())
		assert.False(t, ready(), "it has ended")
	})
}

// One that is asked with a deadline and one without wait for an answer: nobody goes on before.
func TestNotReadyWhileOneWaits(t *testing.T) {
	y := waiting(t)
	state, err := durable.Look(t.Context(), y.store, "run")
	require.NoError(t, err)
	require.Len(t, state.Waits, 2)
	assert.Equal(t, durable.Waiting, state.Stage)
	assert.Zero(t, state.Due)
	assert.False(t, state.Ready())
}

// A run was to wait a second. Then somebody sets the clock back by an hour.
func TestReadyAfterTheClockWasSetBack(t *testing.T) {
	at := time.Now().Add(time.Hour)
	assert.True(t, durable.State{Stage: durable.Waiting, Last: at, Due: at.Add(time.Second)}.Ready())
	now := time.Now()
	assert.False(t, durable.State{Stage: durable.Waiting, Last: now.Add(time.Second), Due: now.Add(time.Minute)}.Ready(), "clocks differ a little")
}

// Who asks to expire a question learns whether it never will, or not yet.
func TestExpireTooEarly(t *testing.T) {
	for timeout, want := range map[time.Duration]string{
		-1:        `durable: the question has no deadline: run "run", question "q"`,
		time.Hour: `durable: the deadline of the question has not passed: run "run", question "q", 2000-01-01T01:00:00Z`,
	} {
		synctest.Test(t, func(t *testing.T) {
			y := newTally(t)
			_, err := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				_, err := people.Ask(ctx, people.Later(), people.Question{ID: "q", Agent: "clerk", Text: "q?"}, timeout)
				return fsm.Finish, err
			}).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrSuspended)
			expired, err := durable.Expire(t.Context(), y.store, "run", "q")
			require.EqualError(t, err, want)
			assert.False(t, expired)
		})
	}
}

// The deadline of a question is the recorded one for everybody, whatever the process that goes on
// would give it.
func TestDeadlineIsTheRecordedOne(t *testing.T) {
	for _, c := range []struct{ first, then time.Duration }{
		{time.Hour, time.Hour}, {time.Hour, time.Minute}, {time.Hour, -1}, {-1, time.Hour}, {0, time.Hour},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var want time.Time
				if c.first > 0 {
					want = time.Now().Add(c.first).UTC()
				}
				y := newTally(t)
				var told people.Question
				asks := func(timeout time.Duration) errand {
					return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
						_, err := people.Ask(ctx, people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
							told = q
							return people.Answer{}, fsm.ErrSuspend
						}), people.Question{ID: "q", Agent: "clerk", Text: "q?"}, timeout)
						return fsm.Finish, err
					}
				}
				_, err := y.begin(asks(c.first)).Run(t.Context(), "go")
				require.ErrorIs(t, err, round.ErrSuspended)
				for range 2 {
					time.Sleep(20 * time.Minute)
					told = people.Question{Deadline: time.Unix(1, 0)}
					res, err := y.resume(asks(c.then)).Round().Run(t.Context())
					require.ErrorIs(t, err, round.ErrSuspended)
					state, err := durable.Look(t.Context(), y.store, "run")
					require.NoError(t, err)
					for _, q := range []people.Question{res.Waits[0], state.Waits[0], told} {
						assert.Equal(t, want, q.Deadline)
					}
				}
			})
		})
	}
}

// A process that waits for the answer itself waits until the recorded deadline.
func TestWaitsUntilTheRecordedDeadline(t *testing.T) {
	for _, now := range []time.Duration{time.Minute, 5 * time.Hour, -1} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			y := newTally(t)
			_, err := y.begin(asksForAnHour(people.Later())).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrSuspended)
			time.Sleep(20 * time.Minute)
			nobody := people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
				<-ctx.Done()
				return people.Answer{}, context.Cause(ctx)
			})
			_, _ = y.resume(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				_, err := people.Ask(ctx, nobody, people.Question{ID: "q", Agent: "clerk", Text: "q?"}, now)
				assert.ErrorIs(t, err, people.ErrTimeout)
				return fsm.Fail, nil
			}).Round().Run(t.Context())
			assert.Equal(t, time.Hour, time.Since(began))
		})
	}
}

// An answer that was given in time counts, however late the run goes on.
func TestAnsweredInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newTally(t)
		_, err := y.begin(asksForAnHour(people.Later())).Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrSuspended)
		given, err := durable.Answer(t.Context(), y.store, "run", "q", people.Answer{Text: "Ann"})
		require.NoError(t, err)
		require.True(t, given)
		time.Sleep(2 * time.Hour)
		res, err := y.resume(asksForAnHour(people.Later())).Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, round.Finished, res.Outcome)
	})
}
