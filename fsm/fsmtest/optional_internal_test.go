package fsmtest

import (
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
	closesWithout struct{ clerk }
	dataAsBytes   struct{ clerk }
	dataAndError  struct{ clerk }
	boardByValue  struct{ clerk }
	returnedToo   struct{ clerk }
)

func (*closesWithout) Close() error                  { return nil }
func (*dataAsBytes) Data() []byte                    { return nil }
func (*dataAndError) Data() (json.RawMessage, error) { return nil, nil }
func (*boardByValue) Board() blackboard.Board        { panic("not called") }
func (*returnedToo) Returned(fsm.Agent) error        { return nil }

// This stands for all optional methods: whichever has another signature, whether in
// what it takes or in what it returns, is reported.
func TestMisnamedMethods(t *testing.T) {
	m := table()
	for want, a := range map[string]fsm.Agent{
		"Close of a *fsmtest.closesWithout is a func() error, but that of fsm.Closer is a func(context.Context) error": &closesWithout{},
		"a func() []uint8, but that of fsm.DataProvider is a func() json.RawMessage":                                   &dataAsBytes{},
		"a func() (json.RawMessage, error), but":                                                                       &dataAndError{},
		"a func() blackboard.Board, but that of blackboard.Holder is a func() *blackboard.Board":                       &boardByValue{},
		"a func(fsm.Agent) error, but that of fsm.ReturnHandler is a func(fsm.Agent)":                                  &returnedToo{},
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
