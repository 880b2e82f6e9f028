package temporal_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Prices has the activities of a workflow of yours with a round inside.
type Prices struct{ Journals store.Store }

// AskForPrice has the clerk work until it has its answer. The id of the run is that of the workflow.
func AskForPrice(ctx workflow.Context, request string) (string, error) {
	var p *Prices
	run := workflow.GetInfo(ctx).WorkflowExecution.ID
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Hour, HeartbeatTimeout: 10 * time.Second})
	for {
		var res round.Result
		if err := workflow.ExecuteActivity(ctx, p.Drive, run, request).Get(ctx, &res); err != nil || len(res.Waits) == 0 {
			return res.Answer, err
		}
		var text string
		workflow.GetSignalChannel(ctx, "price").Receive(ctx, &text)
		if err := workflow.ExecuteActivity(ctx, p.Answer, run, res.Waits[0].ID, text).Get(ctx, nil); err != nil {
			return "", err
		}
	}
}

// Drive drives the round until it has ended, or waits for a person. Temporal may try it again: the journal knows what was done.
func (p *Prices) Drive(ctx context.Context, run, request string) (round.Result, error) {
	session, err := durable.Open(ctx, newClerk(""), p.Journals, run, nil)
	if err != nil {
		return round.Result{}, err
	}
	r := session.Round()
	if r == nil {
		if r, err = session.Start(request); err != nil {
			return round.Result{}, err
		}
	}
	for range r.Steps(ctx) {
		activity.RecordHeartbeat(ctx) // a step takes less than the HeartbeatTimeout
	}
	res := r.Result()
	if err = res.Err; errors.Is(err, round.ErrSuspended) {
		err = nil
	}
	return round.Result{Answer: res.Answer, Waits: res.Waits}, errors.Join(err, session.Close(context.WithoutCancel(ctx)))
}

// Answer answers a question.
func (p *Prices) Answer(ctx context.Context, run, question, text string) (bool, error) {
	return durable.Answer(ctx, p.Journals, run, question, people.Answer{Text: text})
}

func TestRoundInAWorkflow(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.RegisterActivity(&Prices{Journals: store.Memory()})
	env.RegisterDelayedCallback(func() { env.SignalWorkflow("price", "12 euros") }, 24*time.Hour)
	env.ExecuteWorkflow(AskForPrice, "ask for the price")
	require.NoError(t, env.GetWorkflowError())
	var answer string
	require.NoError(t, env.GetWorkflowResult(&answer))
	assert.Equal(t, "12 euros", answer)
}
