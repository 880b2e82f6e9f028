package builtin

import (
	"context"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
)

// Pending asks what is open and keeps the answers for the next prompt. comment
// is what is waited for where nothing is asked.
func (d *Data) Pending(ctx context.Context, by acting.Asker, comment string) (fsm.Decision, error) {
	decision, answers, err := d.Waiting.Pending(ctx, by, comment)
	d.Answers = append(d.Answers, answers...)
	return decision, err
}

// Confirm asks for approval. look is as in [acting.Waiting].
func (d *Data) Confirm(ctx context.Context, by acting.Asker, comment string, look func(acting.Act) acting.Act) (fsm.Decision, error) {
	if d.Approval != nil && comment == d.Approval.Reason {
		comment = "" // the policy's words, not the agent's
	}
	decision, err := d.Waiting.Confirm(ctx, by, comment, look)
	if err == nil && decision.By == fsm.BySystem && decision.To == fsm.Continue {
		d.LastError = decision.Reason // the target is not what it was
	}
	return decision, err
}

// PerformApproved executes what was approved and remembers it, also when it
// failed half way.
func (d *Data) PerformApproved(
	ctx context.Context, actor *acting.Actor, board *blackboard.Board, task string, look func(acting.Act) acting.Act,
) (acting.Performance, error) {
	p, err := d.Waiting.PerformApproved(ctx, actor, look)
	d.LastError = p.Problem()
	d.did(p)
	memo := acting.Memo{Task: task, Note: "after approval"}
	if memoErr := d.Memory.Record(board, memo, p.Acted); err == nil {
		err = memoErr
	}
	return p, err
}
