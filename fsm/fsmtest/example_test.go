package fsmtest_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

// In a test file of the package that defines the kind, this is a whole test.
func ExampleRun() {
	_ = func(t *testing.T) { // func TestTable(t *testing.T)
		fsmtest.Run(t, idleStates, func() fsm.Agent { return &idle{states: idleStates} })
	}
}
