package linux

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
)

var (
	// ErrNoModel says that Config.Model is nil.
	ErrNoModel = errors.New("linux: Config.Model is nil")
	// ErrNoDesktop says that Config.Desktop is nil.
	ErrNoDesktop = errors.New("linux: Config.Desktop is nil")
	// ErrNoTask says that the agent was given a task without a text.
	ErrNoTask = errors.New("linux: the task has no text")
)

// Agent is a LinuxAgent. Make one with [New]. It is a fsm.Worker that hands over
// JSON, shares its blackboard, and can go on in another process.
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

// data is all that an agent knows, in a JSON form that stays: whoever restores it
// goes on where it was. States hold nothing.
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

// Name returns the agent's name.
func (a *Agent) Name() string { return a.cfg.Name }

// States returns the agent's table.
func (a *Agent) States() fsm.Set { return a.cfg.States }

// Board returns the blackboard that the agent shares.
func (a *Agent) Board() *blackboard.Board { return a.cfg.Board }

// Begin takes a task. What belongs to the one before is forgotten, but for the
// memory of steps. The error is [ErrNoTask].
func (a *Agent) Begin(_ context.Context, t fsm.Task) error {
	if strings.TrimSpace(t.Text) == "" {
		return ErrNoTask
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

// Answer returns what came out of the task, for a person.
func (a *Agent) Answer() string { return a.data.Answer }

// Data returns what came out of the task, as JSON; nil while there is nothing.
func (a *Agent) Data() json.RawMessage { return append(json.RawMessage(nil), a.data.Result...) }
