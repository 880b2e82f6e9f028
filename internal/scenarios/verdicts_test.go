package scenarios_test

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// verdicts are those of a step that performs each command on its own, and the step as the record has it.
func verdicts(t *testing.T, actor acting.Actor, list ...desktop.Command) (said []round.Verdict, record string) {
	t.Helper()
	agent := &walker{end: 1, does: func(ctx context.Context) error {
		for _, cmd := range list {
			if _, err := actor.Perform(ctx, []acting.Act{{Command: cmd}}, false); err != nil {
				return err
			}
		}
		return nil
	}}
	var lines bytes.Buffer
	s := onStage(t)
	s.Options.Observe = round.JSONL(&lines)
	_, err := s.drive(agent, "go").Run(t.Context())
	require.NoError(t, err)
	require.Len(t, s.Steps, 1)
	return s.Steps[0].Verdicts, fmt.Sprintf("%+v %s", s.Steps, lines.String())
}

// What a policy says is in the step, an allow with a reason included, and nothing
// that is a secret.
func TestVerdictsAreInTheStep(t *testing.T) {
	const secret = "/hunter2"
	d := desktoptest.New(t)
	d.AddTools(
		desktoptest.Tool{Name: "read", Annotations: desktop.Annotations{ReadOnlyHint: true}},
		desktoptest.Tool{Name: "delete_note"},
		desktoptest.Tool{Name: "unlock", Schema: `{"type": "object", "properties": {"key_file": {"type": "string", "writeOnly": true}}}`},
	)
	noted := func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
		v := policies.Verdict{Action: policies.Allow}
		if key, ok := cmd.Parameters["key_file"].(string); ok {
			v.Reason = "it has the key " + key // a policy of a program that does not care
		} else if cmd.ToolName == "read" && cmd.CallID == "2" {
			v.Reason = "it was read before"
		}
		return v
	}
	roots := must(policies.NewRoots([]string{"/data"}, nil))
	actor := acting.Actor{Desktop: d, Policy: policies.All(policies.AskDestructive(), noted, policies.Paths(roots, nil))}
	said, record := verdicts(t, actor,
		desktop.Command{ToolName: "read", CallID: "1"},
		desktop.Command{ToolName: "read", CallID: "2"},
		desktop.Command{ToolName: "delete_note", CallID: "3"},
		desktop.Command{ToolName: "read", CallID: "4", Parameters: map[string]any{"path": "/etc/passwd"}},
		desktop.Command{ToolName: "unlock", CallID: "5", Parameters: map[string]any{"key_file": secret}},
		desktop.Command{ToolName: "unlock", CallID: "6", Parameters: map[string]any{"key_file": "/data/" + secret}},
	)
	assert.Equal(t, []round.Verdict{
		{Tool: "read", CallID: "2", Action: "allow", Reason: "it was read before"},
		{Tool: "delete_note", CallID: "3", Action: "confirm", Reason: `the name of the tool "delete_note" says "delete"`},
		{Tool: "read", CallID: "4", Action: "deny", Reason: `the path "/etc/passwd" is not in a directory on the list`},
		{Tool: "unlock", CallID: "5", Action: "deny", Reason: `the path "***" is not in a directory on the list`},
		{Tool: "unlock", CallID: "6", Action: "allow", Reason: "it has the key ***"},
	}, said)
	assert.NotContains(t, record, "hunter2")
}

// A reason quotes a part of a value; where the value has a secret, the part may be
// one, too, whatever is missing at its end.
func TestSecretsAreNotInReasons(t *testing.T) {
	const (
		hook  = "https://hooks.example/T000/B000/hunter2hunter2"
		spelt = "webhook " + hook + "."
	)
	list := must(policies.NewHostList([]string{"good.example"}))
	roots := must(policies.NewRoots([]string{"/data"}, nil))
	d := desktoptest.New(t)
	d.AddTools(desktoptest.Tool{Name: "notify", Schema: `{"type": "object", "properties": {
		"secret": {"type": "string", "format": "password"}, "text": {"type": "string"}, "pin": {"writeOnly": true}}}`})
	var commands []desktop.Command
	for i, parameters := range []map[string]any{
		{"secret": spelt}, // cut out of the secret
		{"secret": spelt, "about": "post to " + hook + "!"}, // elsewhere, and seen first
		{"secret": "hunter2hunter2", "about": "see " + hook + ", please"},
		{"secret": "a key\n\"/keys/hunter2hunter2\""},
		{"pin": "hunter2 https://evil.example/" + strings.Repeat("x", 200)},
		{"text": "see https://evil.example/x."}, // no secret
	} {
		commands = append(commands, desktop.Command{ToolName: "notify", CallID: strconv.Itoa(i), Parameters: parameters})
	}
	actor := acting.Actor{Desktop: d, Policy: policies.All(policies.Hosts(list, nil), policies.Paths(roots, nil))}
	said, record := verdicts(t, actor, commands...)
	const host = `the URL "***" has a host that is not on the list`
	reasons := []string{}
	for _, v := range said {
		assert.Equal(t, "deny", v.Action)
		reasons = append(reasons, v.Reason)
	}
	assert.Equal(t, []string{
		host, host, host, `the path "***" is not in a directory on the list`, host,
		`the URL "https://evil.example/x" has a host that is not on the list`,
	}, reasons)
	assert.Contains(t, record, "***")
	for _, secret := range []string{"hunter2", "hooks.example", "keys"} {
		assert.NotContains(t, record, secret)
	}
	assert.Empty(t, d.Calls("notify"))
}
