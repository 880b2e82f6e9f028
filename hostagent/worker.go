package hostagent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// WindowSetter is the agent of an application that has to know when its window
// has another id or title. This is optional: an agent that looks for its window
// itself does not need it. An AppAgent is one.
type WindowSetter interface {
	// SetWindow is called before a sub-task is handed over, for each but the
	// first: then Config.NewApp got the window. It is called by the goroutine
	// that drives the host, while the agent does not have control.
	SetWindow(w desktop.Window)
}

// Worker returns the agent of an application by its own name, as it was: with
// ASSIGN it was made once, in this process or in the one that saved what the host has
// loaded. Where it is not there yet, Config.NewApp makes it for the window that it
// had last, and it loads what it knew. A Round that goes on in another process
// finds those that had control in this way. A name that no agent has is an error.
func (a *Agent) Worker(ctx context.Context, name string) (fsm.Worker, error) {
	for _, key := range slices.Sorted(maps.Keys(a.apps)) {
		if a.apps[key].Name() == name {
			return a.apps[key], nil
		}
	}
	for _, key := range slices.Sorted(maps.Keys(a.data.Workers)) {
		if info := a.data.Workers[key]; info.Name == name && a.apps[key] == nil {
			return a.made(ctx, key, name, info.Window)
		}
	}
	return nil, ofApp(name, errUnknownApp)
}

// Apps returns the name of the agent of each application that has one, by the key of the application:
// root/process as in [Config].NewApp. Drop takes the key and Worker the name.
func (a *Agent) Apps() map[string]string {
	names := make(map[string]string, len(a.apps))
	for key, info := range a.data.Workers {
		names[key] = info.Name
	}
	for key, app := range a.apps {
		names[key] = app.Name()
	}
	return names
}

// Drop forgets the agent of an application, with all that it remembers: the next sub-task there
// makes another one. key is root/process as in [Config].NewApp. The host does so itself when the
// window is not listed any more. An agent that is a fsm.Closer is closed; its error is returned.
// While the agent has a sub-task Drop is an error, and so is a key that no agent has.
//
// Where package durable records the session, so is a Drop that cannot be recorded: somebody else
// drives the run, or a step of it was interrupted. The agent is there as before then, unless the error is
// over round.ErrLost.
func (a *Agent) Drop(ctx context.Context, key string) error {
	if err := a.mayDrop(key); err != nil {
		return err
	}
	var dropped fsm.Worker
	err := a.cfg.Board.Inside().Change(ctx, func() { dropped = a.forget(key) })
	if err != nil {
		err = ofApp(key, err)
	}
	return errors.Join(err, closeWorker(ctx, key, dropped))
}

// mayDrop says why the agent of an application cannot be dropped.
func (a *Agent) mayDrop(key string) error {
	if _, known := a.data.Workers[key]; !known {
		return ofApp(key, a.unknownKey())
	}
	if a.data.Open != "" && a.data.Chosen.key() == key {
		return ofApp(key, errBusy)
	}
	return nil
}

// forget drops the agent of an application, and returns it; nil: this process has not made it.
func (a *Agent) forget(key string) fsm.Worker {
	worker := a.apps[key]
	delete(a.apps, key)
	delete(a.asleep, key)
	delete(a.data.Workers, key)
	return worker
}

// unknownKey says which keys there are.
func (a *Agent) unknownKey() error {
	keys := slices.Sorted(maps.Keys(a.data.Workers))
	if len(keys) == 0 {
		return errors.New("no application has an agent")
	}
	return fmt.Errorf("no application has an agent of that key: there are %q", keys)
}

var errBusy = errors.New("it has a sub-task")

// dropGone drops the agents of applications that have no window any more.
func (a *Agent) dropGone(ctx context.Context, windows []desktop.Window) error {
	there := map[string]bool{}
	for _, w := range windows {
		there[builtin.Key(w)] = true
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(a.data.Workers)) {
		if there[key] {
			continue
		}
		err := a.mayDrop(key)
		if err == nil {
			err = closeWorker(ctx, key, a.forget(key)) // the record of this step has it
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// worker returns the agent of the chosen application, the same for the same
// application.
func (a *Agent) worker(ctx context.Context, chosen *assignment) (fsm.Worker, error) {
	key := chosen.key()
	worker := a.apps[key]
	if worker == nil {
		return a.made(ctx, key, "", chosen.Window)
	}
	if known, ok := worker.(WindowSetter); ok {
		known.SetWindow(chosen.Window)
	}
	a.note(key, worker, chosen.Window)
	return worker, nil
}

// made makes the agent of a key, with what it knew. name is what it has to be called;
// "": anything.
func (a *Agent) made(ctx context.Context, key, name string, w desktop.Window) (fsm.Worker, error) {
	worker, err := a.cfg.NewApp(ctx, a.app(key, w))
	if err == nil && nilcheck.IsNil(worker) {
		err = fmt.Errorf("%w.NewApp returned no agent", ErrConfig)
	}
	if err == nil && name != "" && worker.Name() != name {
		return nil, ofApp(name, errUnknownApp) // what it knew waits for one of that name
	}
	if err == nil {
		err = a.namesake(key, worker)
	}
	if err == nil {
		err = a.remind(key, worker)
	}
	if err != nil {
		return nil, ofApp(key, err)
	}
	delete(a.asleep, key)
	a.apps[key] = worker
	a.note(key, worker, w)
	return worker, nil
}

var errUnknownApp = errors.New("no application has an agent of that name")

// namesake says that the agent of another application has the name of a new one: what they know would
// be saved under one name.
func (a *Agent) namesake(key string, worker fsm.Worker) error {
	for _, other := range slices.Sorted(maps.Keys(a.data.Workers)) {
		there := a.apps[other]
		if other == key || a.data.Workers[other].Name != worker.Name() || there == worker {
			continue
		}
		was := "which is not made again yet"
		if there != nil {
			was = fmt.Sprintf("of kind %q", there.States().Kind())
		}
		return fmt.Errorf("%w.NewApp made one of kind %q that is called %q, as is that of %s, %s: give each a name of its own, such as App.Name",
			ErrConfig, worker.States().Kind(), worker.Name(), other, was)
	}
	return nil
}

// errNoLoad is why an agent cannot be the one that there was: its memory would be
// gone without a word.
var errNoLoad = errors.New("hostagent: it has no method Load for what it knew")

// remind gives an agent back what it knew.
func (a *Agent) remind(key string, worker fsm.Worker) error {
	saved, there := a.asleep[key]
	if !there {
		return nil
	}
	saver, ok := worker.(fsm.Saver)
	if !ok {
		return errNoLoad
	}
	return saver.Load(saved)
}

// note keeps what it takes to make the agent again.
func (a *Agent) note(key string, worker fsm.Worker, w desktop.Window) {
	info := appInfo{Name: worker.Name(), Window: w}
	if a.data.Workers[key] == info {
		return
	}
	if a.data.Workers == nil {
		a.data.Workers = map[string]appInfo{}
	}
	a.data.Workers[key] = info
}
