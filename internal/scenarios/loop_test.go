package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

func TestScenario02_HandOverAsksTheHandledState(t *testing.T) {
	states := givers(t, fsm.Edge{From: "PASS", To: "WALK", Kind: "Taker", By: fsm.BySystem})
	require.NoError(t, states.Validate())
	var log []string
	a := &runner{name: "a", states: states, log: &log}
	a.give = &runner{name: "b", states: takers(t), log: &log}
	s := onStage(t)

	res, err := s.drive(a, "run").Run(t.Context())

	require.NoError(t, err)
	assert.Equal(t, "answer of a", res.Answer)
	assert.Equal(t, []string{"a:CONTINUE", "a:PASS", "b:WALK", "b:FINISH", "a:CONTINUE", "a:FINISH"}, s.positions())
	assert.Equal(t, "Giver", s.Steps[1].Kind)
	assert.Equal(t, "Taker", s.Steps[1].NextKind)
	assert.Equal(t, []string{
		"a: move to CONTINUE",
		"a:CONTINUE Handle CONTINUE", "a:CONTINUE NextState CONTINUE", "a:CONTINUE NextAgent CONTINUE", "a:CONTINUE move to PASS",
		"a:PASS Handle PASS", "a:PASS NextState PASS", "a:PASS NextAgent PASS", "b: move to WALK",
		"b:WALK Handle WALK", "b:WALK NextState WALK", "b:WALK NextAgent WALK", "b:WALK move to FINISH",
		"b:FINISH Handle FINISH", "b:FINISH NextState FINISH", "b:FINISH NextAgent FINISH", "a:PASS move to CONTINUE",
		"a:CONTINUE Handle CONTINUE", "a:CONTINUE NextState CONTINUE", "a:CONTINUE NextAgent CONTINUE", "a:CONTINUE move to FINISH",
	}, log, "the state that was handled is asked, on the agent that was, once, before anything moves; "+
		"the state that is entered is asked nothing, and one that ends the round is not handled")
}

// A result that is too long for a prompt travels whole by its reference.
func TestScenario03_LongResultsTravelByReference(t *testing.T) {
	long := make([]string, 2000)
	for i := range long {
		long[i] = "row"
	}
	s := onStage(t,
		assign("0", "extract"), finish(long),
		assign("1", "copy"),
		call(fsm.Continue, "set_edit_text", map[string]any{"id": "1", "text": map[string]any{"$ref": "subtask_result_1.data.1999"}}),
		finish(map[string]any{"$ref": "subtask_result_1.data"}),
		finish("done"),
	)
	s.Excel.Controls = nil
	s.Desktop.Before(desktop.SetEditText, func(c desktoptest.Call) { assert.Equal(t, "row", fmt.Sprint(c.Params["text"])) })
	res, err := s.run("copy the table")
	require.NoError(t, err)
	var copied []string
	require.NoError(t, json.Unmarshal(res.Subtasks[1].Result, &copied))
	assert.Equal(t, long, copied)
	assert.Len(t, s.Desktop.Calls(desktop.SetEditText), 1)
	for _, call := range []int{2, 3} {
		before := prompt[[]blackboard.Subtask](s, call, "previous_subtasks")
		assert.Less(t, len(before[0].Result), 4096)
		assert.Contains(t, string(before[0].Result), `"subtask_result_1.data"`)
	}
}

// A host that goes on and on in CONTINUE: the instance that AddState brings takes the
// next step, though the status does not change.
func TestScenario48_AddStateWhileAHostStays(t *testing.T) {
	finishing := fsm.Row[*hostagent.Agent]{Status: fsm.Continue, Handle: func(a *hostagent.Agent, _ context.Context) error {
		a.Decide(fsm.Finish, fsm.BySystem, "the new CONTINUE")
		return nil
	}}
	s := onStage(t, status("CONTINUE"), status("CONTINUE"))
	s.Config.States = hostagent.States().With()
	s.Options.Observe = func(step round.Step) {
		if step.Seq == 2 {
			require.NoError(t, s.Config.States.AddState(fsm.Continue, finishing.State()))
		}
	}
	res, err := s.run("go")
	require.NoError(t, err)
	assert.Equal(t, "the new CONTINUE", res.Reason)
	assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:FINISH"}, s.positions())
}

