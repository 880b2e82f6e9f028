// Package errand is an agent for tests: its one state does what a func says, until that is done.
package errand

import (
	"context"

	"github.com/agentfsm/agentfsm/fsm"
)

// Agent is one that can be saved.
type Agent struct {
	fsm.Position
	Called string // its name
	// Step takes the step after a.N others. After an error it is taken again.
	Step func(ctx context.Context, a *Agent) (done bool, err error)
	Memory
}

// Memory is what an Agent saves.
type Memory struct {
	Task string // that it was given
	N    int    // steps that it took
	Said string // its answer
}

var states = fsm.Table("Errand",
	[]fsm.Row[*Agent]{
		{Status: fsm.Continue, Handle: (*Agent).step},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

// Name implements [fsm.Worker].
func (a *Agent) Name() string { return a.Called }

// States implements [fsm.Worker].
func (a *Agent) States() fsm.Set { return states }

// Begin implements [fsm.Worker].
func (a *Agent) Begin(_ context.Context, task fsm.Task) error {
	a.Task = task.Text
	return nil
}

// Answer is the answer of the round.
func (a *Agent) Answer() string { return a.Said }

// Save implements [fsm.Saver].
func (a *Agent) Save() (fsm.Saved, error) { return fsm.SaveState(a.Memory) }

// Load implements [fsm.Saver].
func (a *Agent) Load(saved fsm.Saved) error { return saved.LoadState(&a.Memory) }

func (a *Agent) step(ctx context.Context) error {
	done, err := a.Step(ctx, a)
	if err != nil {
		return err
	}
	a.N++
	to := fsm.Continue
	if done {
		to = fsm.Finish
	}
	a.Decide(to, fsm.BySystem, "")
	return nil
}
