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
