package policies_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// says is a policy that always says the same.
func says(action policies.Action, reason string) policies.Func {
	return func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
		return policies.Verdict{Action: action, Reason: reason}
	}
}

var (
	yes     = says(policies.Allow, "")
	known   = says(policies.Allow, "known")
	ask     = says(policies.Confirm, "ask")
	no      = says(policies.Deny, "no")
	never   = says(policies.Deny, "never")
	strange = says(77, "sure")
)

// verdict is what a policy says of a call of a tool without a schema.
func verdict(p policies.Func, tool desktop.Tool, parameters map[string]any) string {
	v := p(context.Background(), tool, desktop.Command{ToolName: tool.Name, Parameters: parameters})
	if v.Reason == "" {
		return v.Action.String()
	}
	return v.Action.String() + ": " + v.Reason
}

func TestCombinators(t *testing.T) {
	const unknown = "the policy gave no valid verdict: action(77)"
	for name, c := range map[string]struct {
		policy policies.Func
		want   string
	}{
		"all allow":                  {policies.All(yes, yes), "allow"},
		"all allow, one says why":    {policies.All(yes, known, known), "allow: known"},
		"the strictest of all":       {policies.All(yes, ask, no, known), "deny: no"},
		"confirm is not the mildest": {policies.All(ask, known), "confirm: ask"},
		"reasons of all":             {policies.All(never, ask, no, never), "deny: never; no"},
		"one has no reason":          {policies.All(says(policies.Deny, ""), no), "deny: no"},
		"all of nothing":             {policies.All(), "allow"},
		"nil is the default":         {policies.All(nil, ask), "confirm: ask"},
		"what nobody knows is no":    {policies.All(yes, strange), "deny: " + unknown},
		"ask instead":                {policies.Ask(no), "confirm: no"},
		"ask about nothing":          {policies.Ask(known), "allow: known"},
		"ask what asks":              {policies.Ask(ask), "confirm: ask"},
		"ask about what is unknown":  {policies.Ask(strange), "confirm: " + unknown},
		"except":                     {policies.Except(no, "read", "write"), "allow"},
		"except others":              {policies.Except(no, "Write", "writer"), "deny: no"},
		"except nothing":             {policies.Except(no), "deny: no"},
		"together":                   {policies.All(policies.Ask(no), ask), "confirm: no; ask"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, verdict(c.policy, desktop.Tool{Name: "write"}, nil))
		})
	}
	for name, p := range map[string]policies.Func{
		"all": policies.All(nil), "ask": policies.Ask(nil), "except": policies.Except(nil, "x"), "distrust": policies.Distrust(nil),
	} {
		got := verdict(p, desktop.Tool{Name: desktop.RunShell}, nil)
		assert.Contains(t, got, "confirm: ", "%s: nil is policies.Default", name)
		assert.Contains(t, got, "it is a shell command", name)
	}
}

// A list that its owner changes is not the policy's.
func TestListsAreCopied(t *testing.T) {
	list, names := []policies.Func{no}, []string{"a"}
	except := policies.Except(no, names...)
	all, tools, apps, trust := policies.All(list...), policies.Tools(names...), policies.Apps(names, nil), policies.Distrust(policies.ReadOnly(), names...)
	list[0], names[0] = yes, "b"
	assert.Equal(t, "deny: no", verdict(all, desktop.Tool{Name: "b"}, nil))
	assert.Equal(t, "deny: no", verdict(except, desktop.Tool{Name: "b"}, nil))
	assert.Contains(t, verdict(tools, desktop.Tool{Name: "b"}, nil), "deny")
	assert.Contains(t, verdict(apps, desktop.Tool{Name: desktop.LaunchApplication}, map[string]any{"name": "b"}), "deny")
	assert.Contains(t, verdict(trust, desktop.Tool{Name: "b", Annotations: desktop.Annotations{ReadOnlyHint: true}}, nil), "deny")
}

// must is for lists that a test writes down.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// corpus holds what is found in a text against each case of a file: what it says, or "ok", at least two
// blanks, and the text, written as in Go where it begins with a quotation mark.
func corpus(t *testing.T, name string, find func(text string) string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		want, text, ok := strings.Cut(line, "  ")
		text = strings.TrimLeft(text, " ")
		require.True(t, ok, line)
		if strings.HasPrefix(text, `"`) {
			text, err = strconv.Unquote(text)
			require.NoError(t, err, line)
		}
		if got := find(text); want == "ok" {
			assert.Empty(t, got, "%q", text)
		} else {
			assert.Contains(t, got, want, "%q", text)
		}
	}
}

// denial is why a verdict denies a command. "": it allows it.
func denial(verdict string) string {
	if verdict == "allow" {
		return ""
	}
	why, ok := strings.CutPrefix(verdict, "deny: ")
	if !ok {
		return "no denial: " + verdict
	}
	return why
}

// A policy gets copies: nobody else sees what it writes into them.
func TestEachPolicyGetsCopies(t *testing.T) {
	writes := func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		copy(tool.InputSchema, "!!")
		cmd.Parameters["to"] = "eve"
		cmd.Parameters["list"].([]any)[0] = "eve"
		return policies.Verdict{Action: policies.Allow}
	}
	reads := func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		assert.Equal(t, `{"type":"object"}`, string(tool.InputSchema))
		assert.Equal(t, map[string]any{"to": "bob", "list": []any{"bob"}}, cmd.Parameters)
		return policies.Verdict{Action: policies.Allow}
	}
	for name, p := range map[string]policies.Func{
		"All": policies.All(writes, reads), "All of one": policies.All(writes), "Ask": policies.Ask(writes),
		"Except": policies.Except(writes, "other"), "Distrust": policies.Distrust(writes),
	} {
		t.Run(name, func(t *testing.T) {
			tool := desktop.Tool{Name: "send", InputSchema: []byte(`{"type":"object"}`)}
			cmd := desktop.Command{ToolName: "send", Parameters: map[string]any{"to": "bob", "list": []any{"bob"}}}
			p(t.Context(), tool, cmd)
			reads(t.Context(), tool, cmd)
		})
	}
}
