package scenarios_test

import (
	"context"
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
