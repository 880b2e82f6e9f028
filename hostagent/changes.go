package hostagent

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// changes are what changed in a host's data, in their stable JSON form.
type changes struct {
	builtin.Changes
	Launched *builtin.Tail[desktop.Window] `json:"launched,omitempty"`
	Apps     map[string]*appChanges        `json:"apps,omitempty"` // by key; null: it is gone
}

// appChanges are what changed with the agent of one application.
type appChanges struct {
	Info     *appInfo        `json:"info,omitempty"`
	Snapshot json.RawMessage `json:"snapshot,omitempty"`  // whole: of a new agent, or of one without Changes
	Changes  json.RawMessage `json:"changes,omitempty"`   // of its own
	AppAgent bool            `json:"app_agent,omitempty"` // they are those of an appagent.Agent
}

// told is what changes have told so far.
type told struct {
	builtin.Told
	launched builtin.Grown[desktop.Window]
	apps     map[string]appTold
}

// appTold is what they have told of the agent of one application.
type appTold struct {
	info  appInfo
	whole [sha256.Size]byte // of its last snapshot; of an agent with Changes only that there was one
}

func (t *told) reset(d *data) error {
	t.launched.Keep(d.Launched)
	t.apps = make(map[string]appTold, len(d.Workers))
	for key, info := range d.Workers {
		t.apps[key] = appTold{info: info}
	}
	for key, raw := range d.Apps {
		t.apps[key] = appTold{t.apps[key].info, sha256.Sum256(raw)}
	}
	return t.Reset(d.rest(), &d.Data)
}

// rest is the data without its lists and agents, which have changes of their own.
func (d *data) rest() data {
	r := *d
	r.Memory.Items, r.Answers, r.Launched = nil, nil, nil
	r.Apps, r.Since, r.Workers = nil, nil, nil
	return r
}

// changer is an agent that tells what changed in it; see fsm.Worker.
type changer interface {
	snapshotter
	Changes() ([]byte, error)
	Apply(changes []byte) error
}

// Changes returns what changed since it was last called in the host's data and in
// that of the agents of its applications, as JSON for [Agent.Apply]; nil when
// nothing did. It is the news of a step, of the same size after many steps as after
// few. An agent that has the methods Changes and Apply, as an AppAgent does, tells
// its own; one that has only a Snapshot is told whole when that is not what it was.
// So the host alone must ask those. Secrets are included, as in a snapshot.
//
// A new host has no changes, nor has one behind [Agent.Restore] or [Agent.Apply]:
// what those bring is known. [Agent.Snapshot] changes nothing: whoever wants
// changes from a snapshot on calls Changes beside it and drops what that returns.
// What is lost otherwise must be replaced by a snapshot. Behind an error, agents
// are told whole the next time.
func (a *Agent) Changes() ([]byte, error) {
	t := a.told
	if !t.Known() {
		if err := t.reset(&data{}); err != nil {
			return nil, fmt.Errorf("hostagent: changes: %w", err)
		}
	}
	raw, err := a.news(&t)
	if err != nil {
		for key := range a.apps { // what they told is lost
			delete(t.apps, key)
		}
		a.told.apps = t.apps
		return nil, fmt.Errorf("hostagent: changes: %w", err)
	}
	a.told = t
	return raw, nil
}

// news returns what t has not told, and notes in t that it has.
func (a *Agent) news(t *told) ([]byte, error) {
	c := changes{Launched: t.launched.Diff(a.data.Launched)}
	t.launched.Keep(a.data.Launched)
	for _, key := range slices.Sorted(maps.Keys(a.apps)) {
		app, err := a.appNews(t, key)
		if err != nil {
			return nil, fmt.Errorf("the agent of %s: %w", key, err)
		}
		if app != nil {
			put(&c.Apps, key, app)
		}
	}
	var gone []string
	for key := range t.apps {
		_, there := a.data.Workers[key]
		if _, kept := a.data.Apps[key]; !there && !kept {
			put(&c.Apps, key, nil)
			gone = append(gone, key)
		}
	}
	d := a.own()
	var err error
	if c.Changes, err = t.Diff(d.rest(), &d.Data); err != nil {
		return nil, err
	}
	if c.Empty() && c.Launched == nil && c.Apps == nil {
		return nil, nil
	}
	raw, err := json.Marshal(&c)
	if err != nil {
		return nil, err
	}
	for _, key := range gone {
		delete(t.apps, key)
	}
	return raw, nil
}

// appNews returns what changed with the agent of a key; nil: nothing.
func (a *Agent) appNews(t *told, key string) (*appChanges, error) {
	known, c := t.apps[key], &appChanges{}
	if info := a.data.Workers[key]; info != known.info {
		known.info, c.Info = info, &info
	}
	worker := a.apps[key]
	var err error
	if w, ok := worker.(changer); ok {
		if c.Changes, err = w.Changes(); err != nil {
			return nil, err
		}
		_, c.AppAgent = worker.(*appagent.Agent)
	}
	whole, ok := worker.(snapshotter)
	_, changer := worker.(changer)
	if ok && (!changer || known.whole == [sha256.Size]byte{}) {
		raw, err := whole.Snapshot()
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(raw); sum != known.whole {
			known.whole, c.Snapshot, c.Changes = sum, raw, nil
		}
	}
	t.apps[key] = known
	if c.Info == nil && len(c.Snapshot)+len(c.Changes) == 0 {
		return nil, nil
	}
	return c, nil
}

func put(m *map[string]*appChanges, key string, c *appChanges) {
	if *m == nil {
		*m = map[string]*appChanges{}
	}
	(*m)[key] = c
}
