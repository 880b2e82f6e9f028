package llmtest

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/agentfsm/agentfsm/llm"
)

// findKept writes to a request after its call: the race detector sees a model that still reads it.
func findKept(s *subject) []string {
	req := everything()
	_, problem := s.answered(s.Good(s.t), req)
	*req.Temperature, req.Schema.JSON[0] = 1, '['
	for i := range req.Messages {
		req.Messages[i].Parts[0].Text = ""
	}
	*req = llm.Request{}
	if problem != "" {
		return []string{problem}
	}
	return nil
}

// findShared makes two calls and writes to the response of the first.
func findShared(s *subject) []string {
	m := s.Good(s.t)
	one, problem := s.answered(m, question(70))
	if problem != "" {
		return []string{problem}
	}
	mine := llm.Usage{InputTokens: 1 << 30}
	one.Text, one.Usage = "changed by its caller", mine
	for i := range one.Spent {
		one.Spent[i].Usage = mine
	}
	before := one.Clone()
	two, problem := s.answered(m, question(71))
	if problem != "" {
		return []string{problem}
	}
	const advice = ": return a new one from each call, or a Clone of what is kept"
	switch {
	case one == two:
		return []string{"two calls return the same *llm.Response" + advice}
	case !reflect.DeepEqual(before, one):
		return []string{"a call changes the response of the call before" + advice}
	case two.Text == one.Text, two.Usage == mine, len(two.Spent) > 0 && two.Spent[0].Usage == mine:
		return []string{"a call returns what the caller wrote into the response of the call before" + advice}
	}
	return nil
}

func findSerial(s *subject) (problems []string) {
	const calls = 8
	good := s.Good(s.t)
	var wg sync.WaitGroup
	found := make([]string, calls)
	for i := range calls {
		wg.Go(func() { _, found[i] = s.answered(good, question(10+i)) })
	}
	wg.Wait()
	for _, problem := range found {
		if problem != "" {
			problems = append(problems, fmt.Sprintf("one of %d calls at a time: %s", calls, problem))
			break
		}
	}
	slow := s.Slow(s.t)
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	first := start(ctx, slow, question(20))
	if problem := s.inFlight(first); problem != "" {
		return append(problems, problem)
	}
	if problem := s.cancelled(s.t.Context(), slow); problem != "" {
		problems = append(problems, "while another call is under way (does it wait for a lock?): "+problem)
	}
	cancel()
	s.wait(first)
	return problems
}
