package linux

import (
	"context"

	"github.com/agentfsm/agentfsm/acting"
)

// actor executes commands under the policy, and asks the user.
func (a *Agent) actor() *acting.Actor {
	return &acting.Actor{
		Desktop: a.cfg.Desktop, Policy: a.cfg.Policy,
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID,
	}
}

// pending is PENDING: it asks, and keeps the answers for the prompts to come.
func (a *Agent) pending(ctx context.Context) error {
	return a.Settle(a.data.Pending(ctx, a.actor(), a.Decision().Reason))
}

// confirm is CONFIRM: it asks and records the answer. The command is executed by
// the CONTINUE that follows a yes.
func (a *Agent) confirm(ctx context.Context) error {
	return a.Settle(a.data.Confirm(ctx, a.actor(), a.Decision().Reason))
}
