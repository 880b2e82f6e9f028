package policies

import (
	"context"
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Uncertain returns the commands of a round that was resumed after an interruption
// in the middle of them: each may or may not have been executed. A command leaves
// the list when it is executed for certain. In a run that is not recorded there
// are none. A policy gets such a ctx; [AskUncertain] is one.
func Uncertain(ctx context.Context) []desktop.Command {
	list := trace.Uncertain(ctx)
	for i := range list {
		list[i].Parameters = clone.Map(list[i].Parameters)
	}
	return list
}

// AskUncertain wants a person's approval of a command that may have been executed
// already: the same tool and arguments as one of [Uncertain]. It allows
// every other command, so it stands in an [All] beside others.
func AskUncertain() Func {
	return func(ctx context.Context, _ desktop.Tool, cmd desktop.Command) Verdict {
		key := sameCommand(cmd)
		for _, other := range Uncertain(ctx) {
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
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return ""
	}
	var params map[string]any
	if err := json.Unmarshal(raw, &params); err != nil {
		return ""
	}
	if len(params) == 0 {
		params = nil
	}
	if raw, err = json.Marshal([]any{cmd.ToolName, params}); err != nil {
		return ""
	}
	return string(raw)
}
