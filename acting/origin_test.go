package acting_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/policies"
)

// An approval is of a tool at one origin that says the same about itself.
func TestApprovalsAreOfOneOrigin(t *testing.T) {
	pay := desktop.Tool{
		Name: "pay", Origin: "bank", Annotations: desktop.Annotations{DestructiveHint: true},
		InputSchema: []byte(`{"type":"object","properties":{"to":{}}}`),
	}
	golden.Cases(t, "origin.txt", func(text string) string {
		now := pay
		now.InputSchema = bytes.Clone(pay.InputSchema) // which Unmarshal writes into
		require.NoError(t, json.Unmarshal([]byte(text), &now))
		d := &counter{tools: []desktop.Tool{pay}}
		actor := &acting.Actor{Desktop: d}
		p, err := actor.Perform(t.Context(), []acting.Act{{Command: desktop.Command{ToolName: "pay"}}}, false)
		require.NoError(t, err)
		require.NotNil(t, p.Approval)
		user := answers(true)
		confirm(t, p.Approval, user, "")
		assert.Equal(t, `Allow pay of "bank"? It needs approval because the tool is marked as destructive.`, user.asked[0].Text)
		d.tools = []desktop.Tool{now}
		p, err = done(t.Context(), actor, p.Approval)
		require.NoError(t, err)
		for _, cmd := range d.ran {
			assert.Equal(t, "bank", cmd.Origin)
		}
		return fmt.Sprintf("%s\n%d executed", strings.Join(became(p), "\n"), len(d.ran))
	})
}

// What is executed without an approval says, too, whose tool was judged.
func TestCommandsSayWhoseToolWasJudged(t *testing.T) {
	d := &counter{tools: []desktop.Tool{{Name: "look", Origin: "bank"}}}
	actor := &acting.Actor{Desktop: d, Policy: func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		assert.Equal(t, "bank", tool.Origin)
		assert.Equal(t, "bank", cmd.Origin)
		return policies.Verdict{Action: policies.Allow}
	}}
	_, err := actor.Perform(t.Context(), []acting.Act{{Command: desktop.Command{ToolName: "look"}}}, false)
	require.NoError(t, err)
	require.Len(t, d.ran, 1)
	assert.Equal(t, "bank", d.ran[0].Origin)
}

// The acts behind an approved one keep their tools, and the digits of their arguments, in JSON, also
// for a decoder without UseNumber.
func TestTheRestOfAListAsJSON(t *testing.T) {
	list := []acting.Act{
		{Command: desktop.Command{ToolName: "pay"}},
		{Command: desktop.Command{ToolName: "tell", Parameters: map[string]any{"pin": json.Number("12345678901234567890")}}},
	}
	for name, now := range map[string]desktop.Tool{
		"": {Name: "tell", Origin: "bank"},
		`it is another tool of that name now, from "club" and not from "bank"`: {Name: "tell", Origin: "club"},
		"the description of its tool changed":                                  {Name: "tell", Origin: "bank", Description: "Tell all."},
		`"to" is required`:                                                     {Name: "tell", Origin: "bank", InputSchema: []byte(`{"type": "object", "required": ["to"]}`)},
		`unknown tool "tell"`:                                                  {Name: "talk", Origin: "bank"},
	} {
		t.Run(name, func(t *testing.T) {
			pay := desktop.Tool{Name: "pay", Annotations: desktop.Annotations{DestructiveHint: true}}
			d := &counter{tools: []desktop.Tool{pay, {Name: "tell", Origin: "bank"}}}
			actor := &acting.Actor{Desktop: d, User: answers(true)}
			var w acting.Work
			_, _, err := w.Perform(t.Context(), actor, list, acting.Wish{To: fsm.Continue})
			require.NoError(t, err)
			_, err = w.Confirm(t.Context(), actor, "")
			require.NoError(t, err)
			raw, err := json.Marshal(w)
			require.NoError(t, err)
			var back acting.Work
			require.NoError(t, json.Unmarshal(raw, &back))
			d.tools[1] = now
			p, err := back.PerformApproved(t.Context(), actor, "")
			require.NoError(t, err, "it ends nothing")
			require.Len(t, p.Acted, 2)
			if name != "" {
				assert.Len(t, d.ran, 1)
				assert.Contains(t, p.Problem(), name)
				return
			}
			require.Len(t, d.ran, 2)
			assert.Equal(t, json.Number("12345678901234567890"), d.ran[1].Parameters["pin"])
			assert.Equal(t, "bank", d.ran[1].Origin)
		})
	}
}

// hiding hides the words of a secret, as a Round does.
type hiding struct{ trace.Sink }

func (hiding) Hide(text string) string { return strings.ReplaceAll(text, "hunter2", "***") }

// The focus counts for what was approved, and for the first act of a step that goes on
// elsewhere; an act before it may move the focus.
func TestPerformAndTheFocus(t *testing.T) {
	d, a := bench(t, verdicts(map[string]policies.Verdict{"erase": {}}))
	focus := "2"
	a.Look = func(_ context.Context, act acting.Act) acting.Act {
		act.Focus, act.Title = focus, "a title"
		return act
	}
	list := acts("write", "erase")
	for i := range list {
		list[i].Target, list[i].Focus = "here", "1"
	}
	p, err := a.Perform(t.Context(), list, false)
	require.NoError(t, err)
	require.NotNil(t, p.Approval)
	assert.Equal(t, "2", p.Approval.Act.Focus, "where it is now")
	p.Approval.Granted = true
	focus = "3"
	void, err := done(t.Context(), a, p.Approval)
	require.NoError(t, err)
	assert.Contains(t, void.Problem(), "was not executed: its target changed after")
	assert.Empty(t, d.Calls("erase"))
	focus = "2"
	_, err = done(t.Context(), a, p.Approval)
	require.NoError(t, err)
	assert.Len(t, d.Calls("erase"), 1)

	var record sink
	p.Approval.Act.Title = "a hunter2 title, " + strings.Repeat("x", 1<<20)
	user := answers(true)
	_, err = (&acting.Work{Approval: p.Approval}).Confirm(trace.With(t.Context(), &hiding{&record}), &acting.Actor{User: user, Agent: "clerk"}, "")
	require.NoError(t, err)
	assert.Less(t, len(user.asked[0].Text), 1000, "a page says what it likes in its title")
	assert.NotContains(t, user.asked[0].Text+user.asked[0].Title, "hunter2")

	p.Approval.Act.Title = "a title"
	user = answers(true)
	confirm(t, p.Approval, user, "")
	assert.Equal(t, `Allow erase on "here with the focus on 2" titled "a title"?`, user.asked[0].Text)
}
