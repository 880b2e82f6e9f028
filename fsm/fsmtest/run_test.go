package fsmtest_test

import (
	"context"
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

// scribe is a kind with all that a check looks at: people, a hand-over, an end
// that goes on, data that can be saved.
type scribe struct {
	fsm.Position
	lines  []string
	helper fsm.Agent
}

func newScribe() fsm.Agent { return &scribe{lines: []string{"title"}} }

func (s *scribe) Name() string               { return "scribe" }
func (s *scribe) States() fsm.Set            { return scribeStates }
func (s *scribe) Save() (fsm.Saved, error)   { return fsm.SaveState(s.lines) }
func (s *scribe) Load(saved fsm.Saved) error { return saved.LoadState(&s.lines) }

func (s *scribe) nextAgent() fsm.Agent {
	if s.helper != nil {
		return s.helper
	}
	return s
}

func broken(*scribe, context.Context) error { //nolint:revive // a cell of a Row takes the agent first
	panic("a check must not call Handle")
}

var scribeStates = fsm.Table("Scribe",
	[]fsm.Row[*scribe]{
		{Status: fsm.Continue, Handle: broken},
		{Status: "ASSIGN", Handle: broken, NextState: fsm.To[*scribe](fsm.Continue), NextAgent: (*scribe).nextAgent},
		{Status: fsm.Pending, Handle: broken},
		{Status: fsm.Finish, Handle: broken, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Fail, Handle: broken, NextState: fsm.To[*scribe](fsm.Finish), RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, Handle: broken, NextState: fsm.To[*scribe](fsm.Finish), RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: "ASSIGN", By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Pending, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: "ASSIGN", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	fsm.Edge{From: fsm.Pending, To: fsm.Continue, By: fsm.ByUser},
	fsm.Edge{From: fsm.Pending, To: fsm.Fail, By: fsm.ByTimeout},
	fsm.Edge{From: fsm.Fail, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Error, To: fsm.Finish, By: fsm.BySystem},
)

func TestRun(t *testing.T) { fsmtest.Run(t, scribeStates, newScribe) }

// A copy with more edges is checked with agents that have the copy.
func TestRunOnACopy(t *testing.T) {
	states := idleStates.With(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel})
	fsmtest.Run(t, states, func() fsm.Agent { return &idle{states: states} })
}

var idleStates = fsm.Table("Idle",
	[]fsm.Row[*idle]{{Status: fsm.Continue}, {Status: fsm.Finish, RoundEnd: true}},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

func TestRunOnAnAgentThatEndsAtOnce(t *testing.T) {
	m := fsm.Table("Idle", []fsm.Row[*idle]{{Status: fsm.Finish, RoundEnd: true}}, fsm.Edge{To: fsm.Finish, By: fsm.BySystem})
	fsmtest.Run(t, m, func() fsm.Agent { return &idle{states: m} })
}

type idle struct {
	fsm.Position
	states fsm.Set
}

func (i *idle) Name() string    { return "idle" }
func (i *idle) States() fsm.Set { return i.states }
