package fsmtest

import (
	"fmt"
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Run checks a kind of agent, each property in a subtest. newAgent returns a
// new agent at every call, which has not started.
func Run(t *testing.T, set fsm.Set, newAgent func() fsm.Agent) {
	t.Helper()
	run(set, newAgent, func(c check, problems []string) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			for _, p := range problems {
				t.Errorf("%s\n\twhy it matters: %s", p, c.why)
			}
		})
	})
}

// check is one property of a kind.
type check struct {
	name string
	why  string
	find func(*subject) // it adds a sentence for each problem
	base bool           // if it fails, the checks that are not basic do not run
}

var checks = []check{
	{"table", "a Round enforces the table as it is: with a mistake in it, a run gets stuck or goes astray", findTable, true},
	{"agent", "a Round compares agents, stores their positions and acts on their decisions", findAgent, true},
	{"saved", "another process resumes a run with what the agent saved", findUnsaved, false},
	{"pure", "a resumed run asks the Next methods again; an answer that changes, or changes the agent, leads elsewhere", findImpure, false},
	{"edges", "the diagram and the prompt promise an edge that ends in an error", findUntaken, false},
	{"ends", "an agent that comes there can only be stopped by a bound or a fault", findEndless, false},
}

type subject struct {
	set      fsm.Set
	edges    []fsm.Edge
	newAgent func() fsm.Agent
	problems []string // of one check
}

func (s *subject) add(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

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
		s.problems = nil
		s.guard(c.find)
		failed = failed || c.base && len(s.problems) > 0
		report(c, s.problems)
	}
}

// guard turns a panic of the code under test into a problem.
func (s *subject) guard(find func(*subject)) {
	defer func() {
		if v := recover(); v != nil {
			s.add("the code under test panicked: %v", v)
		}
	}()
	find(s)
}
