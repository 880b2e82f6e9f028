package scenarios_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// doer does one list of acts and finishes, whatever became of them.
type doer struct {
	fsm.Position
	actor acting.Actor
	acts  []acting.Act
	// approved is done first.
	approved *acting.Approval
}

var doers = fsm.Table("Doer", []fsm.Row[*doer]{
	{Status: fsm.Continue, Handle: (*doer).do},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Error, RoundEnd: true},
}, fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem})

func (d *doer) Name() string                          { return "doer" }
func (d *doer) States() fsm.Set                       { return doers }
func (d *doer) Answer() string                        { return "" }
func (d *doer) Begin(context.Context, fsm.Task) error { return nil }

func (d *doer) do(ctx context.Context) error {
	work := acting.Work{Waiting: acting.Waiting{Approval: d.approved}}
	if _, err := work.PerformApproved(ctx, &d.actor, ""); err != nil {
		return err
	}
	for _, act := range d.acts {
		if _, err := d.actor.Perform(ctx, []acting.Act{act}, false); err != nil {
			return err
		}
	}
	d.Decide(fsm.Finish, fsm.BySystem, "")
	return nil
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
	agent := &doer{actor: acting.Actor{
		Desktop: d,
		Policy:  policies.All(policies.AskDestructive(), noted, policies.Paths(roots, nil)),
	}}
	for _, cmd := range []desktop.Command{
		{ToolName: "read", CallID: "1"},
		{ToolName: "read", CallID: "2"},
		{ToolName: "delete_note", CallID: "3"},
		{ToolName: "read", CallID: "4", Parameters: map[string]any{"path": "/etc/passwd"}},
		{ToolName: "unlock", CallID: "5", Parameters: map[string]any{"key_file": secret}},
		{ToolName: "unlock", CallID: "6", Parameters: map[string]any{"key_file": "/data/" + secret}},
	} {
		agent.acts = append(agent.acts, acting.Act{Command: cmd})
	}
	var steps []round.Step
	r, err := round.New(agent, "go", &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, steps, 1)
	assert.Equal(t, []round.Verdict{
		{Tool: "read", CallID: "2", Action: "allow", Reason: "it was read before"},
		{Tool: "delete_note", CallID: "3", Action: "confirm", Reason: `the name of the tool "delete_note" says "delete"`},
		{Tool: "read", CallID: "4", Action: "deny", Reason: `the path "/etc/passwd" is not in a directory on the list`},
		{Tool: "unlock", CallID: "5", Action: "deny", Reason: `the path "***" is not in a directory on the list`},
		{Tool: "unlock", CallID: "6", Action: "allow", Reason: "it has the key ***"},
	}, steps[0].Verdicts)
	line, err := json.Marshal(steps[0])
	require.NoError(t, err)
	assert.NotContains(t, string(line), "hunter2")
}

// A reason quotes a part of a value; where the value has a secret, the part may be
// one, too, whatever is missing at its end.
func TestSecretsAreNotInReasons(t *testing.T) {
	const (
		hook  = "https://hooks.example/T000/B000/hunter2hunter2"
		spelt = "webhook " + hook + "."
	)
	list := must(policies.NewHostList([]string{"good.example"}, nil))
	roots := must(policies.NewRoots([]string{"/data"}, nil))
	d := desktoptest.New(t)
	d.AddTools(desktoptest.Tool{Name: "notify", Schema: `{"type": "object", "properties": {
		"secret": {"type": "string", "format": "password"}, "text": {"type": "string"}, "pin": {"writeOnly": true}}}`})
	agent := &doer{actor: acting.Actor{Desktop: d, Policy: policies.All(policies.Hosts(list, nil), policies.Paths(roots, nil))}}
	for i, parameters := range []map[string]any{
		{"secret": spelt}, // cut out of the secret
		{"secret": spelt, "about": "post to " + hook + "!"}, // elsewhere, and seen first
		{"secret": "hunter2hunter2", "about": "see " + hook + ", please"},
		{"secret": "a key\n\"/keys/hunter2hunter2\""},
		{"pin": "hunter2 https://evil.example/" + strings.Repeat("x", 200)},
		{"text": "see https://evil.example/x."}, // no secret
	} {
		agent.acts = append(agent.acts, acting.Act{Command: desktop.Command{ToolName: "notify", CallID: strconv.Itoa(i), Parameters: parameters}})
	}
	var lines bytes.Buffer
	var steps []round.Step
	jsonl := round.JSONL(&lines)
	r, err := round.New(agent, "go", &round.Options{Observe: func(s round.Step) { steps = append(steps, s); jsonl(s) }})
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, steps, 1)
	const host = `the URL "***" has a host that is not on the list`
	reasons := []string{}
	for _, v := range steps[0].Verdicts {
		assert.Equal(t, "deny", v.Action)
		reasons = append(reasons, v.Reason)
	}
	assert.Equal(t, []string{
		host, host, host, `the path "***" is not in a directory on the list`, host,
		`the URL "https://evil.example/x" has a host that is not on the list`,
	}, reasons)
	assert.Contains(t, lines.String(), "***")
	for _, secret := range []string{"hunter2", "hooks.example", "keys"} {
		assert.NotContains(t, fmt.Sprintf("%+v", steps), secret)
		assert.NotContains(t, lines.String(), secret)
	}
	assert.Empty(t, d.Calls("notify"))
}

// Also of an act that a person has approved, where the policy has another word by
// then.
func TestVerdictsOfApprovedActs(t *testing.T) {
	for name, want := range map[string][]round.Verdict{
		"known": {{Tool: "write", CallID: "1", Action: "allow", Reason: "known"}},
		"no":    {{Tool: "write", CallID: "1", Action: "deny", Reason: "no"}},
		"ask":   nil, // that is in the step of the question
	} {
		d := desktoptest.New(t)
		d.AddTools(desktoptest.Tool{Name: "write"})
		act := acting.Act{Command: desktop.Command{ToolName: "write", CallID: "1"}}
		approval := acting.NewApproval("a1", act, "")
		approval.Granted = true
		says := func(action policies.Action) policies.Func {
			return func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
				return policies.Verdict{Action: action, Reason: name}
			}
		}
		byName := map[string]policies.Func{"known": says(policies.Allow), "no": says(policies.Deny), "ask": says(policies.Confirm)}
		agent := &doer{actor: acting.Actor{Desktop: d, Policy: byName[name]}, approved: approval}
		var steps []round.Step
		r, err := round.New(agent, "go", &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.NoError(t, err)
		require.Len(t, steps, 1)
		assert.Equal(t, want, steps[0].Verdicts, name)
	}
}
