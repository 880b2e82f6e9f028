package policy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/processor/policy"
)

// says is a policy that always says the same.
func says(action processor.Action, reason string) processor.Policy {
	return func(context.Context, desktop.Tool, desktop.Command) processor.Verdict {
		return processor.Verdict{Action: action, Reason: reason}
	}
}

var (
	yes     = says(processor.Allow, "")
	known   = says(processor.Allow, "known")
	ask     = says(processor.Confirm, "ask")
	no      = says(processor.Deny, "no")
	never   = says(processor.Deny, "never")
	strange = says(77, "sure")
)

// verdict is what a policy says of a call of a tool without a schema.
func verdict(p processor.Policy, tool desktop.Tool, parameters map[string]any) string {
	v := p(context.Background(), tool, desktop.Command{ToolName: tool.Name, Parameters: parameters})
	if v.Reason == "" {
		return v.Action.String()
	}
	return v.Action.String() + ": " + v.Reason
}

func TestCombinators(t *testing.T) {
	const unknown = "the policy's verdict is unknown: action(77)"
	isWrite := func(tool desktop.Tool, cmd desktop.Command) bool {
		return tool.Name == "write" && cmd.ToolName == "write"
	}
	for name, c := range map[string]struct {
		policy processor.Policy
		want   string
	}{
		"all allow":                  {policy.All(yes, yes), "allow"},
		"all allow, one says why":    {policy.All(yes, known, known), "allow: known"},
		"the strictest of all":       {policy.All(yes, ask, no, known), "deny: no"},
		"confirm is not the mildest": {policy.All(ask, known), "confirm: ask"},
		"reasons of all":             {policy.All(never, ask, no, never), "deny: never; no"},
		"one has no reason":          {policy.All(says(processor.Deny, ""), no), "deny: no"},
		"all of nothing":             {policy.All(), "allow"},
		"nil is the default":         {policy.All(nil, ask), "confirm: ask"},
		"what nobody knows is no":    {policy.All(yes, strange), "deny: " + unknown},
		"the mildest of any":         {policy.Any(no, ask, known), "allow: known"},
		"any asks":                   {policy.Any(no, ask), "confirm: ask"},
		"none of any":                {policy.Any(no, never), "deny: no; never"},
		"any of nothing":             {policy.Any(), "allow"},
		"unknown is not mild":        {policy.Any(strange, ask), "confirm: ask"},
		"ask instead":                {policy.Ask(no), "confirm: no"},
		"ask about nothing":          {policy.Ask(known), "allow: known"},
		"ask what asks":              {policy.Ask(ask), "confirm: ask"},
		"ask about what is unknown":  {policy.Ask(strange), "confirm: " + unknown},
		"when it is":                 {policy.When(isWrite, no), "deny: no"},
		"when it is not": {
			policy.When(func(desktop.Tool, desktop.Command) bool { return false }, no), "allow",
		},
		"when at all":          {policy.When(nil, no), "deny: no"},
		"except":               {policy.Except(no, "read", "write"), "allow"},
		"except others":        {policy.Except(no, "Write", "writer"), "deny: no"},
		"except nothing":       {policy.Except(no), "deny: no"},
		"named":                {policy.Named("mine", no), "deny: mine: no"},
		"named without a word": {policy.Named("mine", says(processor.Confirm, "")), "confirm: mine"},
		"named allow":          {policy.Named("mine", yes), "allow"},
		"named allow with why": {policy.Named("mine", known), "allow: mine: known"},
		"together":             {policy.All(policy.Named("a", policy.Ask(no)), policy.Named("b", ask)), "confirm: a: no; b: ask"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, verdict(c.policy, desktop.Tool{Name: "write"}, nil))
		})
	}
	for name, p := range map[string]processor.Policy{
		"all": policy.All(nil), "any": policy.Any(), "ask": policy.Ask(nil), "when": policy.When(nil, nil), "except": policy.Except(nil, "x"),
		"named": policy.Named("x", nil), "distrust": policy.Distrust(nil),
	} {
		got := verdict(p, desktop.Tool{Name: desktop.RunShell}, nil)
		assert.Contains(t, got, "confirm: ", "%s: nil is processor.DefaultPolicy", name)
		assert.Contains(t, got, "it is a shell command", name)
	}
}

// A list that its owner changes is not the policy's.
func TestListsAreCopied(t *testing.T) {
	policies, names := []processor.Policy{no}, []string{"a"}
	except := policy.Except(no, names...)
	all, tools, apps, trust := policy.All(policies...), policy.Tools(names...), policy.Apps(names, nil), policy.Distrust(policy.ReadOnly(), names...)
	policies[0], names[0] = yes, "b"
	assert.Equal(t, "deny: no", verdict(all, desktop.Tool{Name: "b"}, nil))
	assert.Equal(t, "deny: no", verdict(except, desktop.Tool{Name: "b"}, nil))
	assert.Contains(t, verdict(tools, desktop.Tool{Name: "b"}, nil), "deny")
	assert.Contains(t, verdict(apps, desktop.Tool{Name: desktop.LaunchApplication}, map[string]any{"name": "b"}), "deny")
	assert.Contains(t, verdict(trust, desktop.Tool{Name: "b", Annotations: desktop.Annotations{ReadOnlyHint: true}}, nil), "deny")
}
