package appagent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/proof"
)

// Agent works in one application. It is a fsm.Worker; one goroutine uses it at
// a time.
type Agent struct {
	fsm.Position
	cfg      Config
	model    llm.Model // that of cfg, retried
	prompt   *builtin.Template
	judge    policies.Func // that of cfg, which may be nil
	pipeline *builtin.Pipeline[*turn]
	tools    builtin.Tools
	place    string          // that is the Window of cfg
	scoped   desktop.Desktop // Desktop narrowed to Window; made when first needed
	seenIn   any             // the Run in which data.Seen was seen
	data     data
	logs     logs
}

var (
	_ fsm.Worker        = (*Agent)(nil)
	_ fsm.Decider       = (*Agent)(nil)
	_ fsm.DataProvider  = (*Agent)(nil)
	_ fsm.Saver         = (*Agent)(nil)
	_ blackboard.Holder = (*Agent)(nil)
	_ proof.Prover      = (*Agent)(nil)
)

// data is what an agent knows, in its stable JSON form.
type data struct {
	Status   fsm.Status   `json:"status"`
	Decision fsm.Decision `json:"decision"`
	Task     task         `json:"task"`
	Request  string       `json:"request,omitempty"` // of the user, of which the task is a part
	Before   []string     `json:"before,omitempty"`  // ids of the sub-tasks that were closed before it
	Plan     []string     `json:"plan,omitempty"`    // what is left to do, in the model's words
	Seen     *seen        `json:"seen,omitempty"`    // by SCREENSHOT
	Alone    bool         `json:"alone,omitempty"`   // no other agent gave the task
	// Window is what the prompts of the task begin with: the window as its first step saw it.
	Window desktop.Window `json:"window,omitzero"`
	builtin.Data
}

type task struct {
	ID      string          `json:"id,omitempty"`
	Text    string          `json:"text"`
	Message string          `json:"message,omitempty"`
	Context json.RawMessage `json:"context,omitempty"`
}

// Name returns the agent's name.
func (a *Agent) Name() string { return a.cfg.Name }

// States returns the agent's Manager.
func (a *Agent) States() fsm.Set { return a.cfg.States }

// Board returns the blackboard that the agent shares.
func (a *Agent) Board() *blackboard.Board { return a.cfg.Board }

// SetWindow tells the agent that its window has another id or title now.
func (a *Agent) SetWindow(w desktop.Window) {
	if w.ID != a.cfg.Window.ID {
		a.scoped = nil
	}
	w.Dialog, w.Focus = "", "" // as it was then
	a.cfg.Window, a.place = w, builtin.Place(w)
}

// Begin takes a task. What was left of the task before is forgotten, the
// memory of steps stays. It asks whoever hands the task over what the user wants
// (fsm.Requester) and what was done for that before (blackboard.SubtaskLister).
// A task without a text is an error.
func (a *Agent) Begin(_ context.Context, t fsm.Task) error {
	if strings.TrimSpace(t.Text) == "" {
		return errors.New("appagent: the task has no text")
	}
	a.data = data{Task: task{ID: t.ID, Text: t.Text, Message: t.Message, Context: t.Context}, Data: a.data.Next()}
	if t.From == nil {
		a.data.Request, a.data.Alone = t.Text, true
	}
	if from, ok := t.From.(fsm.Requester); ok {
		a.data.Request = from.Request()
	}
	if from, ok := t.From.(blackboard.SubtaskLister); ok {
		given := from.Subtasks()
		a.data.Before = make([]string, 0, len(given))
		for _, s := range given {
			if s.Status != "" {
				a.data.Before = append(a.data.Before, s.ID)
			}
		}
	}
	return nil
}

// Answer returns the task's result for a person: Result as text, else Comment,
// of the decision that finished it.
func (a *Agent) Answer() string { return a.data.Answer }

// Data returns the task's result as JSON: Result, else Comment as a string;
// nil while there is none.
func (a *Agent) Data() json.RawMessage { return append(json.RawMessage(nil), a.data.Result...) }
