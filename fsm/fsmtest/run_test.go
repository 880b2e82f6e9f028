package fsmtest_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

var idleStates = fsm.Table("Idle",
	[]fsm.Row[*idle]{{Status: fsm.Continue}, {Status: fsm.Finish, RoundEnd: true}},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

type idle struct {
	fsm.Position
	states fsm.Set
}

func (i *idle) Name() string    { return "idle" }
func (i *idle) States() fsm.Set { return i.states }

func TestRun(t *testing.T) {
	fsmtest.Run(t, idleStates, func() fsm.Agent { return &idle{states: idleStates} })
}

// A copy with more edges is checked with agents that have the copy.
func TestRunOnACopy(t *testing.T) {
	states := idleStates.With(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel})
	fsmtest.Run(t, states, func() fsm.Agent { return &idle{states: states} })
}

func TestRunOnAnAgentThatEndsAtOnce(t *testing.T) {
	m := fsm.Table("Idle", []fsm.Row[*idle]{{Status: fsm.Finish, RoundEnd: true}}, fsm.Edge{To: fsm.Finish, By: fsm.BySystem})
	fsmtest.Run(t, m, func() fsm.Agent { return &idle{states: m} })
}
