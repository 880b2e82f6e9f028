package durable_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// approval has a person asked before something is paid.
func approval(ctx context.Context, user people.User, id string, timeout time.Duration) (granted bool, err error) {
	ap := acting.NewApproval(id, acting.Act{Command: desktop.Command{ToolName: "pay"}}, "money")
	d, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: user, Agent: "clerk", Timeout: timeout}, "")
	return d.To == fsm.Continue, err
}

// A yes that came when its time was up did not count, and does not count for whoever
// resumes or replays.
func TestALateYesIsNone(t *testing.T) {
	for name, crash := range map[string]bool{"resumed": true, "replayed": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				y, asked := newTally(t), 0
				slow := people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
					asked++
					<-ctx.Done()
					return people.Answer{Approved: true}, nil
				})
				do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
					granted, err := approval(ctx, slow, "id", time.Minute)
					switch {
					case err != nil:
						return "", err
					case granted:
						_, err = y.act(ctx, "pay")
						return fsm.Finish, err
					}
					return fsm.Fail, nil
				}
				if crash {
					y.dies(3, true, do) // round, ask, answer
					_, err := y.resume(do, nil).Round().Run(t.Context())
					require.ErrorIs(t, err, round.ErrFailed)
				} else {
					_, err := y.begin(do, nil).Run(t.Context(), "go")
					require.ErrorIs(t, err, round.ErrFailed)
				}
				assert.Empty(t, y.done, "what was not approved in time is not approved")
				_, err := y.replay(do)
				require.NoError(t, err)
				assert.Equal(t, 1, asked)
			})
		})
	}
}

// asks wants a name, from whoever is there later.
func asks(ctx context.Context, c *clerk) (fsm.Status, error) {
	answer, err := people.Ask(ctx, people.Later(), people.Question{ID: "q", Agent: "clerk", Text: "Name?"}, 0)
	if err == nil {
		c.Notes = append(c.Notes, answer.Text)
	}
	return fsm.Finish, err
}

// An answer from elsewhere is not lost where the process that resumed the run stops
// before it has asked, in that process or in the next one, and is the one that counts.
func TestAnAnswerOutlivesAStop(t *testing.T) {
	for name, c := range map[string]struct {
		again bool
		opts  *round.Options
		stops error
	}{
		"in the same process": {false, nil, round.ErrCancelled},
		"in the next one":     {true, nil, round.ErrCancelled},
		"behind a bound":      {true, &round.Options{MaxDuration: 1}, round.ErrBudget}, // no time is left
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			_, err := y.begin(asks, nil).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrSuspended)
			given, err := durable.Answer(t.Context(), y.store, "run", "q", people.Answer{Text: "Ann"})
			require.NoError(t, err)
			require.True(t, given)

			a := newClerk(asks)
			s := y.resumeWith(a, c.opts)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.opts == nil {
				cancel()
			}
			_, err = s.Round().Run(ctx)
			require.ErrorIs(t, err, c.stops)
			given, err = durable.Answer(t.Context(), y.store, "run", "q", people.Answer{Text: "Bob"})
			require.NoError(t, err)
			assert.False(t, given, "the first answer counts")
			if c.again {
				a = newClerk(asks)
				s = y.resumeWith(a, nil)
			}
			_, err = s.Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{"Ann"}, a.Notes)
			_, err = y.replay(asks)
			require.NoError(t, err)
		})
	}
}

// A step that is handled again may look more often than before, as one that waits for a window does whose
// looks come back at once: what was recorded behind them is given back all the same.
func TestAStepThatLooksMoreOften(t *testing.T) {
	y, times := newTally(t), 2
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		for range times {
			if _, err := desktop.Execute(ctx, y, desktop.Command{ToolName: desktop.GetDesktopAppInfo, Looks: true}); err != nil {
				return "", err
			}
		}
		if _, err := y.act(ctx, "launch"); err != nil {
			return "", err
		}
		return fsm.Finish, y.ask(ctx)
	}
	y.dies(4, true, do) // round, intent, result, call
	times = 5
	_, err := y.resume(do, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Empty(t, diverged(t, y.store))
	assert.Equal(t, 1, y.calls)
	assert.Equal(t, 1, y.done["launch"])
}

// Questions with the same text, or for the same command, are told apart by their ids,
// in whatever order they are answered.
func TestSameQuestionsHaveTheirOwnAnswers(t *testing.T) {
	y := newTally(t)
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		ids := []string{"q1", "q2"}
		actor := &acting.Actor{User: people.Later(), Agent: "clerk", NewID: func() string {
			id := ids[0]
			ids = ids[1:]
			return id
		}}
		var w acting.Work
		_, _, err := w.Perform(ctx, actor, nil, acting.Wish{To: fsm.Pending, Questions: []string{"Name?", "Name?"}})
		if err != nil {
			return "", err
		}
		_, err = w.Pending(ctx, actor, "")
		var granted []string
		for _, id := range []string{"p1", "p2"} {
			ok, waits := approval(ctx, people.Later(), id, 0)
			if err = errors.Join(err, waits); ok {
				granted = append(granted, id)
			}
		}
		if err == nil {
			c.Notes = append(granted, w.Answers[0].Answer, w.Answers[1].Answer)
		}
		return fsm.Finish, err
	}
	_, err := y.begin(do, nil).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrSuspended)
	for _, id := range []string{"p2", "q2", "q1", "p1"} {
		given, err := durable.Answer(t.Context(), y.store, "run", id, people.Answer{Text: "answer to " + id, Approved: id == "p1"})
		require.NoError(t, err)
		require.True(t, given)
	}
	a := newClerk(do)
	_, err = y.resumeWith(a, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"p1", "answer to q1", "answer to q2"}, a.Notes)
	_, err = y.replay(do)
	require.NoError(t, err)
}
