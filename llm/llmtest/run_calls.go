package llmtest

import (
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/llm"
)

// goodTool is what a model of [Backend.Calls] calls.
const goodTool = "answer"

const partCalls = "Calls"

// tooled returns a question to a model that has tools.
func tooled() *llm.Request {
	req := everything(false)
	tool := llm.Tool{Name: goodTool, Description: "Give the answer.", Parameters: req.Schema.JSON}
	req.Schema, req.Tools = nil, []llm.Tool{tool}
	return req
}

// findCalls makes a call to a model that calls a tool, and tells it twice what came of that.
func findCalls(s *subject) (problems []string) {
	m, req := s.Calls(s.t), tooled()
	before := req.Clone()
	for i, what := range []string{"a request with tools", "a result of its call", "a result of its second call"} {
		o := s.call(s.t.Context(), m, req)
		if problem := s.unanswered(o); problem != "" {
			return append(problems, what+": "+problem)
		}
		if problem := wrongCall(o.resp); problem != "" {
			return append(problems, what+": "+problem)
		}
		if _, err := llm.Complete(s.t.Context(), replay(o), req); err != nil {
			return append(problems, fmt.Sprintf("%s: a reply of a call, with FinishReason %q, is taken for a bad one: %v", what, o.resp.FinishReason, err))
		}
		if i == 0 && !reflect.DeepEqual(before, req) {
			problems = append(problems, "the call changes the request")
		}
		made := o.resp.Calls[0]
		if made.ID == "" {
			made.ID = "call_1" // as deciding.Ask does
		}
		turn := llm.Message{Role: llm.Assistant, Calls: []llm.Call{made}, Reasoning: o.resp.Reasoning}
		made.ID = fmt.Sprint(made.ID, i) // the backend gives the same id to each
		turn.Calls[0].ID = made.ID
		req = req.Clone()
		req.Messages = append(req.Messages, turn, llm.Message{Role: llm.ToolResult, CallID: made.ID, Parts: []llm.Part{{Text: "say it again"}}})
		o.resp.Calls[0] = llm.Call{Name: "changed by its caller"}
	}
	req.Messages = req.Messages[:len(req.Messages)-1]
	if o := s.call(s.t.Context(), m, req); s.broken(o) != "" {
		problems = append(problems, "a call without its result: "+s.broken(o))
	} else if o.err != nil && llm.Retryable(o.err) {
		problems = append(problems, fmt.Sprintf("a call without its result: the error says that trying again may help: %v", o.err))
	}
	return problems
}

// wrongCall says what is wrong with a response that should have one call.
func wrongCall(resp *llm.Response) string {
	if n := len(resp.Calls); n != 1 {
		return fmt.Sprintf("the response has %d calls, and the backend made one", n)
	}
	call := resp.Calls[0]
	if call.Name != goodTool {
		return fmt.Sprintf("the call is of %q, and the backend called %q", call.Name, goodTool)
	}
	reply, _, err := llm.Decode[goodReply](string(call.Args))
	if err != nil || reply.Answer == "" || reply.Tags == nil {
		return "the arguments of the call are not those that the backend wrote: " + short(string(call.Args))
	}
	return ""
}
