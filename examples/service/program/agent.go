package program

import (
	"context"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// agent makes the agent of a run, the same one in each process.
func (p *process) agent(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
	tools, err := p.shop.desktop(run.Run)
	if err != nil {
		return nil, nil, err
	}
	agent, err := appagent.New(appagent.Config{
		Model: p.model, Desktop: tools, NoImages: true,
		User:   people.Later(), // each question suspends the run
		Policy: policies.All(approvals, policies.AskUncertain()),
		States: appagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}), // nobody watches
	})
	return agent, nil, err
}

// approvals has a person approve large refunds.
var approvals = policies.Func(func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	var in refundInput
	const large = 50
	if err := cmd.Decode(&in); tool.Name == "pay_refund" && (err != nil || in.Amount >= large) {
		return policies.Verdict{Action: policies.Confirm, Reason: fmt.Sprintf("it is %d euros or more", large)}
	}
	return policies.Verdict{Action: policies.Allow}
})

// Rules play the model. They take their time, as real ones do.
var Rules = llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	select {
	case <-time.After(50 * time.Millisecond):
		return fakemodel.New(fakemodel.Rules{"": clerk}).Complete(ctx, req)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
})

func clerk(p *fakemodel.Prompt) fakemodel.Reply {
	var in refundInput
	if _, err := fmt.Sscanf(p.Request, "refund %d euros of order %d", &in.Amount, &in.Order); err != nil {
		return fakemodel.Fail("I do not understand: %s", p.Request)
	}
	pay := fakemodel.Call("pay_refund", map[string]any{"order": in.Order, "amount": in.Amount})
	done := fakemodel.Reply{Status: fsm.Finish, Comment: fmt.Sprintf("%d euros of order %d are refunded.", in.Amount, in.Order)}
	switch last, ok := p.Last(); {
	case !ok:
		return fakemodel.Call("find_order", map[string]any{"order": in.Order})
	case last.Tool == "find_order" && last.Status == "":
		return pay
	case last.Status == desktop.Failure && fakemodel.Doubtful(last.Error):
		return fakemodel.Act("It may be paid or not. I look.", fakemodel.Action{Function: "list_payments"})
	case last.Status == desktop.Failure:
		return fakemodel.Fail("%s", last.Error)
	case last.Tool == "list_payments" && string(last.Output) == "[]":
		return pay
	}
	return done
}
