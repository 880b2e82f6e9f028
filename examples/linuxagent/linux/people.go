package linux

import (
	"context"

	"github.com/agentfsm/agentfsm/acting"
)

func (a *Agent) asker() acting.Asker {
	return acting.Asker{
		Agent: a.cfg.Name, User: a.cfg.User, Timeout: a.cfg.AskTimeout,
		Board: a.cfg.Board, NewID: a.cfg.NewID,
	}
}

// pending is PENDING: it asks, and keeps the answers for the prompts to come.
func (a *Agent) pending(ctx context.Context) error {
	return a.Settle(a.data.Pending(ctx, a.asker(), a.Decision().Reason))
}

// confirm is CONFIRM: it asks and records the answer. The command is executed by
// the CONTINUE that follows a yes.
func (a *Agent) confirm(ctx context.Context) error {
	return a.Settle(a.data.Confirm(ctx, a.asker(), a.Decision().Reason))
}
