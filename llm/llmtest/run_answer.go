package llmtest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

func findAnswer(s *subject) (problems []string) {
	m := s.Good(s.t)
	for i, req := range []*llm.Request{question(1), conversation()} {
		what := []string{"a question", "a request with a conversation, a schema and options"}[i]
		resp, problem := s.answered(m, req)
		if problem != "" {
			problems = append(problems, what+": "+problem)
			continue
		}
		if strings.Contains(resp.Text, told) && resp.Text != GoodReply {
			problems = append(problems, what+": the text is not the one that the backend answered: "+short(resp.Text))
		}
		// llm.Complete also looks at the reason why the model stopped.
		if _, err := llm.Complete(s.t.Context(), replay(resp, nil), req); err != nil {
			problems = append(problems, fmt.Sprintf("%s: a good reply, with FinishReason %q, is taken for a bad one: %v", what, resp.FinishReason, err))
		}
	}
	return problems
}

func findUsage(s *subject) []string {
	resp, problem := s.answered(s.Good(s.t), question(2))
	if problem != "" {
		return []string{problem}
	}
	switch u := resp.Usage; {
	case negative(u):
		return []string{fmt.Sprintf("the usage is negative: %+v", u)}
	case u.CacheReadTokens+u.CacheCreationTokens > u.InputTokens:
		return []string{fmt.Sprintf("the usage has more cached tokens than input, of which they are a part: %+v", u)}
	case u.ReasoningTokens > u.OutputTokens:
		return []string{fmt.Sprintf("the usage has more reasoning tokens than output, of which they are a part: %+v", u)}
	case u.InputTokens == 0 || u.OutputTokens == 0:
		return []string{fmt.Sprintf("the usage is not there: %+v", u)}
	}
	return nil
}

func negative(u llm.Usage) bool {
	return min(u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheCreationTokens, u.ReasoningTokens) < 0
}

func findSchema(s *subject) []string {
	resp, problem := s.answered(s.Good(s.t), conversation())
	if problem != "" {
		return []string{problem}
	}
	reply, _, err := llm.Decode[goodReply](resp.Text)
	if err != nil {
		return []string{fmt.Sprintf("the reply to a request with a schema cannot be decoded: %v; it is %s", err, short(resp.Text))}
	}
	if reply.Answer == "" || reply.Tags == nil {
		return []string{"the reply lacks fields that the schema of its request requires: " + short(resp.Text)}
	}
	return nil
}

// short quotes a text in one line.
func short(text string) string {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

func findImages(s *subject) []string {
	if _, problem := s.answered(s.Good(s.t), everything()); problem != "" {
		return []string{"a request with an image: " + problem}
	}
	return nil
}

func findNoMessages(s *subject) (problems []string) {
	m := s.Good(s.t)
	for what, req := range map[string]*llm.Request{
		"a request without messages": {},
		"a message without parts":    {Messages: []llm.Message{{Role: llm.User}}},
	} {
		first, second := s.call(s.t.Context(), m, req), s.call(s.t.Context(), m, req)
		switch {
		case s.broken(first) != "":
			problems = append(problems, what+": "+s.broken(first))
		case s.broken(second) != "":
			problems = append(problems, what+", the second time: "+s.broken(second))
		case (first.err == nil) != (second.err == nil):
			problems = append(problems, fmt.Sprintf("%s: the first call returns %v, the second %v", what, first.err, second.err))
		case llm.Retryable(first.err):
			problems = append(problems, fmt.Sprintf("%s: the error says that trying again may help: %v", what, first.err))
		}
	}
	return problems
}

// goodTool is what a model of [Backend.Calls] calls.
const goodTool = "answer"

// findCalls asks a model that calls a tool, and tells it twice the result of its call.
func findCalls(s *subject) (problems []string) {
	m, req := s.Calls(s.t), conversation()
	req.Tools = []llm.Tool{{Name: goodTool, Description: "Give the answer.", Parameters: req.Schema.JSON}}
	req.Schema = nil
	before := req.Clone()
	for i, what := range []string{"a request with tools", "a result of its call", "a result of its second call"} {
		resp, problem := s.answered(m, req)
		if problem == "" {
			problem = wrongCall(resp)
		}
		if problem != "" {
			return append(problems, what+": "+problem)
		}
		if _, err := llm.Complete(s.t.Context(), replay(resp, nil), req); err != nil {
			return append(problems, fmt.Sprintf("%s: a reply of a call, with FinishReason %q, is taken for a bad one: %v", what, resp.FinishReason, err))
		}
		if i == 0 && !reflect.DeepEqual(before, req) {
			problems = append(problems, "the call changes the request")
		}
		made := resp.Calls[0]
		if made.ID == "" {
			made.ID = "call_1" // as deciding.Ask does
		}
		made.ID = fmt.Sprint(made.ID, i) // the backend gives the same id to each
		req = req.Clone()
		req.Messages = append(req.Messages,
			llm.Message{Role: llm.Assistant, Calls: []llm.Call{made}, Reasoning: resp.Reasoning},
			llm.Message{Role: llm.ToolResult, CallID: made.ID, Parts: []llm.Part{{Text: "say it again"}}})
		resp.Calls[0] = llm.Call{Name: "changed by its caller"}
	}
	req.Messages = req.Messages[:len(req.Messages)-1]
	if o := s.call(s.t.Context(), m, req); s.broken(o) != "" {
		problems = append(problems, "a call without its result: "+s.broken(o))
	} else if llm.Retryable(o.err) {
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
