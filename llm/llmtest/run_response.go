package llmtest

import (
	"reflect"

	"github.com/agentfsm/agentfsm/llm"
)

// findShared makes calls and writes to the response of the first: the second must
// not have it, nor what was written, and must not write to the first either.
func findShared(s *subject) []string {
	m := s.Good(s.t)
	one := s.call(s.t.Context(), m, question(70))
	if problem := s.unanswered(one); problem != "" {
		return []string{problem}
	}
	mine := llm.Response{
		Text: "changed by its caller", Model: "another", FinishReason: "length", Usage: llm.Usage{InputTokens: 1 << 30, OutputTokens: 1 << 30},
		Spent: one.resp.Spent,
	}
	for i := range mine.Spent {
		mine.Spent[i] = llm.ModelUsage{Model: "another", Usage: mine.Usage}
	}
	*one.resp = mine
	before := mine.Clone()
	two := s.call(s.t.Context(), m, question(71))
	if problem := s.unanswered(two); problem != "" {
		return []string{"the second call: " + problem}
	}
	const advice = ": return a new one from each call, or a Clone of what is kept"
	switch {
	case one.resp == two.resp:
		return []string{"two calls return the same *llm.Response" + advice}
	case !reflect.DeepEqual(before, one.resp):
		return []string{"a call changes the response of the call before" + advice}
	case reported(*two.resp, mine):
		return []string{"a call returns what the caller wrote into the response of the call before" + advice}
	}
	return nil
}

// reported says whether a response has anything of what was written into another.
func reported(resp, written llm.Response) bool {
	for _, part := range resp.Spent {
		if part.Usage == written.Usage {
			return true
		}
	}
	return resp.Text == written.Text || resp.Usage == written.Usage
}
