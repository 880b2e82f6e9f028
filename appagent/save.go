package appagent

import (
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// logs are the lists of an agent's data, as they were saved.
type logs struct {
	builtin.Logs
	before builtin.List[string]
}

// Save returns what the agent knows: task, open questions, a requested approval, the
// position, and as logs its memory, the answers that it got, and the ids of earlier
// sub-tasks. It has secrets: it is not for people. The blackboard is not in it.
func (a *Agent) Save() (fsm.Saved, error) {
	saved, err := a.save()
	if err != nil {
		return fsm.Saved{}, fmt.Errorf("appagent: save: %w", err)
	}
	return saved, nil
}

func (a *Agent) save() (fsm.Saved, error) {
	lists, err := a.logs.Save(&a.data.Data)
	if err != nil {
		return fsm.Saved{}, err
	}
	if lists["before"], err = a.logs.before.Save(a.data.Before); err != nil {
		return fsm.Saved{}, err
	}
	d := a.data
	d.Status, d.Decision = a.Status(), a.Decision()
	d.Data, d.Before = d.WithoutLogs(), nil
	saved, err := fsm.SaveState(&d)
	saved.Logs = lists
	return saved, err
}

// Load replaces what the agent knows by what another one saved. When it fails, the
// agent is as it was.
func (a *Agent) Load(saved fsm.Saved) error {
	var d data
	err := saved.LoadState(&d)
	if err == nil {
		err = d.LoadLogs(saved.Logs)
	}
	if err == nil {
		d.Before, err = builtin.LoadList[string](saved.Logs["before"])
	}
	if err != nil {
		return fmt.Errorf("appagent: load: %w", err)
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.data, a.seenIn = d, nil
	return nil
}
