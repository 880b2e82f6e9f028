package appagent

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/internal/builtin"
)

// Snapshot returns the agent's data as JSON: task, memory, plan, open
// questions, a requested approval and the position. It has what a later
// process needs to go on, secrets included: it is not for people. The
// blackboard is not in it; it has a JSON form of its own.
func (a *Agent) Snapshot() ([]byte, error) {
	raw, err := json.Marshal(a.whole())
	if err != nil {
		return nil, fmt.Errorf("appagent: snapshot: %w", err)
	}
	return raw, nil
}

// whole is the agent's data with its position.
func (a *Agent) whole() *data {
	d := a.data
	d.Status, d.Decision = a.Status(), a.Decision()
	return &d
}

// Restore replaces the agent's data by a snapshot. When it fails, the agent is
// as it was.
func (a *Agent) Restore(snapshot []byte) error {
	d, err := builtin.DecodeSnapshot[data](snapshot)
	if err == nil {
		err = a.install(d)
	}
	if err != nil {
		return fmt.Errorf("appagent: restore: %w", err)
	}
	return nil
}

// install makes d the agent's data, of which nothing is news.
func (a *Agent) install(d data) error {
	var t told
	if err := t.reset(&d); err != nil {
		return err
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.data, a.told = d, t
	return nil
}
