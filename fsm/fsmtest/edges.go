package fsmtest

import (
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
)

// take takes an edge of the same agent, and returns what is wrong.
func (s *subject) take(a fsm.Agent, e fsm.Edge) error {
	decide(a, e)
	to, next, err := ask(s.set.Bind(e.From), a)
	switch {
	case err != nil:
		return err
	case to != e.To:
		return fmt.Errorf("with %s decided, NextState returns %q: let it follow the decision, or take the edge out", e.To, to)
	case next != a:
		return fmt.Errorf("NextAgent returns %s, which makes this a hand-over: the edge stays with the agent", next.Name())
	}
	a.SetStatus(to)
	if a.Status() != to {
		return fmt.Errorf("SetStatus leaves the agent at %q", a.Status())
	}
	return nil
}

func findUntaken(s *subject) {
	for _, e := range s.edges {
		if e.From == "" || e.Kind != "" {
			continue
		}
		a := s.newAgent()
		a.SetStatus(e.From)
		if err := s.take(a, e); err != nil {
			s.add("the edge %s → %s cannot be taken: %v", e.From, e.To, err)
		}
	}
}

func findEndless(s *subject) {
	ends := map[fsm.Status]bool{}
	for _, status := range s.set.Statuses() {
		ends[status] = s.set.Bind(status).Terminal()
	}
	for grown := true; grown; {
		grown = false
		for _, e := range s.edges {
			to := e.To
			if e.Kind != "" {
				to = fsm.Continue // control has come back
			}
			if ends[to] && !ends[e.From] {
				ends[e.From], grown = true, true
			}
		}
	}
	for _, status := range s.set.Statuses() {
		if !ends[status] {
			s.add("from %s no state that ends can be reached", status)
		}
	}
}
