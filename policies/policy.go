package policies

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// Action is what a [Func] says of a command.
type Action uint8

// The verdicts. The zero value asks. Deny is stricter than Confirm, and Confirm than Allow.
const (
	Confirm Action = iota // a person must approve it
	Allow
	Deny
)

// Verdict is a policy's word on one command.
type Verdict struct {
	Action Action
	// Reason is shown to the person, the model and in the step's record, where an Allow without one is left out. It may
	// quote what others wrote, escaped; it must not quote a secret, since the person's question shows it as it is.
	Reason string
}

// Func is a policy: it decides in code what may be executed. Agents call it before every
// action, with the command's parameters resolved and valid, from one goroutine for each run. The
// tool's schema and the parameters are copies. If a command names several controls, it is called for each.
// The model can ask for more confirmation than a policy wants, never for less.
//
// A nil Func is [Default]; in the Config of a host it is hostagent.DefaultPolicy, which launches the
// listed programs, too. To call a Func that may be nil, use [All].
type Func func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict

// judge asks f, with copies: what one policy writes into them neither another one judges, nor anybody
// executes. An action that nobody knows is a [Deny].
func (f Func) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
	if f == nil {
		f = Default
	}
	tool.InputSchema, cmd.Parameters = slices.Clone(tool.InputSchema), clone.Map(cmd.Parameters)
	v := f(ctx, tool, cmd)
	if v.Action > Deny {
		v = deny("the policy gave no valid verdict: " + v.Action.String())
	}
	return v
}

// String returns the action's name.
func (a Action) String() string {
	if a > Deny {
		return fmt.Sprintf("action(%d)", uint8(a))
	}
	return [...]string{Confirm: "confirm", Allow: "allow", Deny: "deny"}[a]
}

// Default asks like [AskDestructive], but not about all controls that nobody has seen: it asks about tools that say
// they are destructive, shell commands, the start of a program, a screenshot that is written to a file, and tools and
// controls whose name says that something is deleted, sent, paid or configured. In an AppAgent that reads controls it
// also asks about a tool that names a control which the agent was not shown, unless the tool only reads. It allows
// everything else. The default of a host is hostagent.DefaultPolicy.
func Default(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
	return askAbout(ctx, tool, cmd, nil, commands.AimOf(ctx).Unseen)
}
