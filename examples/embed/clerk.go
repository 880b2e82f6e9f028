package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

// clerk stands where a language model stands in a real program. It sees nothing
// but its prompt, keeps nothing between two calls, and replies with JSON.
func clerk(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := read(req)
	var decision any
	if p.Windows != nil { // only the host's prompt has them
		decision = p.host()
	} else {
		decision = p.app()
	}
	text, err := json.Marshal(decision)
	if err != nil {
		return nil, err
	}
	return &llm.Response{Text: string(text), Model: "clerk", Usage: llm.Usage{InputTokens: 100, OutputTokens: 10}}, nil
}

// prompt is what the clerk reads of a request.
type prompt struct {
	Request  string
	Windows  []struct{ ID string }
	Subtask  struct{ Text string }
	Previous []blackboard.Subtask
	History  []acting.Memo
	Board    map[string]json.RawMessage
	Allowed  []fsm.Status
}

func read(req *llm.Request) prompt {
	var p prompt
	for name, into := range map[string]any{
		"request": &p.Request, "windows": &p.Windows, "subtask": &p.Subtask, "previous_subtasks": &p.Previous,
		"history": &p.History, "blackboard": &p.Board, "allowed_statuses": &p.Allowed,
	} {
		if raw, ok := llm.FindSection(req, name); ok {
			// A section that is not what this clerk expects is one that it does not see.
			_ = json.Unmarshal(raw, into)
		}
	}
	return p
}

// host gives the request to the shop, has it checked where it can be, and
// answers with what came back.
func (p prompt) host() reply.Host {
	if len(p.Previous) == 0 {
		return reply.Host{Status: hostagent.Assign, ControlLabel: p.Windows[0].ID, CurrentSubTask: p.Request}
	}
	last := p.Previous[len(p.Previous)-1]
	switch {
	case last.Status != string(fsm.Finish):
		// A host gives up by asking; where nobody answers that is FAIL.
		return reply.Host{Status: fsm.Pending, Comment: "It could not be done: " + last.Reason}
	case !slices.Contains(p.Allowed, check): // a host without that state
	case p.Board[checkedName] == nil:
		return reply.Host{Status: check}
	case string(p.Board[checkedName]) != strconv.Quote(agree):
		return reply.Host{Status: fsm.Pending, Comment: "It does not add up: " + string(p.Board[checkedName])}
	}
	return reply.Host{Status: fsm.Finish, Result: last.Result}
}

// app looks the order up, refunds what is to be refunded, and hands the order
// back.
func (p prompt) app() reply.App {
	var number, amount int
	if _, err := fmt.Sscanf(p.Subtask.Text, "refund %d euros of order %d", &amount, &number); err != nil {
		if _, err := fmt.Sscanf(p.Subtask.Text, "look up order %d", &number); err != nil {
			return reply.App{Status: fsm.Fail, Comment: "I do not understand: " + p.Subtask.Text}
		}
	}
	if problem := p.problem(); problem != "" {
		return reply.App{Status: fsm.Fail, Comment: problem}
	}
	found, refunded := p.done("find_order"), p.done("refund")
	switch {
	case found == nil:
		return reply.App{Status: fsm.Continue, Function: "find_order", Args: map[string]any{"number": number}}
	case amount > 0 && refunded == nil:
		return reply.App{
			Status: fsm.Continue, Function: "refund", Args: map[string]any{"number": number, "amount": amount},
			Comment: fmt.Sprintf("refund %d euros of order %d?", amount, number),
		}
	case refunded != nil:
		found = refunded
	}
	return reply.App{Status: fsm.Finish, Result: found}
}

// problem returns why a tool said no. This clerk does not try again.
func (p prompt) problem() string {
	for _, memo := range p.History {
		for _, action := range memo.Actions {
			if action.Status == desktop.Failure {
				return action.Error
			}
		}
	}
	return ""
}

// done returns what a tool gave when it was called with success.
func (p prompt) done(tool string) json.RawMessage {
	for _, memo := range p.History {
		for _, action := range memo.Actions {
			if action.Tool == tool && action.Status == "" {
				return action.Output
			}
		}
	}
	return nil
}
