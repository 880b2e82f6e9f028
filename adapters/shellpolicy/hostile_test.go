package shellpolicy_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Lines that are made to keep the policy busy are denied, and end.
func TestHostileLines(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{
		AskUnclear: true, AskUnlisted: true, Vars: []string{"f"}, Rules: []shellpolicy.Rule{{Command: "true"}},
	})
	require.NoError(t, err)
	const n = shellpolicy.MaxLine / 8
	values := strings.Repeat("1 ", 200)
	vars := []string{"a", "b", "c", "d", "e", "g", "h", "i"}
	loops := ""
	for _, name := range vars {
		loops += "for " + name + " in " + values + "; do "
	}
	nested, err := shellpolicy.New(shellpolicy.Config{Vars: vars, Writes: []string{"/"}})
	require.NoError(t, err)
	for name, line := range map[string]string{
		"subshells":     strings.Repeat("( ", n) + "true" + strings.Repeat(" )", n),
		"substitutions": "true " + strings.Repeat("$(", n) + strings.Repeat(")", n),
		"defaults":      "true " + strings.Repeat("${a:-", n) + strings.Repeat("}", n),
		"arithmetic":    "true $((" + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + "))",
		"open":          strings.Repeat("(", 8*n),
		"lists":         strings.Repeat("rm && ", n) + "true",
		"negations":     strings.Repeat("! ", n) + "true",
		"backquotes":    strings.Repeat("`", 8*n-1),
		"conditions":    strings.Repeat("if true; then ", n/4) + "rm x" + strings.Repeat("; fi", n/4),
	} {
		v := p(t.Context(), shellTool(t), desktop.Shell(line))
		assert.NotEqual(t, policies.Allow, v.Action, name)
		assert.Less(t, len(v.Reason), 1000, name)
	}
	v := nested(t.Context(), shellTool(t), desktop.Shell(loops+">/x"+strings.Repeat("; done", len(vars))))
	assert.Equal(t, policies.Deny, v.Action)
	assert.Contains(t, v.Reason, "too much to judge")
}

// What a loop repeats is counted each time, in whatever form it is long.
func TestHostileLoops(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{
		Dir: "/srv", Reads: []string{"/srv"}, Vars: []string{"a", "b", "c"}, AskUnclear: true, AskUnlisted: true,
		Rules: []shellpolicy.Rule{{Command: "ok", Args: []string{"any..."}}},
	})
	require.NoError(t, err)
	hundred := strings.Repeat(" x", 100)
	for name, body := range map[string]string{
		"words":                 "ok" + strings.Repeat(" x", 20_000),
		"one long word":         "ok " + strings.Repeat("x", 40_000),
		"a value":               `for c in ` + strings.Repeat("x", 20_000) + `; do ok "` + strings.Repeat("$c", 10_000) + `"; done`,
		"a here-document":       "ok <<E\n" + strings.Repeat("x\n", 20_000) + "E\n",
		"something unclear":     "ok $((1" + strings.Repeat("+1", 20_000) + "))",
		"a test":                "[[ 1" + strings.Repeat(" && 1", 8_000) + " ]]",
		"a pattern":             "case x in " + strings.Repeat("x|", 20_000) + "x) ok;; esac",
		"assignments":           strings.Repeat("b=x ", 10_000),
		"redirections":          "ok" + strings.Repeat(" <x", 15_000),
		"values of a loop":      "for c in " + strings.Repeat(" x", 20_000) + "; do ok; done",
		"of one without a name": "for z in " + strings.Repeat(" x", 20_000) + "; do ok; done",
	} {
		line := "for a in" + hundred + "; do for b in" + hundred + "; do " + body + "\ndone; done"
		require.LessOrEqual(t, len(line), shellpolicy.MaxLine, name)
		v := p(t.Context(), shellTool(t), desktop.Shell(line))
		assert.Equal(t, policies.Deny, v.Action, name)
		assert.Contains(t, v.Reason, "too much", name)
	}
	v := p(t.Context(), shellTool(t), desktop.Shell("ok "+strings.Repeat("'(' ", 8_001)))
	assert.Equal(t, policies.Verdict{Action: policies.Deny, Reason: "the command line has more than 8000 brackets"}, v)
	v = p(t.Context(), shellTool(t), desktop.Shell("ok '"+strings.Repeat("(1, 2), ", 7_000)+"'"))
	assert.Equal(t, policies.Allow, v.Action, v.Reason)
}

// A call that has ended gets no verdict but deny, and gets it at once.
func TestEndedCall(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{AskUnclear: true, AskUnlisted: true, Rules: []shellpolicy.Rule{{Command: "true"}}})
	require.NoError(t, err)
	ended := policies.Verdict{Action: policies.Deny, Reason: "the call ended before all of it was judged"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"true", "true $x", "rm x", "(", ""} {
		assert.Equal(t, ended, p(ctx, shellTool(t), desktop.Shell(line)), line)
	}
	// One that ends in the middle.
	for left := range 12 {
		ctx := &ending{left}
		v := p(ctx, shellTool(t), desktop.Shell("for z in a b c; do true; true x; true y; done"))
		assert.Equal(t, policies.Deny, v.Action, left)
		assert.Contains(t, v.Reason, ended.Reason, left)
		assert.Negative(t, ctx.left, "it was not asked again and again")
		assert.Greater(t, ctx.left, -3)
	}
}

// ending is a context that ends when it has been asked some times.
type ending struct{ left int }

func (*ending) Deadline() (at time.Time, ok bool) { return }
func (*ending) Done() <-chan struct{}             { return nil }
func (*ending) Value(any) any                     { return nil }

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}
