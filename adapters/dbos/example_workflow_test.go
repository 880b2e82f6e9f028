package dbos_test

import (
	"context"
	"errors"
	"testing"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// prices is a workflow of yours with a round inside.
type prices struct{ journals store.Store }

// ask has the clerk work until it has its answer. The id of the run is that of the workflow.
func (p *prices) ask(ctx sdk.Context, request string) (string, error) {
	run, err := sdk.GetWorkflowID(ctx)
	for err == nil {
		var res round.Result
		res, err = sdk.RunAsStep(ctx, func(ctx context.Context) (round.Result, error) {
			return p.drive(ctx, run, request) // again after a crash: the journal knows what was done
		}, sdk.WithStepName("drive"))
		if err != nil || len(res.Waits) == 0 {
			return res.Answer, err
		}
		var text string
		if text, err = sdk.Recv[string](ctx, "price", 7*24*time.Hour); err == nil {
			_, err = sdk.RunAsStep(ctx, func(ctx context.Context) (bool, error) {
				return durable.Answer(ctx, p.journals, run, res.Waits[0].ID, people.Answer{Text: text})
			}, sdk.WithStepName("answer"))
		}
	}
	return "", err
}

// drive drives the round until it has ended, or waits for a person, which is no error of a step.
func (p *prices) drive(ctx context.Context, run, request string) (round.Result, error) {
	session, err := durable.Open(ctx, newClerk(run, -1), p.journals, run, nil)
	if err != nil {
		return round.Result{}, err
	}
	res, err := session.Continue(ctx, request)
	if errors.Is(err, round.ErrSuspended) {
		err = nil
	}
	return round.Result{Answer: res.Answer, Waits: res.Waits}, errors.Join(err, session.Close(context.WithoutCancel(ctx)))
}

func TestRoundInAWorkflow(t *testing.T) {
	c := config(sqlite(t), "")
	c.AppName, c.Logger = "prices", discard
	app, err := sdk.NewContext(t.Context(), c)
	require.NoError(t, err)
	defer func() { assert.NoError(t, sdk.Shutdown(app, 10*time.Second)) }()
	p := &prices{journals: store.Memory()}
	sdk.RegisterWorkflow(app, p.ask, sdk.WithWorkflowName("prices"))
	require.NoError(t, sdk.Launch(app))

	h, err := sdk.RunWorkflow(app, p.ask, "ask for the price", sdk.WithWorkflowID("order 12"))
	require.NoError(t, err)
	require.NoError(t, sdk.Send(app, "order 12", "12 euros", "price"))
	answer, err := h.GetResult()
	require.NoError(t, err)
	assert.Equal(t, "12 euros", answer)
}
