package appagent

import (
	"context"

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
	if err := a.pipeline.Run(ctx, processor.DataCollection, t); err != nil && !gone(ctx, err) {
		return err
	}
	decision, err := a.data.Confirm(ctx, a.asker(), a.Decision().Reason, a.looker(t))
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
	_, err := a.data.PerformApproved(ctx, a.actor(t), a.cfg.Board, a.data.Task.ID, a.looker(t))
	return err
}

func (a *Agent) looker(t *turn) func(processor.Act) string {
	return func(act processor.Act) string { return a.target(t, act.Label) }
}
