package hostagent

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/fsm"
)

// Decision is what the model replies in CONTINUE.
type Decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what the desktop shows"`
	Thought        string          `json:"Thought,omitempty" desc:"why the next step is the right one"`
	CurrentSubTask string          `json:"CurrentSubTask,omitempty" desc:"the sub-task for the chosen application, when Status is ASSIGN"`
	Message        string          `json:"Message,omitempty" desc:"hints for whoever does the sub-task"`
	ControlLabel   string          `json:"ControlLabel,omitempty" desc:"id of the chosen application, from the section windows"`
	ControlText    string          `json:"ControlText,omitempty" desc:"title of the chosen application"`
	Plan           []string        `json:"Plan,omitempty" desc:"the sub-tasks after the current one"`
	Status         fsm.Status      `json:"Status" desc:"what is next, one of the section allowed_statuses"`
	Comment        string          `json:"Comment,omitempty" desc:"a word for the user; the reason when Status is FAIL"`
	Questions      []string        `json:"Questions,omitempty" desc:"what to ask the user when Status is PENDING"`
	Bash           string          `json:"Bash,omitempty" desc:"a shell command to run, where the section tools has run_shell; empty: none"`
	Function       string          `json:"Function,omitempty" desc:"name of a tool to call, from the section tools; empty: none"`
	Args           map[string]any  `json:"Args,omitempty" desc:"arguments of the tool"`
	Result         json.RawMessage `json:"Result,omitempty" desc:"the answer to the user when Status is FINISH: any JSON, or a reference"`
}
