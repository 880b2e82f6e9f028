package scenarios_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// clerk decides in ASK for a cause that its test states.
type clerk struct {
	fsm.Position
	states *fsm.Manager[*clerk]
	to     fsm.Status
	by     fsm.Cause
	user   people.User
	wait   time.Duration
}

func (c *clerk) Name() string                          { return "clerk" }
func (c *clerk) States() fsm.Set                       { return c.states }
func (c *clerk) Begin(context.Context, fsm.Task) error { return nil }
func (c *clerk) Answer() string                        { return "sent" }

func (c *clerk) run(t *testing.T) (round.Outcome, error) {
	r, err := round.New(c, "send it", nil)
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	return res.Outcome, err
}

func (c *clerk) ask(ctx context.Context) error {
	if c.user == nil {
		c.Decide(c.to, c.by, "")
		return nil
	}
	answer, err := people.Ask(ctx, c.user, people.Question{ID: "q", Text: "Send it?", Approval: true}, c.wait)
	if err != nil {
		return c.Settle(people.Unanswered(ctx, err))
	}
	to := c.to
	if !answer.Approved {
		to = fsm.Fail
	}
	c.Decide(to, fsm.ByUser, "")
	return nil
}

func clerks(edges ...fsm.Edge) *fsm.Manager[*clerk] {
	return fsm.Table("Clerk", []fsm.Row[*clerk]{
		{Status: "ASK", Handle: (*clerk).ask},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	}, append(edges, fsm.Edge{To: "ASK", By: fsm.BySystem})...)
}

func TestScenario80_AnEdgeIsForItsCauses(t *testing.T) {
	all := []fsm.Cause{0, fsm.ByModel, fsm.BySystem, fsm.ByUser, fsm.ByTimeout, fsm.ByFault, fsm.ByUser | fsm.BySystem}
	for _, edge := range []fsm.Cause{fsm.ByModel, fsm.BySystem, fsm.ByUser, fsm.ByTimeout, fsm.ByUser | fsm.ByTimeout} {
		for _, by := range all {
			t.Run(fmt.Sprintf("%s/%s", edge, by), func(t *testing.T) {
				stated := by
				if by == 0 {
					stated = fsm.BySystem // code that names nobody
				}
				c := &clerk{to: fsm.Finish, by: by, states: clerks(fsm.Edge{From: "ASK", To: fsm.Finish, By: edge}, fsm.Edge{From: "ASK", To: fsm.Fail, By: edge})}
				outcome, err := c.run(t)
				if stated&^edge == 0 {
					require.NoError(t, err)
					assert.Equal(t, round.Finished, outcome)
					return
				}
				require.ErrorIs(t, err, fsm.ErrNotAllowed)
				assert.Equal(t, round.Faulted, outcome)
			})
		}
	}
}

// Only a person leads to the end: no answer, and nobody to ask, do not.
func TestScenario80_OnlyAPersonLeadsOn(t *testing.T) {
	table := clerks(fsm.Edge{From: "ASK", To: fsm.Finish, By: fsm.ByUser}, fsm.Edge{From: "ASK", To: fsm.Fail, By: fsm.ByUser | fsm.ByTimeout})
	says := func(answer people.Answer, err error) people.User {
		return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { return answer, err })
	}
	for name, test := range map[string]struct {
		user people.User
		want round.Outcome
	}{
		"yes":        {says(people.Answer{Approved: true}, nil), round.Finished},
		"no":         {says(people.Answer{}, nil), round.Failed},
		"no answer":  {says(people.Answer{}, people.ErrTimeout), round.Failed},
		"cannot ask": {says(people.Answer{}, people.ErrNobody), round.Faulted}, // FAIL by the system
	} {
		t.Run(name, func(t *testing.T) {
			c := &clerk{to: fsm.Finish, states: table, user: test.user}
			outcome, err := c.run(t)
			assert.Equal(t, test.want, outcome, "%v", err)
			assert.Equal(t, test.want == round.Finished, err == nil)
		})
	}
}
