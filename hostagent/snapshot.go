package hostagent

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// Snapshot returns the host's data as JSON, with the snapshots of the agents of
// its applications as far as they have one. It has what a later process needs
// to go on, secrets included: it is not for people. The blackboard is not in
// it; it has a JSON form of its own.
func (a *Agent) Snapshot() ([]byte, error) {
	d := a.data
	d.Status, d.Decision = a.Status(), a.Decision()
	d.Apps = maps.Clone(d.Apps)
	for key, worker := range a.apps {
		s, ok := worker.(interface{ Snapshot() ([]byte, error) })
		if !ok {
			continue
		}
		raw, err := s.Snapshot()
		if err != nil {
			return nil, fmt.Errorf("hostagent: snapshot of %s: %w", key, err)
		}
		if d.Apps == nil {
			d.Apps = map[string]json.RawMessage{}
		}
		d.Apps[key] = raw
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("hostagent: snapshot: %w", err)
	}
	return raw, nil
}

// Restore replaces the host's data by a snapshot. Agents of applications are
// made, and get theirs, when the host next needs them. When it fails, the host
// is as it was.
func (a *Agent) Restore(snapshot []byte) error {
	d, err := builtin.DecodeSnapshot[data](snapshot)
	if err == nil && d.Open != "" && d.Chosen == nil {
		err = errNothingChosen
	}
	if err == nil {
		err = d.Plan.Check()
	}
	if err != nil {
		return fmt.Errorf("hostagent: restore: %w", err)
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.apps, a.active, a.data = map[string]fsm.Worker{}, nil, d
	return nil
}
