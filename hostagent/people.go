package hostagent

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

func (a *Agent) asker() processor.Asker {
	return processor.Asker{
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID,
	}
}

// pending is PENDING.
func (a *Agent) pending(ctx context.Context) error {
	decision, err := a.data.Pending(ctx, a.asker(), a.Decision().Reason)
	if err != nil {
		return err
	}
	a.Decide(decision.To, decision.By, decision.Reason)
	return nil
}

// confirm is CONFIRM: it looks again, asks, and records the answer.
func (a *Agent) confirm(ctx context.Context) error {
	t := &turn{}
	if err := a.pipeline.Run(ctx, processor.DataCollection, t); err != nil {
		return err
	}
	decision, err := a.data.Confirm(ctx, a.asker(), a.Decision().Reason, t.lookAt)
	if err != nil {
		return err
	}
	a.Decide(decision.To, decision.By, decision.Reason)
	return nil
}

// performApproved executes what was approved, before the model is asked again.
func (a *Agent) performApproved(ctx context.Context) error {
	if a.data.Approval == nil {
		return nil
	}
	t := &turn{}
	if err := a.pipeline.Run(ctx, processor.DataCollection, t); err != nil {
		return err
	}
	p, err := a.data.PerformApproved(ctx, a.actor(t), a.cfg.Board, "", t.lookAt)
	if err != nil {
		return err
	}
	for _, done := range p.Acted {
		if id, ok := done.Command.Parameters["id"].(string); ok && succeeded(done, desktop.SelectApplicationWindow) {
			a.data.Reached = id
		}
	}
	launched, err := a.awaitLaunched(ctx, t, p.Acted)
	if launched.ID != "" {
		a.data.Reached = launched.ID
	}
	return err
}
