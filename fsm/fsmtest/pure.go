package fsmtest

import (
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/fsm"
)

const (
	repeats    = 32 // how often each goroutine asks the Next methods
	goroutines = 8
)

// findImpure asks in every state, with no decision and with one for each edge.
func findImpure(s *subject) {
	for _, status := range s.set.Statuses() {
		for _, e := range append([]fsm.Edge{{From: status}}, s.edges...) {
			if e.From != status {
				continue
			}
			if err := s.impure(e); err != nil {
				s.add("%s, with %q decided: %v", status, e.To, err)
				break // the other edges mostly show the same
			}
		}
	}
}

// impure decides for an edge and says what the Next methods then do that they must not.
func (s *subject) impure(e fsm.Edge) error {
	b, a := s.set.Bind(e.From), s.newAgent()
	a.SetStatus(e.From)
	decide(a, e)
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
	var group errgroup.Group
	for range goroutines {
		group.Go(again)
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("asked by several goroutines: %w", err)
	}
	return unchanged(a, before)
}

// decide makes the agent decide for an edge, by one of its causes.
func decide(a fsm.Agent, e fsm.Edge) { a.(fsm.Decider).Decide(e.To, e.By&-e.By, reason) }

// pictureOf shows what the Next methods must not change.
func pictureOf(a fsm.Agent) (string, error) {
	raw, err := saved(a)
	return fmt.Sprintf("at %s, decided %+v, saved %s", a.Status(), a.Decision(), raw), err
}

func unchanged(a fsm.Agent, before string) error {
	after, err := pictureOf(a)
	if err == nil && after != before {
		err = fmt.Errorf("it is %q first and %q then", clip(before), clip(after))
	}
	return err
}
