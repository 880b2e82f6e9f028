package fakemodel

import (
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// Reply has the fields of a reply that the rules use. Packages hostagent and appagent describe all of them.
type Reply struct {
	Status      fsm.Status        `json:"Status"`
	Observation string            `json:",omitempty"`
	Comment     string            `json:",omitempty"`
	Actions     []Action          `json:",omitempty"` // several acts, instead of the one of Action
	Bash        string            `json:",omitempty"` // only for a LinuxAgent: a command line
	Plan        []Item            `json:",omitempty"`
	Questions   []string          `json:",omitempty"`
	Result      any               `json:",omitempty"`
	Open        map[string]string `json:",omitempty"` // what became of each open act, sub-task or note

	CurrentSubTask string `json:",omitempty"` // only for a HostAgent, with ASSIGN
	Message        string `json:",omitempty"` // hints for that sub-task

	Action // an act; with ASSIGN, the window
}

// Action is one act.
type Action struct {
	ControlLabel string         `json:",omitempty"` // id of a window or control
	ControlText  string         `json:",omitempty"` // its title or name
	Function     string         `json:",omitempty"`
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
	return Reply{Status: fsm.Continue, Observation: observation, Action: a}
}

// Call executes one tool.
func Call(tool string, args map[string]any) Reply { return Act("", Action{Function: tool, Args: args}) }

// Assign gives a sub-task to an application. If no window has that root, it gives up.
func (p *Prompt) Assign(app, subtask string) Reply {
	for _, w := range p.Windows {
		if w.Root == app {
			return Reply{Status: hostagent.Assign, Action: Action{ControlLabel: w.ID}, CurrentSubTask: subtask}
		}
	}
	return Fail("there is no %s on this desktop", app)
}
