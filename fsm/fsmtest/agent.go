package fsmtest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// at returns a new agent in that status that has decided to go on.
func (s *subject) at(from, to fsm.Status, by fsm.Cause) fsm.Agent {
	agent := s.newAgent()
	agent.SetStatus(from)
	agent.(fsm.Decider).Decide(to, by, "checked by fsmtest")
	return agent
}

// one returns a single cause of those that an edge has.
func one(by fsm.Cause) fsm.Cause { return by & -by }

// guard turns a panic of the code under test into a problem.
func guard(f func() []string) (problems []string) {
	defer func() {
		if v := recover(); v != nil {
			problems = append(problems, fmt.Sprintf("the code under test panicked: %v", v))
		}
	}()
	return f()
}

func findTable(s *subject) []string {
	if nilcheck.IsNil(s.set) {
		return []string{"the set is nil"}
	}
	for _, status := range s.set.Statuses() {
		s.set.Bind(status) // a state that is not made yet is not checked
	}
	err := s.set.Validate()
	if err == nil {
		return nil
	}
	var all interface{ Unwrap() []error }
	if !errors.As(err, &all) {
		return []string{err.Error()}
	}
	var problems []string
	for _, e := range all.Unwrap() {
		problems = append(problems, e.Error())
	}
	return problems
}

func findAgent(s *subject) []string {
	if s.newAgent == nil {
		return []string{"newAgent is nil"}
	}
	a := s.newAgent()
	if nilcheck.IsNil(a) {
		return []string{"newAgent returns nil"}
	}
	if !reflect.TypeOf(a).Comparable() {
		return []string{fmt.Sprintf("a %T cannot be compared: use a pointer", a)}
	}
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if s.newAgent() == a {
		add("newAgent returns an agent that it returned before: the checks need a new one each time")
	}
	if a.Name() == "" {
		add("Name is empty")
	}
	if before, again := a.Name(), a.Name(); before != again {
		add("Name is %q first and %q then: it must not change", before, again)
	}
	if status := a.Status(); status != "" {
		add("a new agent has the status %q: it has not started, so it must be empty", status)
	}
	problems = append(problems, s.findKind(a)...)
	problems = append(problems, findMisnamed(a)...)
	problems = append(problems, s.findUnsaved(a)...)
	if d, ok := a.(fsm.Decider); ok {
		return append(problems, s.findPosition(a, d)...)
	}
	return append(problems, fmt.Sprintf("a %T has no method Decide(fsm.Status, fsm.Cause, string): no edge can be taken without; embed fsm.Position", a))
}

// findKind checks that the agent and the set belong together.
func (s *subject) findKind(a fsm.Agent) []string {
	if nilcheck.IsNil(a.States()) {
		return []string{"States returns nil"}
	}
	if nilcheck.IsNil(s.set) {
		return nil
	}
	if a.States() != s.set {
		return []string{"States of the agent returns another Manager than the one that is checked, or another one at every call: give the agent the Manager that the test gives to Run"}
	}
	for _, status := range s.set.Statuses() {
		if err := typeError(s.set.Bind(status), a); err != nil {
			return []string{err.Error() + ": a type that embeds an agent needs a Manager of its own"}
		}
	}
	return nil
}

// typeError leaves what else may go wrong in NextState to the other checks.
func typeError(b *fsm.Bound, a fsm.Agent) (err error) {
	defer func() { _ = recover() }()
	_, _, _, err = b.Next(a)
	return err
}

// findPosition checks Status, SetStatus and Decision, which fsm.Position has right.
func (s *subject) findPosition(a fsm.Agent, d fsm.Decider) []string {
	var problems []string
	to := fsm.Continue
	if len(s.edges) > 0 {
		to = s.edges[0].To // one that the agent knows, whatever SetStatus does with others
	}
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	before := a.Status()
	wish := fsm.Decision{To: to, By: fsm.BySystem, Reason: "checked by fsmtest"}
	d.Decide(wish.To, wish.By, wish.Reason)
	decided := a.Decision()
	if decided != wish {
		add("Decision returns %+v after Decide of %+v", decided, wish)
	}
	if got := a.Status(); got != before {
		add("Decide moved the agent from %q to %q: a step that fails afterwards must have moved nothing", before, got)
	}
	a.SetStatus(to)
	if got := a.Status(); got != to {
		add("Status is %q after SetStatus of %q", got, to)
		return problems // whatever else SetStatus should do, it does not
	}
	got := a.Decision()
	if got.To != "" || got.By != 0 {
		add("SetStatus leaves the decision to go to %q by %s: a Handle that decides nothing would repeat it", got.To, got.By)
	}
	if got.Reason != decided.Reason {
		add("SetStatus drops the reason: nobody can say then why the agent ended")
	}
	return problems
}

// picture is what the Next methods must leave as it is.
type picture struct {
	status   fsm.Status
	decision fsm.Decision
	saved    []byte
}

func pictureOf(a fsm.Agent) (picture, error) {
	p := picture{status: a.Status(), decision: a.Decision()}
	var err error
	p.saved, err = saved(a)
	return p, err
}

// differs says in which part p and q differ, or "".
func (p picture) differs(q picture) string {
	switch {
	case p.status != q.status:
		return fmt.Sprintf("the status from %q to %q", p.status, q.status)
	case p.decision != q.decision:
		return fmt.Sprintf("the decision from %+v to %+v", p.decision, q.decision)
	case !bytes.Equal(p.saved, q.saved):
		return fmt.Sprintf("what it saves from %s to %s", clip(p.saved), clip(q.saved))
	}
	return ""
}

func clip(b []byte) string {
	const limit = 200
	if len(b) > limit {
		return fmt.Sprintf("%q…", b[:limit])
	}
	return fmt.Sprintf("%q", b)
}
