package linux

import (
	"fmt"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/fsm"
)

// Save returns what the agent knows, for the process that goes on with it. It is not
// for people: a command that waits for approval is in it as it is.
func (a *Agent) Save() (fsm.Saved, error) {
	memory, err := a.data.Memory.Save()
	if err != nil {
		return fsm.Saved{}, fmt.Errorf("linux: save: %w", err)
	}
	d := a.data
	d.Status, d.Decision, d.Memory = a.Status(), a.Decision(), acting.Memory{}
	saved, err := fsm.SaveState(&d)
	if err != nil {
		return fsm.Saved{}, fmt.Errorf("linux: save: %w", err)
	}
	saved.Logs = map[string]fsm.Log{"memory": memory}
	return saved, nil
}

// Load replaces what the agent knows by what another one saved. When it fails, the
// agent is as it was.
func (a *Agent) Load(saved fsm.Saved) error {
	var d data
	err := saved.LoadState(&d)
	if err == nil {
		err = d.Memory.Load(saved.Logs["memory"])
	}
	if err != nil {
		return fmt.Errorf("linux: load: %w", err)
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.data = d
	return nil
}
