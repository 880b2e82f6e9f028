package llmtest

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"time"
	"weak"

	"github.com/agentfsm/agentfsm/llm"
)

// findKept looks for references to a request after its call.
func findKept(s *subject) []string {
	m := s.Good(s.t)
	request, problem := s.askAndForget(m)
	if problem != "" {
		return []string{problem}
	}
	gone := s.until(func() bool {
		runtime.GC()
		return request.Value() == nil
	})
	runtime.KeepAlive(m)
	if !gone {
		return []string{"the model still refers to the request after the call"}
	}
	return nil
}

// until waits until a condition holds.
func (s *subject) until(holds func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.After(s.patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-end:
			return false
		case <-s.t.Context().Done():
			return false
		}
	}
	return true
}

// askAndForget makes a call and writes to its request: the race detector sees a model that still reads it.
//
//go:noinline
func (s *subject) askAndForget(m llm.Model) (forgotten weak.Pointer[llm.Request], problem string) {
	req := everything()
	_, problem = s.answered(m, req)
	*req.Temperature, req.Schema.JSON[0] = 1, '['
	for i := range req.Messages {
		req.Messages[i].Parts[0].Text = ""
	}
	*req = llm.Request{}
	return weak.Make(req), problem
}

// findShared makes two calls and writes to the response of the first.
func findShared(s *subject) []string {
	m := s.Good(s.t)
	one, problem := s.answered(m, question(70))
	if problem != "" {
		return []string{problem}
	}
	mine := llm.Response{
		Text: "changed by its caller", Model: "another", FinishReason: "length", Usage: llm.Usage{InputTokens: 1 << 30, OutputTokens: 1 << 30},
	}
	spent := one.Spent
	for i := range spent {
		spent[i].Usage = mine.Usage
	}
	*one = mine
	one.Spent = spent
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
	case two.Text == mine.Text, two.Usage == mine.Usage, len(two.Spent) > 0 && two.Spent[0].Usage == mine.Usage:
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
