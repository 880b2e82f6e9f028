package linux

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
)

// Config describes an agent as one of an application. Model and Desktop, which runs the command lines, are required.
// The fields of AppAgents alone, such as NoImages, have no effect.
type Config struct {
	appagent.Config

	States *fsm.Manager[*Agent] // nil: States()
}

// Agent is a LinuxAgent. Make one with [New]. It is a fsm.Worker that hands over JSON, shares its blackboard, and can go
// on in another process.
type Agent struct {
	fsm.Position
	cfg  Config
	data data
}

var (
	_ fsm.Worker        = (*Agent)(nil)
	_ fsm.DataProvider  = (*Agent)(nil)
	_ blackboard.Holder = (*Agent)(nil)
)

// data is all that an agent knows, in a JSON form that stays. States hold nothing.
type data struct {
	Status   fsm.Status           `json:"status"`
	Decision fsm.Decision         `json:"decision"`
	Task     task                 `json:"task"`
	Request  string               `json:"request,omitempty"`
	Before   []blackboard.Subtask `json:"before,omitempty"` // what was done for the request before, in short
	// Work is what was done, asked and answered, and what went wrong.
	acting.Work
}

type task struct {
	ID      string          `json:"id,omitempty"`
	Text    string          `json:"task"`
	Message string          `json:"message,omitempty"`
	Context json.RawMessage `json:"context,omitempty"`
}

// New returns an agent.
func New(cfg Config) (*Agent, error) {
	if cfg.Model == nil || cfg.Desktop == nil {
		return nil, errors.New("linux: Config.Model and Config.Desktop are required")
	}
	if cfg.States == nil {
		cfg.States = States()
	} else if err := cfg.States.Validate(); err != nil {
		return nil, fmt.Errorf("linux: Config.States: %w", err)
	}
	if cfg.Board == nil {
		cfg.Board = blackboard.New(0)
	}
	cfg.Name, cfg.MaxMemory = cmp.Or(cfg.Name, Kind), cmp.Or(cfg.MaxMemory, 20)
	return &Agent{cfg: cfg}, nil
}

// ForApp returns the agent for a terminal of a host, from a Config.NewApp. It works in that window alone.
func ForApp(ctx context.Context, app appagent.Config) (*Agent, error) {
	shell, err := desktop.Scope(ctx, app.Desktop, app.Window.ID)
	if err != nil {
		return nil, err
	}
	app.Name, app.Desktop = strings.Replace(app.Name, "AppAgent", Kind, 1), shell
	return New(Config{Config: app})
}

// Name returns the agent's name.
func (a *Agent) Name() string { return a.cfg.Name }

// States returns the agent's table.
func (a *Agent) States() fsm.Set { return a.cfg.States }

// Board returns the blackboard that the agent shares.
func (a *Agent) Board() *blackboard.Board { return a.cfg.Board }

// Answer returns what came out of the task, for a person.
func (a *Agent) Answer() string { return a.data.Answer }

// Data returns what came out of the task, as JSON; nil while there is nothing.
func (a *Agent) Data() json.RawMessage { return append(json.RawMessage(nil), a.data.Result...) }

// Begin takes a task. What belongs to the one before is forgotten, but for the memory of steps.
func (a *Agent) Begin(_ context.Context, t fsm.Task) error {
	if strings.TrimSpace(t.Text) == "" {
		return errors.New("linux: the task has no text")
	}
	a.data = data{Task: task{ID: t.ID, Text: t.Text, Message: t.Message, Context: t.Context}, Work: a.data.Work.Next()}
	// A host says what the user wants and what was done before.
	if from, ok := t.From.(fsm.Requester); ok {
		a.data.Request = from.Request()
	}
	if from, ok := t.From.(blackboard.SubtaskLister); ok {
		for _, s := range acting.Brief(a.cfg.Board, from.Subtasks()) {
			if s.Status != "" {
				a.data.Before = append(a.data.Before, s)
			}
		}
	}
	return nil
}

// Save returns what the agent knows, for the process that goes on with it. It is not for people: a command that waits
// for approval is in it as it is.
func (a *Agent) Save() (fsm.Saved, error) {
	memory, err := a.data.Memory.Save()
	if err != nil {
		return fsm.Saved{}, fmt.Errorf("linux: save: %w", err)
	}
	d := a.data
	d.Status, d.Decision, d.Memory = a.Status(), a.Decision(), acting.Memory{}
	saved, err := fsm.SaveState(&d)
	if err != nil {
		return fsm.Saved{}, fmt.Errorf("linux: save: %w", err)
	}
	saved.Logs = map[string]fsm.Log{"memory": memory}
	return saved, nil
}

// Load replaces what the agent knows by what another one saved. If it fails, the agent is as it was.
func (a *Agent) Load(saved fsm.Saved) error {
	var d data
	err := saved.LoadState(&d)
	if err == nil {
		err = d.Memory.Load(saved.Logs["memory"])
	}
	if err != nil {
		return fmt.Errorf("linux: load: %w", err)
	}
	a.SetStatus(d.Status)
	a.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
	a.data = d
	return nil
}
