package fsm_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

// The kind of the Examples is one that readers copy.
func TestCounterConforms(t *testing.T) {
	fsmtest.Run(t, counterStates, func() fsm.Agent { return &counter{} })
}
