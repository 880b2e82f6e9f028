package policies

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// AskUncertain wants a person's approval of a command that may have been executed already: a run was interrupted in the
// middle of a command with the same tool and arguments, and was resumed. It allows every other command, so it stands in
// an [All] beside other policies. In a run without a journal it allows everything.
func AskUncertain() Func {
	return func(ctx context.Context, _ desktop.Tool, cmd desktop.Command) Verdict {
		key := sameCommand(cmd)
		for _, other := range trace.Uncertain(ctx) {
			if key == "" || key == sameCommand(other) {
				return Verdict{
					Action: Confirm,
					Reason: "it may have been executed already, before the run was interrupted",
				}
			}
		}
		return allow
	}
}

// sameCommand is the same for the same tool and arguments, which may come out of a
// journal; "" for arguments that cannot be JSON, which are like any.
func sameCommand(cmd desktop.Command) string {
	cmd.Origin = ""
	return calls.Key(cmd)
}
