package builtin

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Memo is what an agent keeps from one step to the next because the next mostly has it, too. It
// goes with the Run.
type Memo struct {
	Kept  Kept
	Sight desktop.Sight
}

// MemoOf returns that of an agent in the Run of ctx.
func MemoOf(ctx context.Context, agent any) *Memo {
	return trace.Kept(ctx, agent, func() any { return &Memo{} }).(*Memo)
}
