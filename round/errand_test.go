package round_test

import (
	"context"

	"github.com/agentfsm/agentfsm/fsm"
)

// clerk is an agent that does in each step what a func says, and goes where that says.
type clerk struct {
	fsm.Position
	do errand
	N  int
}

type errand func(ctx context.Context, c *clerk) (fsm.Status, error)

func newClerk(do errand) *clerk { return &clerk{do: do} }

var clerkStates = fsm.Table("Clerk",
	[]fsm.Row[*clerk]{
		{Status: fsm.Continue, Handle: func(c *clerk, ctx context.Context) error {
			to, err := c.do(ctx, c)
			if err == nil {
				c.Decide(to, fsm.ByModel, "")
			}
			return err
		}},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
)

func (*clerk) Name() string                          { return "clerk" }
func (*clerk) States() fsm.Set                       { return clerkStates }
func (*clerk) Begin(context.Context, fsm.Task) error { return nil }
func (*clerk) Answer() string                        { return "done" }
