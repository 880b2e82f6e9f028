package hostagent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// ofApp says of which application the agent could not be made, loaded or given its task.
func ofApp(key string, err error) error {
	return fmt.Errorf("hostagent: the agent of %s: %w", key, err)
}

var errNothingChosen = errors.New("hostagent: ASSIGN without a chosen application")

// assign is ASSIGN: it finds or makes the agent of the application that CONTINUE
// chose, opens the sub-task and hands it over.
func (a *Agent) assign(ctx context.Context) error {
	chosen := a.data.Chosen
	if chosen == nil {
		return errNothingChosen
	}
	how := "agent reused"
	if _, known := a.data.Workers[chosen.key()]; !known {
		how = "agent created"
	}
	worker, err := a.worker(ctx, chosen)
	if err != nil {
		return err
	}
	if a.data.Open == "" { // else an earlier try was interrupted after this
		subtask, err := a.cfg.Board.Open(blackboard.Subtask{
			App: chosen.Window.Root, Text: chosen.Text, DependsOn: a.data.Plan.Inputs(chosen.Item),
		})
		if err != nil {
			return err
		}
		a.data.Open = subtask.ID
		if a.data.Items == nil {
			a.data.Items = map[string]string{}
		}
		a.data.Items[subtask.ID] = chosen.Item
		a.data.Forget()
	}
	if err := a.announce(chosen); err != nil {
		return err
	}
	task := fsm.Task{ID: a.data.Open, Text: chosen.Text, Message: chosen.Message, Context: chosen.Context, From: a}
	if err := worker.Begin(ctx, task); err != nil {
		return ofApp(chosen.key(), err)
	}
	a.active, a.back = worker, false
	a.Decide(a.entry(), fsm.BySystem, how)
	return nil
}

// assigned is the NextAgent of ASSIGN.
func (a *Agent) assigned() fsm.Agent {
	if a.active == nil {
		return a // nobody to hand over to: the table refuses that step
	}
	return a.active
}

// entry is the NextState of ASSIGN: where the table of the agent that takes the
// sub-task starts.
func (a *Agent) entry() fsm.Status {
	if a.active == nil {
		return fsm.Continue
	}
	start, _ := fsm.Start(a.active.States())
	return start // "" where its table has none: the Round refuses that step
}

// announce writes the assignment, the plan and the progress on the blackboard.
func (a *Agent) announce(chosen *assignment) error {
	planned, err := a.planned(chosen)
	if err != nil {
		return err
	}
	err = blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Put(a.cfg.Board, boarddata.Assignment{
		ID: a.data.Open, Application: chosen.Window.Root,
		Task: chosen.Text, Message: chosen.Message, Context: planned, Timestamp: time.Now().UTC(),
	})
	if err != nil {
		return err
	}
	return a.progress()
}

// app is the Config of the agent of an application.
func (a *Agent) app(key string, w desktop.Window) appagent.Config {
	cfg := a.cfg.Config
	cfg.Name, cfg.Window = appagent.States().Kind()+"/"+a.unique(key), w
	cfg.Verify = nil // the host asks it about the whole request
	if !nilcheck.IsNil(a.cfg.AppModel) {
		cfg.Model = a.cfg.AppModel
	}
	if p := program(a.cfg.Apps, w.Root); p != nil {
		p.adapt(&cfg)
	}
	return cfg
}

// adapt writes what the program has of its own into the Config of its agent.
func (p *Program) adapt(cfg *appagent.Config) {
	cfg.Docs, cfg.Examples, cfg.Prompt = orElse(p.Docs, cfg.Docs), orElse(p.Examples, cfg.Examples), orElse(p.Prompt, cfg.Prompt)
	if !nilcheck.IsNil(p.Model) {
		cfg.Model = p.Model
	}
	if p.NoImages != nil {
		cfg.NoImages = *p.NoImages
	}
	if p.Policy != nil {
		cfg.Policy = p.Policy
	}
	cfg.LeaveOut = slices.Concat(cfg.LeaveOut, p.LeaveOut)
}

// unique returns a name that no application of another host has.
func (a *Agent) unique(key string) string {
	if a.cfg.Name == kind {
		return key
	}
	return a.cfg.Name + "/" + key
}

// newApp is the default of Config.NewApp.
func newApp(_ context.Context, cfg appagent.Config) (fsm.Worker, error) { return appagent.New(cfg) }
