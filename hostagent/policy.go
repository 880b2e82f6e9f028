package hostagent

import (
	"context"
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/policies"
)

// DefaultPolicy returns the policy of a host that may launch these programs: it
// asks for approval of launching anything else, or one of them in another way,
// and decides like policies.Default otherwise. A policy of your own can
// call it for what it has no opinion on.
func DefaultPolicy(apps []Program) policies.Func {
	listed := map[string]bool{}
	for _, p := range apps {
		listed[parameters(commands.Launch(p.Name, p.Command...))] = true
	}
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		switch {
		case cmd.ToolName != desktop.LaunchApplication:
			return policies.Default(ctx, tool, cmd)
		case listed[parameters(cmd)]:
			return policies.Verdict{Action: policies.Allow}
		}
		return policies.Verdict{Action: policies.Confirm, Reason: "it launches what is not in the list of applications"}
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
