package acting_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/policies"
)

// The acts of a decision under a policy, what became of each, and what is waited for.
func TestPerform(t *testing.T) {
	erase := func(v policies.Verdict) policies.Func { return verdicts(map[string]policies.Verdict{"erase": v}) }
	rules := map[string]policies.Func{
		"by default": nil, "deny": erase(policies.Verdict{Action: policies.Deny, Reason: "never"}), "ask": erase(policies.Verdict{Reason: "it is gone then"}),
		"deny without a word": erase(policies.Verdict{Action: policies.Deny}),
		"nonsense":            verdicts(map[string]policies.Verdict{"write": {Action: 77, Reason: "sure"}}),
		"zero":                func(context.Context, desktop.Tool, desktop.Command) policies.Verdict { return policies.Verdict{} },
	}
	golden.Cases(t, "perform.txt", func(text string) string {
		rule, tools, _ := strings.Cut(text, ":")
		rule, confirm := strings.CutSuffix(rule, ", and the model asks for confirmation")
		policy, ok := rules[rule]
		require.True(t, ok, rule)
		d, actor := bench(t, policy)
		list := acts(strings.Fields(tools)...)
		p, err := actor.Perform(t.Context(), list, confirm)
		require.NoError(t, err)
		for i, a := range p.Acted {
			assert.Equal(t, list[i], a.Act)
			assert.Equal(t, a.Command.CallID, a.Result.CallID, "a result is of its command")
		}
		lines := append(became(p), fmt.Sprint(len(d.Log()), " executed"))
		if p.Problem() != "" {
			lines = append(lines, "problem: "+p.Problem())
		}
		if a := p.Approval; a != nil {
			assert.Equal(t, "a1", a.ID)
			assert.Equal(t, list[len(d.Log())], a.Act)
			assert.False(t, a.Granted)
			lines = append(lines, fmt.Sprintf("waits for approval: %q", a.Reason))
		}
		return strings.Join(lines, "\n")
	})
}

func TestPerformErrors(t *testing.T) {
	stopped := errors.New("stopped")
	t.Run("a broken transport", func(t *testing.T) {
		d, actor := bench(t, nil)
		d.Break("write", errBroken)
		p, err := actor.Perform(t.Context(), acts("login", "write", "login"), false)
		require.ErrorIs(t, err, errBroken)
		require.Len(t, p.Acted, 3)
		assert.Equal(t, "login success", became(p)[0])
		assert.Contains(t, became(p)[1], "write failure: nobody knows whether it happened: ")
		assert.Equal(t, "login skipped: an action before it failed", became(p)[2])
		assert.Empty(t, p.Acted[0].Result.Unverified)
		assert.Equal(t, p.Acted[1].Result.Error, p.Acted[1].Result.Unverified, "nobody knows whether it happened")
	})
	t.Run("a deadline is a failure", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, actor := bench(t, nil)
			d.Slow("write", -1)
			actor.Desktop = desktop.Timeout(actor.Desktop, time.Second)
			p, err := actor.Perform(t.Context(), acts("write", "login"), false)
			require.NoError(t, err)
			assert.Equal(t, []string{"write failure: no answer came in time: nobody knows whether it happened; look before you repeat it", "login skipped: an action before it failed"}, became(p))
			assert.Equal(t, p.Acted[0].Result.Error, p.Acted[0].Result.Unverified, "nobody knows whether it happened")
		})
	})
	t.Run("nobody doubts what only reads", func(t *testing.T) {
		d, actor := bench(t, nil)
		d.AddTools(desktoptest.Tool{Name: "read", Annotations: desktop.Annotations{ReadOnlyHint: true}})
		d.Break("read", context.DeadlineExceeded)
		p, err := actor.Perform(t.Context(), acts("read"), false)
		require.NoError(t, err)
		assert.Equal(t, []string{"read failure: no answer came in time: nobody knows whether it happened; look before you repeat it"}, became(p))
		assert.Empty(t, p.Acted[0].Result.Unverified)
	})
	t.Run("a context that ends meanwhile", func(t *testing.T) {
		d, actor := bench(t, nil)
		ctx, cancel := context.WithCancelCause(t.Context())
		d.After("write", func(desktoptest.Call) { cancel(stopped) })
		p, err := actor.Perform(ctx, acts("write", "login", "write"), false)
		require.ErrorIs(t, err, stopped)
		assert.Equal(t, []string{"write success", "login skipped: not executed", "write skipped: not executed"}, became(p))
		assert.Len(t, d.Log(), 1)

		p, err = actor.Perform(ctx, acts("write"), false)
		require.ErrorIs(t, err, stopped)
		assert.Equal(t, []string{"write skipped: not executed"}, became(p))
	})
	t.Run("arguments that do not fit", func(t *testing.T) {
		_, actor := bench(t, nil)
		bad := write(map[string]any{"n": "x"})
		p, err := actor.Perform(t.Context(), []acting.Act{acts("login")[0], bad}, false)
		require.ErrorIs(t, err, desktop.ErrParameters)
		assert.Equal(t, []string{"login success", "write skipped: not executed"}, became(p))
		_, err = actor.Perform(t.Context(), []acting.Act{write(map[string]any{"n": math.NaN()})}, false)
		require.ErrorIs(t, err, desktop.ErrParameters)
		_, err = actor.Perform(t.Context(), acts("fly"), false)
		require.ErrorIs(t, err, desktop.ErrUnknownTool)
	})
	t.Run("no list of tools", func(t *testing.T) {
		d, actor := bench(t, nil)
		d.Break(desktop.ListTools, errBroken)
		p, err := actor.Perform(t.Context(), acts("write"), false)
		require.ErrorIs(t, err, errBroken)
		assert.Equal(t, []string{"write skipped: not executed"}, became(p))
		a := granted(t, acts("write")[0])
		p, err = done(t.Context(), actor, a)
		require.ErrorIs(t, err, errBroken)
		assert.Equal(t, []string{"write skipped: not executed"}, became(p))
	})
}

