package fakemodel

import (
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// Reply has the fields of a reply that the rules use. Packages hostagent and appagent describe all of them.
type Reply struct {
	Status       fsm.Status        `json:"Status"`
	Observation  string            `json:",omitempty"`
	Thought      string            `json:",omitempty"`
	ControlLabel string            `json:",omitempty"` // id of a window or control
	ControlText  string            `json:",omitempty"` // its title or name
	Function     string            `json:",omitempty"`
	Args         map[string]any    `json:",omitempty"`
	Actions      []Action          `json:",omitempty"` // instead of Function
	Bash         string            `json:",omitempty"` // only for a LinuxAgent: a command line
	Plan         any               `json:",omitempty"` // texts, or []Item
	Comment      string            `json:",omitempty"`
	Questions    []string          `json:",omitempty"`
	Result       any               `json:",omitempty"`
	Open         map[string]string `json:",omitempty"` // what became of each open act, sub-task or note

	CurrentSubTask string `json:",omitempty"` // only for a HostAgent, with ASSIGN
	Message        string `json:",omitempty"` // hints for that sub-task
}

// Action is one act of several.
type Action struct {
	ControlLabel string         `json:",omitempty"`
	ControlText  string         `json:",omitempty"`
	Function     string         `json:"Function"`
	Args         map[string]any `json:",omitempty"`
}

// Item is a sub-task of a binding plan.
type Item struct {
	ID          string   `json:"id"`
	Task        string   `json:"task"`
	Application string   `json:"application,omitempty"`
	DependsOn   []string `json:"depends_on,omitempty"`
}

// Fail gives up, with a reason.
func Fail(format string, args ...any) Reply {
	return Reply{Status: fsm.Fail, Comment: fmt.Sprintf(format, args...)}
}

// Act executes one act.
func Act(observation string, a Action) Reply {
	return Reply{
		Status: fsm.Continue, Observation: observation,
		ControlLabel: a.ControlLabel, ControlText: a.ControlText, Function: a.Function, Args: a.Args,
	}
}

// Assign gives a sub-task to an application. If no window has that root, it gives up.
func (p *Prompt) Assign(app, subtask string) Reply {
	for _, w := range p.Windows {
		if w.Root == app {
			return Reply{Status: hostagent.Assign, ControlLabel: w.ID, CurrentSubTask: subtask}
		}
	}
	return Fail("there is no %s on this desktop", app)
}
