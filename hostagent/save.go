package hostagent

import (
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// logs are the lists of a host's data, as they were saved.
type logs struct {
	builtin.Logs
	launched builtin.List[desktop.Window]
}

// Save returns what the host and the agents of its applications know, as far as those
// are a [fsm.Saver]: the request, the plan, the position, and as logs its memory, the
// answers that it got, and the windows that it launched. It has secrets: it is not for
// people. The blackboard is not in it. Two agents of one name are an error.
func (a *Agent) Save() (fsm.Saved, error) {
	saved, err := a.save()
	if err != nil {
		return fsm.Saved{}, fmt.Errorf("hostagent: save: %w", err)
	}
	return saved, nil
}

func (a *Agent) save() (fsm.Saved, error) {
	lists, err := a.logs.Save(&a.data.Data)
	if err != nil {
		return fsm.Saved{}, err
	}
	if lists["launched"], err = a.logs.launched.Save(a.data.Launched); err != nil {
		return fsm.Saved{}, err
	}
	d := a.data
	d.Status, d.Decision = a.Status(), a.Decision()
	d.Data, d.Launched = d.WithoutLogs(), nil
	saved, err := fsm.SaveState(&d)
	if err != nil {
		return fsm.Saved{}, err
	}
	saved.Logs = lists
	saved.Workers, err = a.saveWorkers()
	return saved, err
}

// saveWorkers returns what the agents of applications know, those among them that this
// process has not made yet.
func (a *Agent) saveWorkers() (map[string]fsm.Saved, error) {
	workers := make(map[string]fsm.Saved, len(a.data.Workers))
	for key, info := range a.data.Workers {
		saved, there := a.asleep[key]
		if saver, ok := a.apps[key].(fsm.Saver); ok {
			var err error
			if saved, err = saver.Save(); err != nil {
				return nil, fmt.Errorf("the agent of %s: %w", key, err)
			}
			there = true
		}
		if !there {
			continue
		}
		if _, twice := workers[info.Name]; twice {
			return nil, fmt.Errorf("two agents of applications are called %q: NewApp gives each a name of its own, such as App.Name", info.Name)
		}
		workers[info.Name] = saved
	}
	return workers, nil
}

// Load replaces what the host knows by what another one saved. The agents of
// applications are made, and load what is theirs, when the host next needs them, or
// [Agent.Worker] is asked for them. When it fails, the host is as it was.
func (a *Agent) Load(saved fsm.Saved) error {
	var d data
	err := saved.LoadState(&d)
	if err == nil {
		err = d.LoadLogs(saved.Logs)
	}
	if err == nil {
		d.Launched, err = builtin.LoadList[desktop.Window](saved.Logs["launched"])
	}
	if err == nil {
		err = d.check()
	}
	var asleep map[string]fsm.Saved
	if err == nil {
		asleep, err = d.asleep(saved.Workers)
	}
	if err != nil {
		return fmt.Errorf("hostagent: load: %w", err)
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.apps, a.asleep, a.active, a.back = map[string]fsm.Worker{}, asleep, nil, false
	a.data = d
	return nil
}

// check finds what the host cannot go on with.
func (d *data) check() error {
	switch {
	case d.Open != "" && d.Chosen == nil:
		return errNothingChosen
	case d.First < 0:
		return fmt.Errorf("there were %d sub-tasks before", d.First)
	}
	for key, info := range d.Workers {
		if builtin.Key(info.Window) != key {
			return fmt.Errorf("the window of %s is another application's", key)
		}
	}
	return d.Plan.Check()
}

// asleep returns what the agents of applications know by their keys.
func (d *data) asleep(workers map[string]fsm.Saved) (map[string]fsm.Saved, error) {
	asleep := make(map[string]fsm.Saved, len(workers))
	for key, info := range d.Workers {
		if saved, there := workers[info.Name]; there {
			asleep[key] = saved
		}
	}
	if len(asleep) != len(workers) {
		return nil, errOtherWorkers
	}
	return asleep, nil
}

var errOtherWorkers = errors.New("the agents that it has data of are not those that it made")
