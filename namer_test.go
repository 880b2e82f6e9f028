package agentfsm_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

// The kind of the README is the first that readers copy.
func TestNamerConforms(t *testing.T) {
	fsmtest.Run(t, namers, func() fsm.Agent { return &Namer{} })
}
