package hostagent

import (
	"context"
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// DefaultPolicy returns the policy of a host that may launch these programs: it
// asks for approval of launching anything else, or one of them in another way,
// and decides like processor.DefaultPolicy otherwise. A policy of your own can
// call it for what it has no opinion on.
func DefaultPolicy(apps []Program) processor.Policy {
	listed := map[string]bool{}
	for _, p := range apps {
		listed[parameters(desktop.LaunchProgram(p.Name, p.Command...))] = true
	}
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		switch {
		case cmd.ToolName != desktop.LaunchApplication:
			return processor.DefaultPolicy(ctx, tool, cmd)
		case listed[parameters(cmd)]:
			return processor.Verdict{Action: processor.Allow}
		}
		return processor.Verdict{Action: processor.Confirm, Reason: "it launches what is not in the list of applications"}
	}
}

// parameters are the arguments of a command as a text that can be compared.
func parameters(cmd desktop.Command) string {
	raw, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return ""
	}
	return string(raw)
}
