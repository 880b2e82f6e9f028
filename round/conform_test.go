package round_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

// The kind of the Examples is one that readers copy.
func TestPorterConforms(t *testing.T) {
	fsmtest.Run(t, porterStates, func() fsm.Agent { return porter("FINISH") })
}
