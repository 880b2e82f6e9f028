package policies

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// All asks every policy, and the strictest verdict holds: deny before confirm before allow.
// Its reason has those of all policies that gave this verdict, in their order, each once. A nil
// policy is [Default], and so is All of nothing. A verdict that nobody knows is a [Deny].
func All(policies ...Func) Func {
	if len(policies) == 0 {
		policies = []Func{nil}
	}
	policies = slices.Clone(policies)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		strictest := Allow
		var reasons []string
		for _, p := range policies {
			v := p.judge(ctx, tool, cmd)
			if rank[v.Action] > rank[strictest] {
				strictest, reasons = v.Action, nil
			}
			if v.Action == strictest && v.Reason != "" && !slices.Contains(reasons, v.Reason) {
				reasons = append(reasons, v.Reason)
			}
		}
		return Verdict{Action: strictest, Reason: strings.Join(reasons, "; ")}
	}
}

// Ask is p, but what p denies a person may approve.
func Ask(p Func) Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		v := p.judge(ctx, tool, cmd)
		if v.Action == Deny {
			v.Action = Confirm
		}
		return v
	}
}

// Except asks p about all tools but those of these names, letter by letter, which it allows: another policy of the same
// [All] must have a word on them. It makes room for lists beside a policy that asks about a tool as a whole:
//
//	All(
//		Except(AskDestructive(), desktop.LaunchApplication),
//		Apps([]string{"calc"}, nil), // the one that judges launches
//	)
func Except(p Func, tools ...string) Func {
	tools = slices.Clone(tools)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if slices.Contains(tools, cmd.ToolName) {
			return allow
		}
		return p.judge(ctx, tool, cmd)
	}
}

// Distrust shows p every tool whose name is not among trusted as MCP wants a tool to be seen that says nothing of
// itself: not read-only, destructive, open to the world. It is for tools of servers whose word does not count.
func Distrust(p Func, trusted ...string) Func {
	trusted = slices.Clone(trusted)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if !slices.Contains(trusted, tool.Name) {
			tool.Annotations = desktop.Annotations{Title: tool.Annotations.Title, DestructiveHint: true, OpenWorldHint: true}
		}
		return p.judge(ctx, tool, cmd)
	}
}

var allow = Verdict{Action: Allow}

func deny(reason string) Verdict {
	return Verdict{Action: Deny, Reason: reason}
}

// rank is how strict an action is.
var rank = [...]int{Allow: 0, Confirm: 1, Deny: 2}
