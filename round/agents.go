package round

import (
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// What an agent must be, to be driven, and to be recorded.

// checkAgent says why an agent cannot be driven. by is who named it.
func checkAgent(by string, agent fsm.Agent) error {
	switch {
	case nilcheck.IsNil(agent):
		return &agentError{by, ErrAgent, "its next agent is nil"}
	case reflect.TypeOf(agent).Kind() != reflect.Pointer && !reflect.ValueOf(agent).Comparable():
		return &agentError{by, ErrAgent, "an agent must be comparable, best a pointer: " + reflect.TypeOf(agent).String()}
	case nilcheck.IsNil(agent.States()):
		return &agentError{agent.Name(), ErrAgent, "its States are nil"}
	}
	return nil
}

func notResumable(agent, text string) error {
	return &agentError{agent, ErrNotResumable, text}
}

// keepable says whether an agent can be recorded.
func keepable(agent fsm.Agent) error {
	if _, ok := agent.(fsm.Saver); ok {
		return nil
	}
	return notResumable(agent.Name(), "it is no fsm.Saver, so it cannot be in a round that is recorded")
}

// comesBack says whether an agent that gets control could be made again by who hands it over.
func comesBack(by, next fsm.Agent) error {
	if _, ok := by.(fsm.WorkerProvider); !ok {
		return notResumable(by.Name(), fmt.Sprintf("it hands over to %q in a round that is recorded, but is no fsm.WorkerProvider: nobody could make that agent again", next.Name()))
	}
	return keepable(next)
}

// unrecordable says that an agent got no control, as it could not be made again.
type unrecordable struct{ error }

func (u unrecordable) Unwrap() error { return u.error }
