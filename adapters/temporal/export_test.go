package temporal

import (
	"context"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// SetMost has workflows that this engine starts continue as new after so many drives.
func (e *Engine) SetMost(most int) { e.most = most }

// Register registers the workflow for a replay.
func (e *Engine) Register(r worker.WorkflowReplayer) {
	r.RegisterWorkflowWithOptions(e.workflow, workflow.RegisterOptions{Name: workflowType})
}

// Describe says how the server has the workflow of a run.
func (e *Engine) Describe(ctx context.Context, run string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return e.client.DescribeWorkflowExecution(ctx, WorkflowID(run), "")
}
