package processor

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Action is what a Policy says of a command.
type Action uint8

// The verdicts. The zero value asks. Deny is stricter than Confirm, and Confirm
// than Allow.
const (
	Confirm Action = iota // a person must approve it
	Allow
	Deny
)

// Verdict is a Policy's word on one command.
type Verdict struct {
	Action Action
	// Reason is shown to the person, the model and in the step's record, where an
	// Allow without one is left out. It may quote what others wrote, escaped; it
	// must not quote a secret, since the person's question shows it as it is.
	Reason string
}

// Policy decides in code what may be executed. It is called before every
// action, with the command's parameters resolved and valid, by one goroutine
// for each run. The model can ask for more confirmation than a Policy wants, never for less.
// Package policy has some that are ready, and funcs that put them together.
type Policy func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict

// Uncertain returns the commands of a round that was resumed after an interruption
// in the middle of them: each may or may not have been executed. A command leaves
// the list when it is executed for certain. Without a Round that has a journal there
// are none. A [Policy] gets such a ctx; policy.AskUncertain is one.
func Uncertain(ctx context.Context) []desktop.Command {
	list := trace.Uncertain(ctx)
	for i := range list {
		list[i] = cloneCommand(list[i])
	}
	return list
}

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
// shell commands, of launching programs and of screenshots that are written to a
// file, and allows everything else. A host has a list of programs, and a policy of
// its own that allows those.
func DefaultPolicy(_ context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
	switch {
	case cmd.ToolName == desktop.RunShell:
		return Verdict{Action: Confirm, Reason: "it is a shell command"}
	case cmd.ToolName == desktop.LaunchApplication:
		return Verdict{Action: Confirm, Reason: "it starts a program"}
	case writesFile(cmd):
		return Verdict{Action: Confirm, Reason: "it writes a file"}
	case tool.Annotations.DestructiveHint:
		return Verdict{Action: Confirm, Reason: "the tool is marked as destructive"}
	}
	return Verdict{Action: Allow}
}

// writesFile reports whether a screenshot is to be kept in a file, which may be
// there and have something else in it.
func writesFile(cmd desktop.Command) bool {
	if cmd.ToolName != desktop.CaptureDesktopScreenshot && cmd.ToolName != desktop.CaptureWindowScreenshot {
		return false
	}
	path, given := cmd.Parameters["save_path"]
	return given && path != "" && path != nil
}
