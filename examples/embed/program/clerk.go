package program

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Rules play the model. Each reply uses 110 tokens.
var Rules = llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	response, err := fakemodel.New(fakemodel.Rules{fakemodel.Host: host, "shop": app}).Complete(ctx, req)
	if err == nil {
		response.Usage = llm.Usage{InputTokens: 100, OutputTokens: 10}
	}
	return response, err
})

// host gives the request to the shop, has it checked if it can be, and answers with the result.
func host(p *fakemodel.Prompt) fakemodel.Reply {
	if len(p.Previous) == 0 {
		return p.Assign("shop", p.Request)
	}
	last := p.Previous[len(p.Previous)-1]
	verdict := p.Board[checkedName]
	switch {
	case last.Status != string(fsm.Finish):
		// A host gives up by asking; if nobody answers, that is FAIL.
		return fakemodel.Reply{Status: fsm.Pending, Comment: "It could not be done: " + last.Reason}
	case p.Offers(check) && verdict == nil:
		return fakemodel.Reply{Status: check}
	case verdict != nil && string(verdict) != `"`+agree+`"`:
		return fakemodel.Reply{Status: fsm.Pending, Comment: "It does not add up: " + string(verdict)}
	}
	return fakemodel.Reply{Status: fsm.Finish, Result: last.Result}
}

// app looks the order up, refunds what is to be refunded, and returns the order.
func app(p *fakemodel.Prompt) fakemodel.Reply {
	var number, amount int
	if _, err := fmt.Sscanf(p.Task.Text, "refund %d euros of order %d", &amount, &number); err != nil {
		if _, err := fmt.Sscanf(p.Task.Text, "look up order %d", &number); err != nil {
			return fakemodel.Fail("I do not understand: %s", p.Task.Text)
		}
	}
	var order json.RawMessage
	refunded := amount == 0
	for _, act := range p.Done() {
		if act.Status == desktop.Failure {
			return fakemodel.Fail("%s", act.Error)
		}
		order, refunded = act.Output, refunded || act.Tool == "refund"
	}
	switch {
	case order == nil:
		return fakemodel.Call("find_order", map[string]any{"number": number})
	case !refunded:
		reply := fakemodel.Call("refund", map[string]any{"number": number, "amount": amount})
		reply.Comment = fmt.Sprintf("refund %d euros of order %d?", amount, number)
		return reply
	}
	return fakemodel.Reply{Status: fsm.Finish, Result: order}
}
