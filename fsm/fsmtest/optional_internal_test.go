package fsmtest

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// The agents below are a clerk with one optional method that nobody finds.
type (
	closesWithout  struct{ clerk }
	dataAsBytes    struct{ clerk }
	dataAndError   struct{ clerk }
	boardByValue   struct{ clerk }
	returnedToo    struct{ clerk }
	workerByName   struct{ clerk }
	windowByID     struct{ clerk }
	subtasksAsText struct{ clerk }
	requestAsTask  struct{ clerk }
	endsSubtask    struct{ clerk }
	plansTexts     struct{ clerk }
	loadsBytes     struct{ clerk }
)

func (*closesWithout) Close() error                      { return nil }
func (*dataAsBytes) Data() []byte                        { return nil }
func (*dataAndError) Data() (json.RawMessage, error)     { return nil, nil }
func (*boardByValue) Board() blackboard.Board            { panic("not called") }
func (*returnedToo) Returned(fsm.Agent) error            { return nil }
func (*workerByName) Worker(string) (fsm.Worker, error)  { return nil, nil }
func (*windowByID) SetWindow(string)                     {}
func (*subtasksAsText) Subtasks() []string               { return nil }
func (*requestAsTask) Request() fsm.Task                 { return fsm.Task{} }
func (*endsSubtask) CloseSubtasks(context.Context) error { return nil }
func (*plansTexts) Planned() []string                    { return nil }
func (*loadsBytes) Load([]byte) error                    { return nil }

// This stands for all optional methods: whichever has another signature, whether in
// what it takes or in what it returns, is reported.
func TestMisnamedMethods(t *testing.T) {
	m := table()
	for want, a := range map[string]fsm.Agent{
		"a method Close() error, but that of fsm.Closer is Close(context.Context) error":                                          &closesWithout{},
		"a method Data() []byte, but that of fsm.DataProvider is Data() encoding/json.RawMessage":                                 &dataAsBytes{},
		"a method Data() (encoding/json.RawMessage, error), but":                                                                  &dataAndError{},
		"a method Board() blackboard.Board, but that of blackboard.Holder is Board() *blackboard.Board":                           &boardByValue{},
		"a method Returned(fsm.Agent) error, but that of fsm.ReturnHandler is Returned(fsm.Agent)":                                &returnedToo{},
		"but that of fsm.WorkerProvider is Worker(context.Context, string) (fsm.Worker, error)":                                   &workerByName{},
		"a method SetWindow(string), but that of hostagent.WindowSetter is SetWindow(desktop.Window)":                             &windowByID{},
		"a method Subtasks() []string, but that of blackboard.SubtaskLister is Subtasks() []blackboard.Subtask":                   &subtasksAsText{},
		"a method Request() fsm.Task, but that of fsm.Requester is Request() string":                                              &requestAsTask{},
		"a method CloseSubtasks(context.Context) error, but that of fsm.SubtaskCloser is CloseSubtasks(fsm.Status, string) error": &endsSubtask{},
		"a method Planned() []string, but that of fsm.Planner is Planned() int":                                                   &plansTexts{},
		"a method Load([]byte) error, but that of fsm.Saver is Load(fsm.Saved) error":                                             &loadsBytes{},
	} {
		found := inspect(m, func() fsm.Agent {
			made := reflect.New(reflect.TypeOf(a).Elem()).Interface()
			made.(interface{ of(fsm.Set) }).of(m)
			return made.(fsm.Agent)
		})
		expect(t, found, map[string]string{"agent": want})
		assert.Len(t, found["agent"], 1)
	}
}

func (c *clerk) of(set fsm.Set) { c.set = set }

// What is written out here is what the other packages have.
func TestOptionalsAreTheInterfaces(t *testing.T) {
	for _, want := range slices.Concat(optionalsOf[blackboard.Holder](), optionalsOf[blackboard.SubtaskLister](), optionalsOf[hostagent.WindowSetter]()) {
		assert.Contains(t, optionals, want)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "../optional.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			known := slices.ContainsFunc(optionals, func(o optional) bool { return o.iface == "fsm."+spec.Name.Name })
			assert.True(t, known, "an interface that is not checked: fsm.%s", spec.Name)
		}
		return true
	})
}
