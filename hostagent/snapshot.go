package hostagent

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// Snapshot returns the host's data as JSON, with the snapshots of the agents of
// its applications as far as they have one. It has what a later process needs
// to go on, secrets included: it is not for people. The blackboard is not in
// it; it has a JSON form of its own.
func (a *Agent) Snapshot() ([]byte, error) {
	d, err := a.whole()
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("hostagent: snapshot: %w", err)
	}
	return raw, nil
}

// whole is the host's data with its position and the snapshots of its agents.
func (a *Agent) whole() (*data, error) {
	d := a.own()
	d.Apps = maps.Clone(d.Apps)
	for key, agent := range a.asleep {
		raw, err := agent.Snapshot()
		if err != nil {
			return nil, snapshotError(key, err)
		}
		d.Apps[key] = raw
	}
	for key, worker := range a.apps {
		s, ok := worker.(snapshotter)
		if !ok {
			continue
		}
		raw, err := s.Snapshot()
		if err != nil {
			return nil, snapshotError(key, err)
		}
		if d.Apps == nil {
			d.Apps = map[string]json.RawMessage{}
		}
		d.Apps[key] = raw
	}
	return d, nil
}

type snapshotter interface{ Snapshot() ([]byte, error) }

func snapshotError(key string, err error) error {
	return fmt.Errorf("hostagent: snapshot of %s: %w", key, err)
}

// own is the host's data with its position.
func (a *Agent) own() *data {
	d := a.data
	d.Status, d.Decision = a.Status(), a.Decision()
	return &d
}

// Restore replaces the host's data by a snapshot. Agents of applications are
// made, and get theirs, when the host next needs them, or [Agent.Worker] is asked
// for them. When it fails, the host is as it was.
func (a *Agent) Restore(snapshot []byte) error {
	d, err := builtin.DecodeSnapshot[data](snapshot)
	if err == nil {
		err = d.check()
	}
	var t told
	if err == nil {
		err = t.reset(&d)
	}
	if err != nil {
		return fmt.Errorf("hostagent: restore: %w", err)
	}
	a.install(d, t, nil)
	return nil
}

// check finds what the host cannot go on with.
func (d *data) check() error {
	if d.Open != "" && d.Chosen == nil {
		return errNothingChosen
	}
	for key, info := range d.Workers {
		if builtin.Key(info.Window) != key {
			return fmt.Errorf("the window of %s is another application's", key)
		}
	}
	for key := range d.Since {
		if d.Apps[key] == nil {
			return fmt.Errorf("there are changes of %s, but no snapshot", key)
		}
	}
	return d.Plan.Check()
}

// install makes d the host's data, with agents that are not made yet.
func (a *Agent) install(d data, t told, asleep map[string]*appagent.Agent) {
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.apps, a.asleep, a.active, a.back = map[string]fsm.Worker{}, asleep, nil, false
	a.data, a.told = d, t
}
