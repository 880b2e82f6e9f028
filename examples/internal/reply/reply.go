// Package reply has the replies that the built-in agents ask of a model, as far as the
// models of these examples use them. The whole of them is described in packages
// hostagent and appagent.
package reply

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/fsm"
)

// Host is a reply to a HostAgent.
type Host struct {
	Status         fsm.Status
	Observation    string          `json:",omitempty"`
	Thought        string          `json:",omitempty"`
	ControlLabel   string          `json:",omitempty"` // of ASSIGN: id of the application
	ControlText    string          `json:",omitempty"` // its title
	CurrentSubTask string          `json:",omitempty"` // of ASSIGN
	Message        string          `json:",omitempty"` // hints for the sub-task
	Plan           any             `json:",omitempty"` // texts, or Items
	Function       string          `json:",omitempty"`
	Args           map[string]any  `json:",omitempty"`
	Comment        string          `json:",omitempty"`
	Result         json.RawMessage `json:",omitempty"`
	// Open says of each act in doubt what became of it.
	Open map[string]string `json:",omitempty"`
}

// Item is a sub-task of a plan that binds.
type Item struct {
	ID          string   `json:"id"`
	Task        string   `json:"task"`
	Application string   `json:"application,omitempty"`
	DependsOn   []string `json:"depends_on,omitempty"`
}

// App is a reply to an AppAgent.
type App struct {
	Status       fsm.Status
	Observation  string          `json:",omitempty"`
	Thought      string          `json:",omitempty"`
	ControlLabel string          `json:",omitempty"` // id of the control to act on
	ControlText  string          `json:",omitempty"` // its name
	Function     string          `json:",omitempty"`
	Args         map[string]any  `json:",omitempty"`
	Actions      []Action        `json:",omitempty"` // instead of Function
	Plan         []string        `json:",omitempty"`
	Comment      string          `json:",omitempty"`
	Questions    []string        `json:",omitempty"`
	Result       json.RawMessage `json:",omitempty"`
	// Open says of each act in doubt what became of it.
	Open map[string]string `json:",omitempty"`
}

// Action is one call of several.
type Action struct {
	ControlLabel string `json:",omitempty"`
	ControlText  string `json:",omitempty"`
	Function     string
	Args         map[string]any `json:",omitempty"`
}
