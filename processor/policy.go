package processor

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// String returns the action's name.
func (a Action) String() string {
	switch a {
	case Confirm:
		return "confirm"
	case Allow:
		return "allow"
	case Deny:
		return "deny"
	}
	return fmt.Sprintf("action(%d)", uint8(a))
}

// DefaultPolicy asks for approval of tools that say they are destructive, of
// shell commands and of launching programs, and allows everything else. A host
// has a list of programs, and a policy of its own that allows those.
func DefaultPolicy(_ context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
	switch {
	case cmd.ToolName == desktop.RunShell:
		return Verdict{Action: Confirm, Reason: "it is a shell command"}
	case cmd.ToolName == desktop.LaunchApplication:
		return Verdict{Action: Confirm, Reason: "it starts a program"}
	case tool.Annotations.DestructiveHint:
		return Verdict{Action: Confirm, Reason: "the tool is marked as destructive"}
	}
	return Verdict{Action: Allow}
}
