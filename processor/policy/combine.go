package policy

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// All asks every policy, and the strictest verdict holds: deny before confirm
// before allow. Its reason is that of all who gave this verdict, in their order,
// each once. All of nothing is processor.DefaultPolicy.
func All(policies ...processor.Policy) processor.Policy {
	return combine(policies, func(a, b processor.Action) bool { return rank(a) > rank(b) })
}

// Any asks every policy, and the mildest verdict holds: allow before confirm
// before deny. It is for lists that each have a word on every command, such as
// [ReadOnly] and [Tools]. A policy that allows what does not concern it, such as
// [Paths], [Hosts] and [Apps], makes Any allow all of that. Any of nothing is
// processor.DefaultPolicy.
func Any(policies ...processor.Policy) processor.Policy {
	return combine(policies, func(a, b processor.Action) bool { return rank(a) < rank(b) })
}

// Ask is p, but what p denies a person may approve.
func Ask(p processor.Policy) processor.Policy {
	p = orDefault(p)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		v := judge(ctx, p, tool, cmd)
		if v.Action == processor.Deny {
			v.Action = processor.Confirm
		}
		return v
	}
}

// When asks p about the commands for which match returns true and allows the
// others. match is code of the program; like a policy it must not change what
// it is given. Nil matches every command.
func When(match func(tool desktop.Tool, cmd desktop.Command) bool, p processor.Policy) processor.Policy {
	p = orDefault(p)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		if match != nil && !match(tool, cmd) {
			return allow
		}
		return judge(ctx, p, tool, cmd)
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
func Except(p processor.Policy, tools ...string) processor.Policy {
	tools = slices.Clone(tools)
	return When(func(_ desktop.Tool, cmd desktop.Command) bool { return !slices.Contains(tools, cmd.ToolName) }, p)
}

// Named is p, whose reasons begin with name. What p allows without a reason stays
// without one, so that it is in no record.
func Named(name string, p processor.Policy) processor.Policy {
	p = orDefault(p)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		v := judge(ctx, p, tool, cmd)
		switch {
		case v.Reason != "":
			v.Reason = name + ": " + v.Reason
		case v.Action != processor.Allow:
			v.Reason = name
		}
		return v
	}
}

// Distrust shows p every tool whose name is not among trusted as MCP wants a tool
// to be seen that says nothing of itself: not read-only, destructive, open to the
// world. It is for tools of servers whose word does not count.
func Distrust(p processor.Policy, trusted ...string) processor.Policy {
	p, trusted = orDefault(p), slices.Clone(trusted)
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		if !slices.Contains(trusted, tool.Name) {
			tool.Annotations = desktop.Annotations{Title: tool.Annotations.Title, DestructiveHint: true, OpenWorldHint: true}
		}
		return judge(ctx, p, tool, cmd)
	}
}

var allow = processor.Verdict{Action: processor.Allow}

func deny(reason string) processor.Verdict {
	return processor.Verdict{Action: processor.Deny, Reason: reason}
}

// combine keeps the verdicts of which none is better.
func combine(policies []processor.Policy, better func(a, b processor.Action) bool) processor.Policy {
	policies = slices.Clone(policies)
	if len(policies) == 0 {
		policies = []processor.Policy{nil}
	}
	for i := range policies {
		policies[i] = orDefault(policies[i])
	}
	return func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
		var best processor.Verdict
		var reasons []string
		for i, p := range policies {
			v := judge(ctx, p, tool, cmd)
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

// judge asks p. An action that nobody knows is a Deny, as an Actor takes it.
func judge(ctx context.Context, p processor.Policy, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
	v := p(ctx, tool, cmd)
	if v.Action > processor.Deny {
		v = deny("the policy's verdict is unknown: " + v.Action.String())
	}
	return v
}

// orDefault is what a nil policy means, here as in an Actor.
func orDefault(p processor.Policy) processor.Policy {
	if p == nil {
		return processor.DefaultPolicy
	}
	return p
}

func rank(a processor.Action) int {
	switch a {
	case processor.Allow:
		return 0
	case processor.Confirm:
		return 1
	case processor.Deny:
	}
	return 2
}
