package policies

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// All asks every policy, and the strictest verdict holds: deny before confirm
// before allow. Its reason is that of all who gave this verdict, in their order,
// each once. All of nothing is [Default].
func All(policies ...Func) Func {
	return combine(policies, func(a, b Action) bool { return rank(a) > rank(b) })
}

// Any asks every policy, and the mildest verdict holds: allow before confirm
// before deny. It is for lists that each have a word on every command, such as
// [ReadOnly] and [Tools]. A policy that allows what does not concern it, such as
// [Paths], [Hosts] and [Apps], makes Any allow all of that. Any of nothing is
// [Default].
func Any(policies ...Func) Func {
	return combine(policies, func(a, b Action) bool { return rank(a) < rank(b) })
}

// Ask is p, but what p denies a person may approve.
func Ask(p Func) Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		v := p.Judge(ctx, tool, cmd)
		if v.Action == Deny {
			v.Action = Confirm
		}
		return v
	}
}

// When asks p about the commands for which match returns true and allows the
// others. match is code of the program; like a policy it must not change what
// it is given. Nil matches every command.
func When(match func(tool desktop.Tool, cmd desktop.Command) bool, p Func) Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if match != nil && !match(tool, cmd) {
			return allow
		}
		return p.Judge(ctx, tool, cmd)
	}
}

// Except asks p about all tools but those of these names, letter by letter, which it
// allows: another policy of the same [All] must have a word on them. It makes room
// for lists beside a policy that asks about a tool as a whole:
//
//	All(
//		Except(AskDestructive(), desktop.LaunchApplication),
//		Apps([]string{"calc"}, nil), // the one that judges launches
//	)
func Except(p Func, tools ...string) Func {
	tools = slices.Clone(tools)
	return When(func(_ desktop.Tool, cmd desktop.Command) bool { return !slices.Contains(tools, cmd.ToolName) }, p)
}

// Named is p, whose reasons begin with name. What p allows without a reason stays
// without one, so that it is in no record.
func Named(name string, p Func) Func {
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		v := p.Judge(ctx, tool, cmd)
		switch {
		case v.Reason != "":
			v.Reason = name + ": " + v.Reason
		case v.Action != Allow:
			v.Reason = name
		}
		return v
	}
}

// Distrust shows p every tool whose name is not among trusted as MCP wants a tool
// to be seen that says nothing of itself: not read-only, destructive, open to the
// world. It is for tools of servers whose word does not count.
func Distrust(p Func, trusted ...string) Func {
	trusted = slices.Clone(trusted)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if !slices.Contains(trusted, tool.Name) {
			tool.Annotations = desktop.Annotations{Title: tool.Annotations.Title, DestructiveHint: true, OpenWorldHint: true}
		}
		return p.Judge(ctx, tool, cmd)
	}
}

var allow = Verdict{Action: Allow}

func deny(reason string) Verdict {
	return Verdict{Action: Deny, Reason: reason}
}

// combine keeps the verdicts of which none is better.
func combine(policies []Func, better func(a, b Action) bool) Func {
	policies = slices.Clone(policies)
	if len(policies) == 0 {
		policies = []Func{nil}
	}
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		var best Verdict
		var reasons []string
		for i, p := range policies {
			v := p.Judge(ctx, tool, cmd)
			switch {
			case i == 0 || better(v.Action, best.Action):
				best, reasons = v, nil
			case v.Action != best.Action:
				continue
			}
			if v.Reason != "" && !slices.Contains(reasons, v.Reason) {
				reasons = append(reasons, v.Reason)
			}
		}
		best.Reason = strings.Join(reasons, "; ")
		return best
	}
}

func rank(a Action) int {
	switch a {
	case Allow:
		return 0
	case Confirm:
		return 1
	case Deny:
	}
	return 2
}
