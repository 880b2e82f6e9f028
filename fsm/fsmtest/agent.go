package fsmtest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

const reason = "checked by fsmtest"

func findTable(s *subject) []string {
	if nilcheck.IsNil(s.set) {
		return []string{"the set is nil"}
	}
	for _, status := range s.set.Statuses() {
		s.set.Bind(status) // Validate skips states that are not made yet
	}
	err := s.set.Validate()
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
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
	problems = slices.Concat(problems, s.findKind(a), findMisnamed(a))
	if d, ok := a.(fsm.Decider); ok {
		return append(problems, s.findPosition(a, d)...)
	}
	return append(problems, fmt.Sprintf("a %T has no method Decide(fsm.Status, fsm.Cause, string): no edge can be taken without; embed fsm.Position", a))
}

// findKind checks that the agent and the set belong together.
func (s *subject) findKind(a fsm.Agent) []string {
	switch {
	case nilcheck.IsNil(a.States()):
		return []string{"States returns nil"}
	case nilcheck.IsNil(s.set):
		return nil
	case a.States() != s.set:
		return []string{"States of the agent returns another Manager than the one that is checked: give the agent the Manager that the test gives to Run"}
	}
	for _, status := range s.set.Statuses() {
		if err := typeError(s.set.Bind(status), a); err != nil {
			return []string{err.Error() + ": a type that embeds an agent needs a Manager of its own"}
		}
	}
	return nil
}

// typeError ignores panics of NextState: they are problems of another check.
func typeError(b *fsm.Bound, a fsm.Agent) (err error) {
	defer func() { _ = recover() }()
	_, _, _, err = b.Next(a)
	return err
}

// findPosition checks Status, SetStatus and Decision. An fsm.Position passes.
func (s *subject) findPosition(a fsm.Agent, d fsm.Decider) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	to := fsm.Continue
	if len(s.edges) > 0 {
		to = s.edges[0].To // one that SetStatus accepts
	}
	before, wish := a.Status(), fsm.Decision{To: to, By: fsm.BySystem, Reason: reason}
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
		return problems
	}
	got := a.Decision()
	if got.To != "" || got.By != 0 {
		add("SetStatus leaves the decision to go to %q by %s: a Handle that decides nothing would repeat it", got.To, got.By)
	}
	if got.Reason != decided.Reason {
		add("SetStatus drops the reason: it says why the agent ended")
	}
	return problems
}

// optional is a method of an interface that an agent may implement.
type optional struct{ iface, method, signature string }

// optionals spells out the methods of other packages, because this package imports only fsm.
var optionals = slices.Concat(
	optionalsOf[fsm.Decider](), optionalsOf[fsm.DataProvider](), optionalsOf[fsm.Requester](), optionalsOf[fsm.ReturnHandler](),
	optionalsOf[fsm.SubtaskCloser](), optionalsOf[fsm.Planner](), optionalsOf[fsm.WorkerProvider](), optionalsOf[fsm.Saver](), optionalsOf[fsm.Closer](),
	[]optional{
		{"blackboard.Holder", "Board", "func() *blackboard.Board"},
		{"blackboard.SubtaskLister", "Subtasks", "func() []blackboard.Subtask"},
		{"hostagent.WindowSetter", "SetWindow", "func(desktop.Window)"},
	},
)

func optionalsOf[I any]() (list []optional) {
	t := reflect.TypeFor[I]()
	for m := range t.Methods() {
		list = append(list, optional{t.String(), m.Name, m.Type.String()})
	}
	return list
}

// findMisnamed finds methods that have the name of an optional method and
// another signature. A type assertion does not find them.
func findMisnamed(a fsm.Agent) (problems []string) {
	for _, o := range optionals {
		m := reflect.ValueOf(a).MethodByName(o.method)
		if m.IsValid() && m.Type().String() != o.signature {
			problems = append(problems, fmt.Sprintf("%s of a %T is a %s, but that of %s is a %s: give it this signature, or another name",
				o.method, a, m.Type(), o.iface, o.signature))
		}
	}
	return problems
}

// ask returns what the Next methods say. It returns a panic as an error.
func ask(b *fsm.Bound, a fsm.Agent) (to fsm.Status, next fsm.Agent, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a Next method panics: %v", v)
		}
	}()
	if to, _, next, err = b.Next(a); err == nil && nilcheck.IsNil(next) {
		err = errors.New("NextAgent returns nil: it must name the agent itself when there is no other")
	}
	return to, next, err
}
