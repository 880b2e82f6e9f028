package fsmtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
)

// optional is a method of an interface that an agent may implement.
type optional struct{ iface, method, signature string }

// optionals are all of them. This package imports only fsm, so those of other
// packages are written out; a test compares them with the interfaces.
var optionals = slices.Concat(
	optionalsOf[fsm.Decider](),
	optionalsOf[fsm.DataProvider](),
	optionalsOf[fsm.Requester](),
	optionalsOf[fsm.ReturnHandler](),
	optionalsOf[fsm.SubtaskCloser](),
	optionalsOf[fsm.Planner](),
	optionalsOf[fsm.WorkerProvider](),
	optionalsOf[fsm.Saver](),
	optionalsOf[fsm.Closer](),
	[]optional{
		{"blackboard.Holder", "Board", "func() *github.com/agentfsm/agentfsm/blackboard.Board"},
		{"blackboard.SubtaskLister", "Subtasks", "func() []github.com/agentfsm/agentfsm/blackboard.Subtask"},
		{"hostagent.WindowSetter", "SetWindow", "func(github.com/agentfsm/agentfsm/desktop.Window)"},
	},
)

func optionalsOf[I any]() []optional {
	t := reflect.TypeFor[I]()
	var list []optional
	for m := range t.Methods() {
		list = append(list, optional{t.String(), m.Name, signature(m.Type)})
	}
	return list
}

// findMisnamed finds methods that look like those of optional interfaces and are
// none: no assertion finds them, and nobody says so.
func findMisnamed(a fsm.Agent) []string {
	var problems []string
	v := reflect.ValueOf(a)
	for _, o := range optionals {
		m := v.MethodByName(o.method)
		if !m.IsValid() {
			continue
		}
		if got := signature(m.Type()); got != o.signature {
			problems = append(problems, fmt.Sprintf("a %T has a method %s, but that of %s is %s: nobody will call it; give it this signature, or another name",
				a, named(o.method, got), o.iface, named(o.method, o.signature)))
		}
	}
	return problems
}

// named writes a method as in its declaration, with the packages' short names.
func named(method, signature string) string {
	const module = "github.com/agentfsm/agentfsm/"
	return method + strings.ReplaceAll(strings.TrimPrefix(signature, "func"), module, "")
}

// signature writes the type of a method without its receiver, with the paths of
// packages: two of the same name are two.
func signature(t reflect.Type) string {
	switch {
	case t.Name() != "" && t.PkgPath() != "":
		return t.PkgPath() + "." + t.Name()
	case t.Kind() == reflect.Pointer:
		return "*" + signature(t.Elem())
	case t == reflect.TypeFor[[]byte]():
		return "[]byte" // nobody writes []uint8
	case t.Kind() == reflect.Slice:
		return "[]" + signature(t.Elem())
	case t.Kind() != reflect.Func:
		return t.String()
	}
	var in, out []string
	for p := range t.Ins() {
		in = append(in, signature(p))
	}
	for p := range t.Outs() {
		out = append(out, signature(p))
	}
	text := "func(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return text
	case 1:
		return text + " " + out[0]
	}
	return text + " (" + strings.Join(out, ", ") + ")"
}
