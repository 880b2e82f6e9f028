package fsmtest

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Run checks a kind of agent, each property in a subtest of its own. newAgent
// returns an agent that has not started, another one at every call. See the
// package comment for what is checked.
func Run(t *testing.T, set fsm.Set, newAgent func() fsm.Agent) {
	t.Helper()
	run(set, newAgent, func(c check, problems []string) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			for _, p := range problems {
				t.Error(c.message(p))
			}
		})
	})
}

// check is one property of a kind.
type check struct {
	name string
	why  string
	find func(*subject) []string // what is wrong, a sentence each
	base bool                    // the checks behind it make no sense when it fails
}

func (c check) message(problem string) string {
	return problem + "\n\twhy it matters: " + c.why
}

var checks = []check{
	{"table", "a Round enforces the table as it is: a run gets stuck at what is wrong with it, or goes where nobody meant it to", findTable, true},
	{"agent", "a Round compares agents, stores their positions and acts on their decisions", findAgent, true},
	{"pure", "a run is resumed and replayed by asking the Next methods again; an answer that changes, or changes the agent, leads somewhere else the second time", findImpure, false},
	{"edges", "an edge that no decision takes is a promise in the diagram and in the model's prompt that ends in an error", findUntaken, false},
	{"refusals", "what the table does not have must be refused, whoever decided it, or the table means nothing", findUnrefused, false},
	{"ends", "an agent that comes there can only be stopped by a bound or a fault", findEndless, false},
	{"walks", "a run takes steps in orders that nobody thought of; they must stay on the table", findLost, false},
}

// subject is what is checked. The edges are apart from the set, so that a test
// of this package can show what a difference between the two looks like.
type subject struct {
	set      fsm.Set
	edges    []fsm.Edge
	newAgent func() fsm.Agent
}

// run makes the checks and reports on each.
func run(set fsm.Set, newAgent func() fsm.Agent, report func(check, []string)) {
	s := &subject{set: set, newAgent: newAgent}
	if !nilcheck.IsNil(set) {
		s.edges = set.Edges()
	}
	failed := false
	for _, c := range checks {
		if failed && !c.base {
			return
		}
		problems := guard(func() []string { return c.find(s) })
		failed = failed || c.base && len(problems) > 0
		report(c, problems)
	}
}
