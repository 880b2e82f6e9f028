package processor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// Every act but the first is looked at before it is executed.
func TestPerformLooksAgain(t *testing.T) {
	d, a := bench(t, verdicts(nil))
	list := acts("write", "erase", "write", "login")
	for i := range list {
		list[i].Target = "here"
	}
	var looked []string
	a.Look = func(_ context.Context, act processor.Act) string {
		looked = append(looked, act.Command.ToolName)
		if d.Count("erase") > 0 {
			return "there"
		}
		return act.Target
	}
	p, err := a.Perform(t.Context(), list, false)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"write success", "erase success",
		"write failure: it was not executed: its target was here, and is there after the actions before it",
		"login skipped: an action before it failed",
	}, became(p))
	assert.Equal(t, "c-write", p.Acted[2].Result.CallID)
	assert.Equal(t, []string{"erase", "write"}, looked)
	assert.Equal(t, 1, d.Count("write"))
	assert.Contains(t, p.Problem(), "write failed: it was not executed")
}

// Who cancels while somebody looks stops the list; nothing is said of the target.
func TestPerformCancelledWhileLooking(t *testing.T) {
	d, a := bench(t, verdicts(nil))
	ctx, cancel := context.WithCancel(t.Context())
	a.Look = func(context.Context, processor.Act) string { cancel(); return "nothing" }
	p, err := a.Perform(ctx, acts("write", "erase"), false)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, []string{"write success", "erase skipped: not executed"}, became(p))
	assert.Zero(t, d.Count("erase"))
	assert.Equal(t, desktop.Skipped, p.Acted[1].Result.Status)
}