// runner is an agent that writes down what its states are asked, and when it is
// moved.
type runner struct {
	fsm.Position
	name   string
	states *fsm.Manager[*runner]
	log    *[]string
	give   *runner    // who takes over in PASS
	at     fsm.Status // and where; "": at the start of its table
	passed bool
}

func (r *runner) Name() string                          { return r.name }
func (r *runner) States() fsm.Set                       { return r.states }
func (r *runner) Answer() string                        { return "answer of " + r.name }
func (r *runner) Begin(context.Context, fsm.Task) error { return nil }

func (r *runner) SetStatus(s fsm.Status) {
	r.note("move to", s)
	r.Position.SetStatus(s)
}

func (r *runner) note(what string, s fsm.Status) {
	*r.log = append(*r.log, fmt.Sprintf("%s:%s %s %s", r.name, r.Status(), what, s))
}

// leg is a state of a runner.
type leg struct {
	name fsm.Status
	to   func(*runner) fsm.Status
	pass bool // control goes to give
	ends bool
}

func (l *leg) Name() fsm.Status   { return l.name }
func (l *leg) IsRoundEnd() bool   { return l.ends }
func (l *leg) IsSubtaskEnd() bool { return l.ends }
func (l *leg) IsSuccess() bool    { return l.ends && l.name == "END" }

func (l *leg) Handle(_ context.Context, r *runner) error {
	r.note("Handle", l.name)
	r.passed = r.passed || l.pass
	return nil
}

func (l *leg) NextState(r *runner) fsm.Status {
	r.note("NextState", l.name)
	return l.to(r)
}

func (l *leg) NextAgent(r *runner) fsm.Agent {
	r.note("NextAgent", l.name)
	if l.pass {
		return r.give
	}
	return r
}

// givers hand over in PASS, along the edges given, and finish when they go on.
func givers(t *testing.T, edges ...fsm.Edge) *fsm.Manager[*runner] {
	t.Helper()
	return runners(t, "Giver", []*leg{
		{name: fsm.Continue, to: func(r *runner) fsm.Status {
			if r.passed {
				return fsm.Finish
			}
			return "PASS"
		}},
		{name: "PASS", pass: true, to: func(r *runner) fsm.Status {
			if r.at != "" {
				return r.at
			}
			start, _ := fsm.Start(r.give.states)
			return start
		}},
		{name: fsm.Finish, ends: true, to: fsm.To[*runner]("")},
		{name: fsm.Error, ends: true, to: fsm.To[*runner]("")},
	}, append([]fsm.Edge{
		{To: fsm.Continue, By: fsm.BySystem},
		{From: fsm.Continue, To: "PASS", By: fsm.BySystem},
		{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	}, edges...)...)
}

// takers have neither PASS nor CONTINUE.
func takers(t *testing.T) *fsm.Manager[*runner] {
	t.Helper()
	return runners(t, "Taker", []*leg{
		{name: "WALK", to: fsm.To[*runner](fsm.Finish)},
		{name: fsm.Finish, ends: true, to: fsm.To[*runner]("")},
	}, fsm.Edge{To: "WALK", By: fsm.BySystem}, fsm.Edge{From: "WALK", To: fsm.Finish, By: fsm.BySystem})
}

func runners(t *testing.T, kind string, legs []*leg, edges ...fsm.Edge) *fsm.Manager[*runner] {
	t.Helper()
	m := fsm.NewManager[*runner](kind, edges...)
	for _, l := range legs {
		require.NoError(t, m.Register(l.name, func() fsm.State[*runner] { return l }))
	}
	return m
}