// A desktop that skips a single command has not done it.
func TestPerformSkippedByTheDesktop(t *testing.T) {
	d, actor := bench(t, nil)
	d.Lie("write", desktop.Result{Status: desktop.Skipped, Error: "busy"})
	p, err := actor.Perform(t.Context(), acts("write", "login"), false)
	require.NoError(t, err)
	assert.Equal(t, []string{"write failure: the desktop did not execute it: busy", "login skipped: an action before it failed"}, became(p))
	assert.Equal(t, "write failed: the desktop did not execute it: busy", p.Problem())
}

func TestPerformUsesTools(t *testing.T) {
	_, actor := bench(t, nil)
	box, err := desktop.NewToolbox([]desktop.Tool{{Name: "write"}}, nil)
	require.NoError(t, err)
	actor.Tools = box
	_, err = actor.Perform(t.Context(), acts("login"), false)
	require.ErrorIs(t, err, desktop.ErrUnknownTool)
}

// What the policy judged is what is executed.
func TestPolicyGetsCopies(t *testing.T) {
	d, actor := bench(t, func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		cmd.Parameters["n"] = 2
		copy(tool.InputSchema, "xxxx")
		return policies.Verdict{Action: policies.Allow}
	})
	for range 2 {
		_, err := actor.Perform(t.Context(), []acting.Act{write(map[string]any{"n": 1})}, false)
		require.NoError(t, err)
	}
	for _, e := range d.Log() {
		assert.InDelta(t, 1, e.Command.Parameters["n"], 0)
	}
}

func TestPerformReports(t *testing.T) {
	var record sink
	ctx := trace.With(t.Context(), &record)
	_, actor := bench(t, verdicts(map[string]policies.Verdict{
		"login": {Action: policies.Allow, Reason: "only here"}, "erase": {Action: policies.Deny, Reason: "never"},
	}))
	login := acting.Act{Command: desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2"}}}
	_, err := actor.Perform(ctx, append([]acting.Act{login}, acts("write", "erase")...), false)
	require.NoError(t, err)
	assert.Equal(t, []string{"hunter2"}, record.secrets)
	assert.Equal(t, "***", record.masked[0].Parameters["password"])
	assert.Equal(t, []trace.Verdict{
		{Tool: "login", Action: "allow", Reason: "only here"},
		{Tool: "erase", CallID: "c-erase", Action: "deny", Reason: "never"},
	}, record.verdicts, "what was simply allowed is not news")
}

func TestAnnounce(t *testing.T) {
	d, _ := bench(t, nil)
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	var record sink
	login := func(password string) desktop.Command {
		return desktop.Command{ToolName: "login", Parameters: map[string]any{"password": password}}
	}
	ctx := trace.With(t.Context(), &record)
	acting.Announce(ctx, box, login("secret"))
	assert.Equal(t, []string{"secret"}, record.secrets)
	assert.Equal(t, "***", record.masked[0].Parameters["password"])

	acting.Announce(ctx, nil, login("other"))
	assert.Equal(t, "***", record.masked[1].Parameters["password"], "nobody knows what is secret")
	acting.Announce(ctx, box, desktop.Command{})
	assert.Len(t, record.masked, 2)
	acting.Announce(t.Context(), box, login("secret")) // nobody records
}

func TestApprovalHidesSecrets(t *testing.T) {
	_, actor := bench(t, verdicts(map[string]policies.Verdict{"login": {}}))
	act := acting.Act{Command: desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2"}}}
	actor.NewID = nil
	p, err := actor.Perform(t.Context(), []acting.Act{act}, false)
	require.NoError(t, err)
	assert.NotEmpty(t, p.Approval.ID, "an id of its own")
	user := answers(true)
	confirm(t, p.Approval, user, "")
	assert.Equal(t, `Allow login {"password":"***"}?`, user.asked[0].Text)
	assert.True(t, p.Approval.Covers(act), "the whole command is approved")
}
