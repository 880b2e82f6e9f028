package hostagent

import (
	"context"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// pending is PENDING.
func (a *Agent) pending(ctx context.Context) error {
	return a.Settle(a.data.Work.Pending(ctx, a.actor(&turn{}), a.Decision().Reason))
}

// confirm is CONFIRM: it looks again, asks, and records the answer.
func (a *Agent) confirm(ctx context.Context) error {
	t := &turn{}
	if err := a.pipeline.Run(ctx, builtin.DataCollection, t); err != nil {
		return err
	}
	actor := a.actor(t)
	actor.Look = func(_ context.Context, act acting.Act) acting.Act { return t.lookAt(act) }
	return a.Settle(a.data.Work.Confirm(ctx, actor, a.Decision().Reason))
}
