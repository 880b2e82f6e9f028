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

func findChanged(s *subject) []string {
	req := everything()
	before := req.Clone()
	if _, problem := s.answered(s.Good(s.t), req); problem != "" {
		return []string{problem}
	}
	if !reflect.DeepEqual(before, req) {
		return []string{fmt.Sprintf("the call changes the request from %s to %s", short(fmt.Sprintf("%+v", *before)), short(fmt.Sprintf("%+v", *req)))}
	}
	return nil
}

// findKept looks for references to a request after its call.
func findKept(s *subject) []string {
	m := s.Good(s.t)
	left, problem := s.askAndForget(m)
	if problem != "" {
		return []string{problem}
	}
	var kept string
	gone := s.until(func() bool {
		runtime.GC()
		kept = left()
		return kept == ""
	})
	runtime.KeepAlive(m)
	if !gone {
		return []string{"the model still refers to the " + kept + " after the call"}
	}
	return nil
}

// until waits until a condition holds.
func (s *subject) until(holds func() bool) bool {
	for end := time.Now().Add(s.patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// askAndForget makes a call and returns a func that names a part of its request that is still there.
// It writes to the request: the race detector sees a model that still reads it.
//
//go:noinline
func (s *subject) askAndForget(m llm.Model) (left func() string, problem string) {
	req := everything()
	if _, problem := s.answered(m, req); problem != "" {
		return nil, problem
	}
	request, schema, messages := weak.Make(req), weak.Make(req.Schema), weak.Make(&req.Messages[0])
	req.MaxTokens, *req.Temperature, req.Schema.Name, req.Schema.JSON[0] = 1, 1, "other", '['
	for i := range req.Messages {
		for j := range req.Messages[i].Parts {
			part := &req.Messages[i].Parts[j]
			part.Text = ""
			if part.Image != nil {
				part.Image.Data[0]++
			}
		}
		req.Messages[i] = llm.Message{}
	}
	return func() string {
		switch {
		case request.Value() != nil:
			return "request"
		case schema.Value() != nil:
			return "Schema of the request"
		case messages.Value() != nil:
			return "Messages of the request"
		}
		return ""
	}, ""
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
	first, endFirst := context.WithCancel(s.t.Context())
	defer endFirst()
	second, endSecond := context.WithCancel(s.t.Context())
	defer endSecond()
	one := start(first, slow, question(20))
	if problem := s.inFlight(one); problem != "" {
		return append(problems, problem)
	}
	two := start(second, slow, question(21))
	if problem := s.inFlight(two); problem != "" {
		return append(problems, problem)
	}
	endSecond()
	if s.wait(two).hung {
		problems = append(problems, "while another call is under way, a call does not return when its context ends: does it wait for a lock?")
	}
	endFirst()
	s.wait(one)
	return problems
}
