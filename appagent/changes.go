package appagent

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/internal/builtin"
)

// changes are what changed in an agent's data, in their stable JSON form.
type changes struct {
	builtin.Changes
	Before *builtin.Tail[string] `json:"before,omitempty"`
}

// told is what changes have told so far.
type told struct {
	builtin.Told
	before builtin.Grown[string]
}

func (t *told) reset(d *data) error {
	t.before.Keep(d.Before)
	return t.Reset(d.rest(), &d.Data)
}

// rest is the data without its lists, which have changes of their own.
func (d *data) rest() data {
	r := *d
	r.Memory.Items, r.Answers, r.Before = nil, nil, nil
	return r
}

// Changes returns what changed in the agent's data since it was last called, as
// JSON for [Agent.Apply]; nil when nothing did. It is the news of a step, of the
// same size after many steps as after few: fields that are not what they were, and
// what came to the memory. Secrets are included, as in a snapshot.
//
// A new agent has no changes, nor has one behind [Agent.Restore] or [Agent.Apply]:
// what those bring is known. [Agent.Snapshot] changes nothing: whoever wants
// changes from a snapshot on calls Changes beside it and drops what that returns.
// What is lost otherwise must be replaced by a snapshot.
func (a *Agent) Changes() ([]byte, error) {
	t := a.told
	if !t.Known() {
		if err := t.reset(&data{}); err != nil {
			return nil, fmt.Errorf("appagent: changes: %w", err)
		}
	}
	d := a.whole()
	common, err := t.Diff(d.rest(), &d.Data)
	if err != nil {
		return nil, fmt.Errorf("appagent: changes: %w", err)
	}
	c := changes{Changes: common, Before: t.before.Diff(d.Before)}
	t.before.Keep(d.Before)
	if c.Empty() && c.Before == nil {
		a.told = t
		return nil, nil
	}
	raw, err := json.Marshal(&c)
	if err != nil {
		return nil, fmt.Errorf("appagent: changes: %w", err)
	}
	a.told = t
	return raw, nil
}

// Apply does to the agent's data what changes of [Agent.Changes] say. No bytes are
// no changes. The agent must have the data that the other one had: from a snapshot
// and all changes since, in their order. A snapshot may be younger than the first
// of them. The error is [ErrChanges], and the agent is as it was.
func (a *Agent) Apply(changes []byte) error {
	if len(changes) == 0 {
		return nil
	}
	d, err := a.changed(changes)
	if err == nil {
		err = a.install(d)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrChanges, err)
	}
	return nil
}

// changed returns the data as it is behind changes.
func (a *Agent) changed(raw []byte) (data, error) {
	c, err := builtin.DecodeSnapshot[changes](raw)
	if err != nil {
		return data{}, err
	}
	old := a.whole()
	d, err := builtin.Apply(&c.Changes, old.rest(), &old.Data, func(d *data) *builtin.Data { return &d.Data })
	if err != nil {
		return data{}, err
	}
	if d.Before, err = c.Before.Apply(old.Before); err != nil {
		return data{}, fmt.Errorf("before: %w", err)
	}
	return d, nil
}
