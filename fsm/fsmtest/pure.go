package fsmtest

import (
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
)

const (
	repeats    = 32 // how often each goroutine asks the Next methods
	goroutines = 8
)

// findImpure asks in every state, with no decision and with one for each edge.
func findImpure(s *subject) (problems []string) {
	for _, status := range s.set.Statuses() {
		if err := s.impure(status, fsm.Edge{}); err != nil {
			problems = append(problems, fmt.Sprintf("%s, with nothing decided: %v", status, err))
			continue // the edges mostly show the same problem
		}
		for _, e := range s.edges {
			if e.From != status {
				continue
			}
			if err := s.impure(status, e); err != nil {
				problems = append(problems, fmt.Sprintf("%s, with %s decided: %v", status, e.To, err))
				break
			}
		}
	}
	return problems
}

func (s *subject) impure(status fsm.Status, decided fsm.Edge) error {
	b, a := s.set.Bind(status), s.newAgent()
	a.SetStatus(status)
	decide(a, decided)
	before, err := pictureOf(a)
	if err != nil {
		return err
	}
	if err := unchanged(a, before); err != nil {
		return fmt.Errorf("two calls of Save in a row differ: %w", err)
	}
	to, next, err := ask(b, a)
	if err != nil {
		return err
	}
	again := func() error {
		for range repeats {
			switch gotTo, gotNext, err := ask(b, a); {
			case err != nil:
				return err
			case gotTo != to:
				return fmt.Errorf("NextState returns %q first and %q then, of the same agent", to, gotTo)
			case gotNext != next:
				return fmt.Errorf("NextAgent returns %s first and %s then, of the same agent", next.Name(), gotNext.Name())
			}
		}
		return nil
	}
	if err := again(); err != nil {
		return err
	}
	if err := unchanged(a, before); err != nil { // before the goroutines: its writes would be races
		return fmt.Errorf("effects belong in Handle: a Next method changes the agent: %w", err)
	}
	var all [goroutines]error
	var done sync.WaitGroup
	for i := range all {
		done.Go(func() { all[i] = again() })
	}
	done.Wait()
	for _, err := range all {
		if err != nil {
			return fmt.Errorf("asked by several goroutines: %w", err)
		}
	}
	return unchanged(a, before)
}

// decide makes the agent decide for an edge, by one of its causes.
func decide(a fsm.Agent, e fsm.Edge) { a.(fsm.Decider).Decide(e.To, e.By&-e.By, reason) }

// picture is what the Next methods must not change.
type picture struct {
	status   fsm.Status
	decision fsm.Decision
	saved    string
}

func pictureOf(a fsm.Agent) (picture, error) {
	raw, err := saved(a)
	return picture{a.Status(), a.Decision(), raw}, err
}

func unchanged(a fsm.Agent, before picture) error {
	after, err := pictureOf(a)
	switch {
	case err != nil:
		return err
	case after.status != before.status:
		return fmt.Errorf("the status is %q first and %q then", before.status, after.status)
	case after.decision != before.decision:
		return fmt.Errorf("the decision is %+v first and %+v then", before.decision, after.decision)
	case after.saved != before.saved:
		return fmt.Errorf("it saves %q first and %q then", clip(before.saved), clip(after.saved))
	}
	return nil
}
