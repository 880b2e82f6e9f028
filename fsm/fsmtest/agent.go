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

func findTable(s *subject) {
	if nilcheck.IsNil(s.set) {
		s.add("the set is nil")
		return
	}
	for _, status := range s.set.Statuses() {
		s.set.Bind(status) // Validate skips states that are not made yet
	}
	if err := s.set.Validate(); err != nil {
		s.problems = strings.Split(err.Error(), "\n")
	}
}

func findAgent(s *subject) {
	if s.newAgent == nil {
		s.add("newAgent is nil")
		return
	}
	a := s.newAgent()
	if nilcheck.IsNil(a) {
		s.add("newAgent returns nil")
		return
	}
	if !reflect.TypeOf(a).Comparable() {
		s.add("a %T cannot be compared: use a pointer", a)
		return
	}
	if s.newAgent() == a {
		s.add("newAgent returns an agent that it returned before: the checks need a new one each time")
	}
	name := a.Name()
	if again := a.Name(); name == "" || again != name {
		s.add("Name is %q first and %q then: it must not be empty and must not change", name, again)
	}
	if status := a.Status(); status != "" {
		s.add("a new agent has the status %q: it has not started, so it must be empty", status)
	}
	s.findKind(a)
	s.findMisnamed(a)
	if d, ok := a.(fsm.Decider); ok {
		s.findPosition(a, d)
	} else {
		s.add("a %T has no method Decide(fsm.Status, fsm.Cause, string): no edge can be taken without; embed fsm.Position", a)
	}
}

// findKind checks that the agent and the set belong together.
func (s *subject) findKind(a fsm.Agent) {
	switch {
	case nilcheck.IsNil(a.States()):
		s.add("States returns nil")
		return
	case nilcheck.IsNil(s.set):
		return
	case a.States() != s.set:
		s.add("States of the agent returns another Manager than the one that is checked: give the agent the Manager that the test gives to Run")
		return
	}
	for _, status := range s.set.Statuses() {
		_, _, err := ask(s.set.Bind(status), a) // other errors are problems of another check
		if errors.Is(err, fsm.ErrAgentType) {
			s.add("%v: a type that embeds an agent needs a Manager of its own", err)
			return
		}
	}
}

// findPosition checks Status, SetStatus and Decision. An fsm.Position passes.
func (s *subject) findPosition(a fsm.Agent, d fsm.Decider) {
	to := fsm.Continue
	if len(s.edges) > 0 {
		to = s.edges[0].To // one that SetStatus accepts
	}
	before, wish := a.Status(), fsm.Decision{To: to, By: fsm.BySystem, Reason: reason}
	d.Decide(wish.To, wish.By, wish.Reason)
	decided := a.Decision()
	if decided != wish {
		s.add("Decision returns %+v after Decide of %+v", decided, wish)
	}
	if got := a.Status(); got != before {
		s.add("Decide moved the agent from %q to %q: a step that fails afterwards must have moved nothing", before, got)
	}
	a.SetStatus(to)
	got := a.Decision()
	switch {
	case a.Status() != to:
		s.add("Status is %q after SetStatus of %q", a.Status(), to)
	case got.To != "" || got.By != 0:
		s.add("SetStatus leaves the decision to go to %q by %s: a Handle that decides nothing would repeat it", got.To, got.By)
	case got.Reason != decided.Reason:
		s.add("SetStatus drops the reason: it says why the agent ended")
	}
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
func (s *subject) findMisnamed(a fsm.Agent) {
	for _, o := range optionals {
		m := reflect.ValueOf(a).MethodByName(o.method)
		if m.IsValid() && m.Type().String() != o.signature {
			s.add("%s of a %T is a %s, but that of %s is a %s: give it this signature, or another name", o.method, a, m.Type(), o.iface, o.signature)
		}
	}
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
