package llmtest

import (
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

func findAnswer(s *subject) (problems []string) {
	m := s.Good(s.t)
	for _, c := range []struct {
		what string
		req  *llm.Request
	}{
		{"a question", question(1)},
		{"a request with a conversation, a schema and options", conversation()},
		{"a request with an image", everything()},
	} {
		resp, problem := s.answered(m, c.req)
		if problem == "" && strings.Contains(resp.Text, told) && resp.Text != GoodReply {
			problem = "the text is not the one that the backend answered: " + short(resp.Text)
		}
		if problem == "" && c.req.Schema != nil {
			problem = misfit(resp.Text)
		}
		if problem == "" { // llm.Complete also looks at the reason why the model stopped
			if _, err := llm.Complete(s.t.Context(), replay(resp, nil), c.req); err != nil {
				problem = fmt.Sprintf("a good reply, with FinishReason %q, is taken for a bad one: %v", resp.FinishReason, err)
			}
		}
		if problem != "" {
			problems = append(problems, c.what+": "+problem)
		}
	}
	return problems
}

// misfit says what a reply to a request with a schema lacks.
func misfit(text string) string {
	reply, _, err := llm.Decode[goodReply](text)
	if err != nil {
		return fmt.Sprintf("the reply cannot be decoded: %v; it is %s", err, short(text))
	}
	if reply.Answer == "" || reply.Tags == nil {
		return "the reply lacks fields that the schema requires: " + short(text)
	}
	return ""
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

// short quotes a text in one line.
func short(text string) string {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

func findNoMessages(s *subject) (problems []string) {
	m := s.Good(s.t)
	for what, req := range map[string]*llm.Request{
		"a request without messages": {},
		"a message without parts":    {Messages: []llm.Message{{Role: llm.User}}},
	} {
		if o := s.call(s.t.Context(), m, req); s.broken(o) != "" {
			problems = append(problems, what+": "+s.broken(o))
		} else if llm.Retryable(o.err) {
			problems = append(problems, fmt.Sprintf("%s: the error says that trying again may help: %v", what, o.err))
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
	if problem := misfit(string(call.Args)); problem != "" {
		return "its arguments: " + problem
	}
	return ""
}
