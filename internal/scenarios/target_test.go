package scenarios_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
)

// counter is a desktop whose tools come and go. It knows nothing of windows.
type counter struct {
	mu    sync.Mutex
	tools []desktop.Tool
	ran   []string
}

func (c *counter) offer(tools ...desktop.Tool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tools = tools
}

func (c *counter) Tools(context.Context) ([]desktop.Tool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tools), nil
}

func (c *counter) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.ContainsFunc(c.tools, func(t desktop.Tool) bool { return t.Name == cmd.ToolName }) {
		return desktop.FailureResult("%s is not offered any more", cmd.ToolName), nil
	}
	c.ran = append(c.ran, cmd.ToolName+" of "+cmd.Origin)
	return desktop.Result{Status: desktop.Success}, nil
}

// A kind of agent that uses approvals directly gets the same.
func TestScenario47_ApprovalsOfAnotherKind(t *testing.T) {
	bank := &counter{}
	pay := desktop.Tool{Name: "pay", Annotations: desktop.Annotations{DestructiveHint: true}}
	bank.offer(pay)
	actor := &acting.Actor{Desktop: bank}
	p, err := actor.Perform(t.Context(), []acting.Act{{Command: desktop.Command{ToolName: "pay"}}}, false)
	require.NoError(t, err)
	p.Approval.Granted = true
	bank.offer()
	work := acting.Work{Waiting: acting.Waiting{Approval: p.Approval}}
	p, err = work.PerformApproved(t.Context(), actor, "")
	require.NoError(t, err)
	assert.Contains(t, p.Problem(), `pay failed: the approval is void: desktop: unknown tool "pay"`)
}
