package fsmtest

import (
	"fmt"
	"math/rand/v2"

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

func findUntaken(s *subject) (problems []string) {
	for _, e := range s.edges {
		if e.From == "" || e.Kind != "" {
			continue
		}
		a := s.newAgent()
		a.SetStatus(e.From)
		if err := s.take(a, e); err != nil {
			problems = append(problems, fmt.Sprintf("the edge %s → %s cannot be taken: %v", e.From, e.To, err))
		}
	}
	return problems
}

// after returns the status of the agent after an edge. If the edge hands over, control has come back.
func after(e fsm.Edge) fsm.Status {
	if e.Kind == "" {
		return e.To
	}
	return fsm.Continue
}

func findEndless(s *subject) (problems []string) {
	ends := map[fsm.Status]bool{}
	for _, status := range s.set.Statuses() {
		ends[status] = s.set.Bind(status).Terminal()
	}
	for grown := true; grown; {
		grown = false
		for _, e := range s.edges {
			if ends[after(e)] && !ends[e.From] {
				ends[e.From], grown = true, true
			}
		}
	}
	for _, status := range s.set.Statuses() {
		if !ends[status] {
			problems = append(problems, fmt.Sprintf("from %s no state that ends can be reached", status))
		}
	}
	return problems
}

// findLost takes random edges, and begins again with a new agent if one ends.
func findLost(s *subject) []string {
	const steps = 2000
	random := rand.New(rand.NewPCG(1, 1))
	out := map[fsm.Status][]fsm.Edge{}
	for _, e := range s.edges {
		out[e.From] = append(out[e.From], e)
	}
	var a fsm.Agent
	for taken := range steps {
		if a == nil || s.set.Bind(a.Status()).Terminal() {
			a = s.newAgent()
			status, _ := fsm.Start(s.set)
			a.SetStatus(status)
			continue
		}
		e := out[a.Status()][random.IntN(len(out[a.Status()]))]
		if e.Kind != "" {
			a.SetStatus(after(e))
		} else if err := s.take(a, e); err != nil {
			return []string{fmt.Sprintf("random step %d, %s → %s: %v", taken, e.From, e.To, err)}
		}
	}
	return nil
}
