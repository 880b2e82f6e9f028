package hostagent

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

var (
	errNoSnapshot = errors.New("there are changes, but no snapshot that they are to")
	errOtherKind  = errors.New("the changes are those of another kind of agent")
)

// Apply does to the host's data, and to what it keeps of the agents of
// applications, what changes of [Agent.Changes] say. No bytes are no changes. The
// host must have the data that the other one had: from a snapshot and all changes
// since, in their order. A snapshot may be younger than the first of them. As with
// [Agent.Restore], agents of applications are made, and get what was theirs, when
// they are next needed; those that are there are dropped. The error is
// [ErrChanges], and the host is as it was.
func (a *Agent) Apply(changes []byte) error {
	if len(changes) == 0 {
		return nil
	}
	if err := a.apply(changes); err != nil {
		return fmt.Errorf("%w: %w", ErrChanges, err)
	}
	return nil
}

func (a *Agent) apply(raw []byte) error {
	c, err := builtin.DecodeSnapshot[changes](raw)
	if err != nil {
		return err
	}
	old := a.own()
	if len(a.apps) > 0 { // what they know stays, as a snapshot
		if old, err = a.whole(); err != nil {
			return err
		}
	}
	d, err := builtin.Apply(&c.Changes, old.rest(), &old.Data, func(d *data) *builtin.Data { return &d.Data })
	if err != nil {
		return err
	}
	if d.Launched, err = c.Launched.Apply(old.Launched); err != nil {
		return fmt.Errorf("launched: %w", err)
	}
	d.Apps, d.Since, d.Workers = maps.Clone(old.Apps), maps.Clone(old.Since), maps.Clone(old.Workers)
	asleep := maps.Clone(a.asleep)
	if asleep == nil {
		asleep = map[string]*appagent.Agent{}
	}
	for key, app := range c.Apps {
		if err := d.applyApp(key, app, asleep); err != nil {
			return fmt.Errorf("the agent of %s: %w", key, err)
		}
	}
	if err := d.check(); err != nil {
		return err
	}
	t := told{apps: maps.Clone(a.told.apps)}
	if err := t.follow(&d, &c); err != nil {
		return err
	}
	a.install(d, t, asleep)
	return nil
}

// applyApp does what changed with the agent of one application. What it does not
// put into d, it puts into asleep: an AppAgent that takes its changes as they come,
// so that they need not be kept.
func (d *data) applyApp(key string, c *appChanges, asleep map[string]*appagent.Agent) error {
	if c == nil {
		delete(d.Apps, key)
		delete(d.Since, key)
		delete(d.Workers, key)
		delete(asleep, key)
		return nil
	}
	if c.Info != nil {
		if d.Workers == nil {
			d.Workers = map[string]appInfo{}
		}
		d.Workers[key] = *c.Info
	}
	if c.Snapshot != nil {
		if d.Apps == nil {
			d.Apps = map[string]json.RawMessage{}
		}
		d.Apps[key] = c.Snapshot
		delete(d.Since, key)
		delete(asleep, key)
	}
	switch {
	case c.Changes == nil:
		return nil
	case d.Apps[key] == nil:
		return errNoSnapshot
	case c.AppAgent:
		return d.applyAppAgent(key, c.Changes, asleep)
	case asleep[key] != nil:
		return errOtherKind
	}
	if d.Since == nil {
		d.Since = map[string][]json.RawMessage{}
	}
	d.Since[key] = append(d.Since[key], c.Changes)
	return nil
}

func (d *data) applyAppAgent(key string, changes []byte, asleep map[string]*appagent.Agent) error {
	agent := &appagent.Agent{} // one that knows, and can do nothing
	switch known := asleep[key]; {
	case len(d.Since[key]) > 0:
		return errOtherKind
	case known != nil:
		*agent = *known
	default:
		if err := agent.Restore(d.Apps[key]); err != nil {
			return err
		}
	}
	if err := agent.Apply(changes); err != nil {
		return err
	}
	asleep[key] = agent
	return nil
}

// follow makes d what is told, where t has told what was before the changes. It
// looks at what changed, not at all that there is.
func (t *told) follow(d *data, c *changes) error {
	if t.apps == nil {
		t.apps = map[string]appTold{}
	}
	for key, app := range c.Apps {
		if app == nil || app.Snapshot != nil {
			delete(t.apps, key)
		}
	}
	for key, raw := range d.Apps {
		if _, known := t.apps[key]; !known {
			t.apps[key] = appTold{whole: sha256.Sum256(raw)}
		}
	}
	for key, info := range d.Workers {
		t.apps[key] = appTold{info, t.apps[key].whole}
	}
	t.launched.Keep(d.Launched)
	return t.Reset(d.rest(), &d.Data)
}
