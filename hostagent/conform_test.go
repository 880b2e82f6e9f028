package hostagent_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/hostagent"
)

// A host that nobody watches has an edge more, so that it can give up.
func TestUnattendedConforms(t *testing.T) {
	states := hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
	b := newBench(t)
	b.Config.States = states
	fsmtest.Run(t, states, func() fsm.Agent { return b.host() })
}

// The kind of the Examples is one that readers copy.
func TestClerkConforms(t *testing.T) {
	fsmtest.Run(t, clerkStates, func() fsm.Agent { return &clerk{app: appagent.Config{Name: "AppAgent/word/report.docx"}} })
}
