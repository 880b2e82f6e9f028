package fsmtest

import (
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
)

// take decides to go along the edge and returns what is wrong with the answer.
func (s *subject) take(a fsm.Agent, e fsm.Edge) string {
	b := s.set.Bind(e.From)
	a.(fsm.Decider).Decide(e.To, one(e.By), "checked by fsmtest")
	got, problem := ask(b, a)
	switch {
	case problem != "":
		return problem
	case got.to != e.To:
		return fmt.Sprintf("with %s decided, NextState returns %q: let it follow the decision, or take the edge out", e.To, got.to)
	case got.next != a:
		return fmt.Sprintf("NextAgent returns %s, which makes this a hand-over: the edge stays with the agent", got.next.Name())
	case !b.Permits(got.to, "", 0):
		return "Permits refuses it, and yet it is in the table"
	}
	a.SetStatus(got.to)
	if a.Status() != e.To {
		return fmt.Sprintf("SetStatus leaves the agent at %q", a.Status())
	}
	return ""
}

func findUntaken(s *subject) []string {
	var problems []string
	for _, e := range s.edges {
		if e.From == "" || e.Kind != "" {
			continue
		}
		a := s.newAgent()
		a.SetStatus(e.From)
		if p := s.take(a, e); p != "" {
			problems = append(problems, fmt.Sprintf("the edge %s → %s cannot be taken: %s", e.From, e.To, p))
		}
	}
	return problems
}

// unheard is a status and a kind that no table knows.
const unheard = "A NAME THAT NOBODY REGISTERED"

func findUnrefused(s *subject) []string {
	var problems []string
	statuses := append(s.set.Statuses(), unheard, "")
	kinds := []string{"", unheard}
	for _, e := range s.edges {
		if e.Kind != fsm.AnyKind && !slices.Contains(kinds, e.Kind) {
			kinds = append(kinds, e.Kind)
		}
		if !slices.Contains(statuses, e.To) {
			statuses = append(statuses, e.To) // of another kind
		}
	}
	for _, from := range s.set.Statuses() {
		b := s.set.Bind(from)
		for _, to := range statuses {
			for _, kind := range kinds {
				want, got := s.has(from, to, kind), b.Permits(to, kind, 0)
				if got && !want {
					problems = append(problems, fmt.Sprintf("Permits allows %s → %s%s, which is not in the table", from, into(kind), to))
				}
				if want && !got {
					problems = append(problems, fmt.Sprintf("Permits refuses %s → %s%s, which is in the table", from, into(kind), to))
				}
			}
		}
	}
	return problems
}

func into(kind string) string {
	switch kind {
	case "":
		return ""
	case unheard:
		return "any kind of agent at "
	}
	return kind + "."
}

// has reads the table without the machinery that is checked.
func (s *subject) has(from, to fsm.Status, kind string) bool {
	for _, e := range s.edges {
		if e.From != from || e.To != to {
			continue
		}
		if sameAgent := kind == ""; e.Kind == kind || !sameAgent && e.Kind == fsm.AnyKind {
			return true
		}
	}
	return false
}
