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

func findChanged(s *subject) (problems []string) {
	req := everything(!s.NoImages)
	before := req.Clone()
	if problem := s.unanswered(s.call(s.t.Context(), s.Good(s.t), req)); problem != "" {
		return []string{problem}
	}
	for _, f := range []struct {
		name    string
		was, is any
	}{
		{name: "Messages", was: before.Messages, is: req.Messages},
		{name: "Schema", was: before.Schema, is: req.Schema},
		{name: "MaxTokens", was: before.MaxTokens, is: req.MaxTokens},
		{name: "Temperature", was: before.Temperature, is: req.Temperature},
	} {
		if !reflect.DeepEqual(f.was, f.is) {
			problems = append(problems, "the call changes "+f.name+" of the request")
		}
	}
	return problems
}

// findKept looks for what still refers to a request after its call. It also writes
// to one, which the race detector sees when somebody reads it.
func findKept(s *subject) []string {
	m := s.Good(s.t)
	left, problem := s.askAndForget(m)
	if problem != "" {
		return []string{problem}
	}
	deadline := time.NewTimer(s.patience)
	defer deadline.Stop()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		runtime.GC()
		kept := left()
		if kept == "" {
			break
		}
		select {
		case <-again.C:
		case <-deadline.C:
			return []string{"the model still refers to the " + kept + " after the call"}
		}
	}
	runtime.KeepAlive(m)
	return nil
}

// askAndForget makes a call, writes to its request, and returns only what does not
// keep it: a func that names a part that is still there.
//
//go:noinline
func (s *subject) askAndForget(m llm.Model) (left func() string, problem string) {
	req := everything(!s.NoImages)
	if problem := s.unanswered(s.call(s.t.Context(), m, req)); problem != "" {
		return nil, problem
	}
	request, schema := weak.Make(req), weak.Make(req.Schema)
	messages := weak.Make(&req.Messages[0])
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

func findSerial(s *subject) (problems []string) {
	const calls = 8
	good := s.Good(s.t)
	var wg sync.WaitGroup
	found := make([]string, calls)
	for i := range calls {
		wg.Go(func() { found[i] = s.unanswered(s.call(s.t.Context(), good, question(10+i))) })
	}
	wg.Wait()
	for _, problem := range found {
		if problem != "" {
			problems = append(problems, fmt.Sprintf("one of %d calls at a time: %s", calls, problem))
			break
		}
	}
	slow := s.Slow(s.t)
	first, second := newSteered(s.t.Context()), newSteered(s.t.Context())
	defer first.end(context.Canceled)
	one := start(first, slow, question(20))
	if early := s.inFlight(first, one); early != nil {
		return append(problems, s.early(*early))
	}
	two := start(second, slow, question(21))
	if early := s.inFlight(second, two); early != nil {
		return append(problems, s.early(*early))
	}
	second.end(context.Canceled)
	if s.wait(two).hung {
		problems = append(problems, "while another call is under way, a call does not return when its context ends: does it wait for a lock?")
	}
	first.end(context.Canceled)
	s.wait(one)
	return problems
}
