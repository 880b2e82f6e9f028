package scenarios_test

import (
	"context"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/policies"
)

// attackPolicy is what the line "policy" names: policies with + between them, all
// of which must agree.
func attackPolicy(w *attackWorld) policies.Func {
	lines := w.c.all("policy")
	if len(lines) == 0 {
		lines = []attackLine{{value: "default"}}
	}
	require.Len(w.t, lines, 1)
	var list []policies.Func
	for name := range strings.SplitSeq(lines[0].value, "+") {
		list = append(list, w.policy(strings.Fields(name)))
	}
	return policies.All(list...)
}

func (w *attackWorld) policy(words []string) policies.Func {
	name, rest := words[0], words[1:]
	switch name {
	case "default":
		return hostagent.DefaultPolicy(w.programs)
	case "ask": // what the one behind it denies, a person may approve
		return policies.Ask(w.policy(rest))
	case "distrust":
		return policies.Distrust(hostagent.DefaultPolicy(w.programs), rest...)
	case "read-only":
		return policies.ReadOnly()
	case "ask-destructive":
		return policies.AskDestructive(rest...)
	case "except": // the tool, and the policy that is not asked about it
		return policies.Except(w.policy(rest[1:]), rest[0])
	case "tools":
		return policies.Tools(rest...)
	case "apps":
		return policies.Apps(rest, &policies.AppOptions{
			Windows: func(ctx context.Context) ([]desktop.Window, error) { return desktop.Windows(ctx, w.whole) },
		})
	case "paths":
		return policies.Paths(must(policies.NewRoots(rest, nil)), nil)
	case "windows-paths":
		return policies.Paths(must(policies.NewRoots(rest, &policies.RootOptions{Windows: true})), nil)
	case "hosts":
		return policies.Hosts(must(policies.NewHostList(rest)), nil)
	}
	require.Fail(w.t, "there is no policy "+name)
	return nil
}
