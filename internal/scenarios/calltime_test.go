package scenarios_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A model that never answers holds up no round by default. Each attempt has its time, and may be repeated.
func TestScenario28_AModelThatNeverAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		timeout time.Duration
		retries int
		slow    int // calls that never answer
		want    error
		took    time.Duration
	}{
		"by default":          {0, -1, 1, llm.ErrSlow, 5 * time.Minute},
		"shorter":             {time.Second, -1, 1, llm.ErrSlow, time.Second},
		"none":                {-1, -1, 1, context.DeadlineExceeded, time.Hour},
		"a repeated attempt":  {0, 1, 1, nil, 0},
		"all of the attempts": {0, 1, 2, llm.ErrSlow, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := onStage(t, finish("done"))
				calls := 0
				s.Config.Model = llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
					if calls++; calls <= test.slow {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					return s.Model.Complete(ctx, req)
				})
				s.Config.MaxRetries = test.retries
				s.Options.CallTimeout = test.timeout
				if test.want != nil {
					_, _ = s.Model.Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, "x")}}) // its script is used
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				begun := time.Now()
				_, err := s.drive(s.host(), "go").Run(ctx)
				if test.want == nil {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, test.want)
				if test.took > 0 {
					assert.Equal(t, test.took, time.Since(begun))
				}
			})
		})
	}
}

// oneEach lets one call through after each wait, and refuses those whose context would end before, as golang.org/x/time/rate does.
type oneEach time.Duration

func (l oneEach) WaitN(ctx context.Context, _ int) error {
	if until, ok := ctx.Deadline(); ok && time.Until(until) < time.Duration(l) {
		return errors.New("would exceed context deadline")
	}
	select {
	case <-time.After(time.Duration(l)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hidden is a middleware of a program, of which the library knows nothing.
func hidden(m llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) { return m.Complete(ctx, req) })
}

// The wait for a limiter is no part of a call, however long it is. What the program or the caller says of time counts with it.
func TestScenario28_AWaitForALimiterIsNoCall(t *testing.T) {
	same := func(m llm.Model) llm.Model { return m }
	for name, test := range map[string]struct {
		wait, reply time.Duration
		around      func(llm.Model) llm.Model
		caller      time.Duration
		want        error
		took        time.Duration
	}{
		"shorter than a call":     {time.Minute, 0, same, 0, nil, time.Minute},
		"longer":                  {6 * time.Minute, 0, same, 0, nil, 6 * time.Minute},
		"both":                    {4 * time.Minute, 4 * time.Minute, same, 0, nil, 8 * time.Minute},
		"within a middleware":     {6 * time.Minute, 0, hidden, 0, nil, 6 * time.Minute},
		"within a Fallback":       {6 * time.Minute, 0, func(m llm.Model) llm.Model { return hidden(llm.Fallback(m, m)) }, 0, nil, 6 * time.Minute},
		"a call that is too long": {6 * time.Minute, time.Hour, hidden, 0, llm.ErrSlow, 11 * time.Minute},
		"a Timeout around it":     {6 * time.Minute, 0, func(m llm.Model) llm.Model { return llm.Timeout(m, time.Minute) }, 0, llm.ErrRateLimited, 0},
		"a caller with less time": {6 * time.Minute, time.Hour, same, 8 * time.Minute, context.DeadlineExceeded, 8 * time.Minute},
		"a caller who leaves":     {6 * time.Minute, 0, same, -time.Minute, context.Canceled, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := onStage(t, finish("done"))
				s.Config.Model = test.around(llm.Limit(llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
					select {
					case <-time.After(test.reply):
						return s.Model.Complete(ctx, req)
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}), oneEach(test.wait)))
				s.Config.MaxRetries = -1
				if test.want != nil {
					_, _ = s.Model.Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, "x")}}) // its script is used
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.caller > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.caller)
					defer cancel()
				} else if test.caller < 0 {
					time.AfterFunc(-test.caller, cancel)
				}
				begun := time.Now()
				_, err := s.drive(s.host(), "go").Run(ctx)
				assert.Equal(t, test.took, time.Since(begun))
				if test.want == nil {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, test.want)
				if test.caller == 0 {
					require.NotErrorIs(t, err, context.Canceled)
				}
			})
		})
	}
}

// A person has as long as before.
func TestScenario20_PeopleHaveTheirOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &clerk{to: fsm.Finish, states: clerks(fsm.Edge{From: "ASK", To: fsm.Finish, By: fsm.ByUser}, fsm.Edge{From: "ASK", To: fsm.Fail, By: fsm.ByTimeout})}
		c.wait = -1
		c.user = people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
			time.Sleep(time.Hour)
			return people.Answer{Approved: true}, ctx.Err()
		})
		outcome, err := c.run(t)
		require.NoError(t, err)
		assert.Equal(t, round.Finished, outcome)
	})
}

// A FINISH that leaves something out is an error for a caller who wants all of it.
func TestScenario56_AllIsRequired(t *testing.T) {
	left := func(said string) any {
		return map[string]any{"Status": "FINISH", "Result": "so far", "Open": map[string]string{"subtask_1": said}}
	}
	for name, test := range map[string]struct {
		last    any
		require bool
		want    error
	}{
		"dropped, and wanted":     {left("dropped: no"), true, round.ErrPartial},
		"dropped":                 {left("dropped: no"), false, nil},
		"done in another way":     {left("done: otherwise"), true, nil},
		"nothing was left undone": {nil, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			replies := []any{finish("done")}
			if test.last != nil {
				replies = []any{assign("0", "write"), map[string]any{"Status": "FAIL", "Comment": "no"}, test.last}
			}
			s := onStage(t, replies...)
			s.Options.RequireAll = test.require
			res, err := s.run("write it")
			if test.want == nil {
				require.NoError(t, err)
				assert.Equal(t, round.Finished, res.Outcome)
				return
			}
			require.ErrorIs(t, err, test.want)
			require.ErrorIs(t, err, round.ErrFailed)
			require.EqualError(t, err, `round: the task failed: HostAgent:FINISH: not done: "write": no`)
			assert.Equal(t, round.Failed, res.Outcome)
			assert.Equal(t, fsm.Finish, res.Status)
			assert.Empty(t, res.Answer)
			assert.Len(t, res.Partial, 1)
		})
	}
}
