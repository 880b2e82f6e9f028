package appagent

import (
	"context"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

func (a *Agent) asker(look acting.Look) acting.Asker {
	return acting.Asker{
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID, Look: look,
	}
}

// pending is PENDING.
func (a *Agent) pending(ctx context.Context) error {
	return a.Settle(a.data.Work.Pending(ctx, a.asker(nil), a.Decision().Reason))
}

// confirm is CONFIRM: it looks again, asks, and records the answer.
func (a *Agent) confirm(ctx context.Context) error {
	t := &turn{}
	if err := a.pipeline.Run(ctx, builtin.DataCollection, t); err != nil && !gone(ctx, err) {
		return err
	}
	look := func(_ context.Context, act acting.Act) acting.Act { return a.aimed(t, act) }
	return a.Settle(a.data.Work.Confirm(ctx, a.asker(look), a.Decision().Reason))
}
