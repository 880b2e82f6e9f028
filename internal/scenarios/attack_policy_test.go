package scenarios_test

import (
	"context"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/processor/policy"
)

// attackPolicy is what the line "policy" names: policies with + between them, all
// of which must agree.
func attackPolicy(w *attackWorld) processor.Policy {
	lines := w.c.all("policy")
	if len(lines) == 0 {
		lines = []attackLine{{value: "default"}}
	}
	require.Len(w.t, lines, 1)
	var list []processor.Policy
	for name := range strings.SplitSeq(lines[0].value, "+") {
		list = append(list, w.policy(strings.Fields(name)))
	}
	return policy.All(list...)
}

func (w *attackWorld) policy(words []string) processor.Policy {
	name, rest := words[0], words[1:]
	switch name {
	case "default":
		return hostagent.DefaultPolicy(w.programs)
	case "ask": // what the one behind it denies, a person may approve
		return policy.Ask(w.policy(rest))
	case "distrust":
		return policy.Distrust(hostagent.DefaultPolicy(w.programs), rest...)
	case "read-only":
		return policy.ReadOnly()
	case "ask-destructive":
		return policy.AskDestructive(rest...)
	case "except": // the tool, and the policy that is not asked about it
		return policy.Except(w.policy(rest[1:]), rest[0])
	case "tools":
		return policy.Tools(rest...)
	case "apps":
		return policy.Apps(rest, &policy.AppOptions{
			Windows: func(ctx context.Context) ([]desktop.Window, error) { return desktop.Windows(ctx, w.whole) },
		})
	case "paths":
		return policy.Paths(policy.Must(policy.NewRoots(rest, nil)), nil)
	case "windows-paths":
		return policy.Paths(policy.Must(policy.NewRoots(rest, &policy.RootOptions{Windows: true})), nil)
	case "hosts":
		return policy.Hosts(policy.Must(policy.NewHostList(rest, nil)), nil)
	}
	require.Fail(w.t, "there is no policy "+name)
	return nil
}
