package appagent

import (
	"context"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// pending is PENDING.
func (a *Agent) pending(ctx context.Context) error {
	return a.Settle(a.data.Work.Pending(ctx, a.actor(&turn{}, nil), a.Decision().Reason))
}

// confirm is CONFIRM: it looks again, asks, and records the answer.
func (a *Agent) confirm(ctx context.Context) error {
	t := &turn{}
	if err := a.pipeline.Run(ctx, builtin.DataCollection, t); err != nil && !gone(ctx, err) {
		return err
	}
	look := func(_ context.Context, act acting.Act) acting.Act { return a.aimed(t, act) }
	return a.Settle(a.data.Work.Confirm(ctx, a.actor(t, look), a.Decision().Reason))
}
