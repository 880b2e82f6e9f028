package hostagent

import (
	_ "embed"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

//go:embed calls.tmpl
var callsPrompt string

// says are the tools of statuses.
var says = map[fsm.Status]builtin.Says{
	Assign: {
		What:   "Give one sub-task to the agent of an application. An application that is not running is started.",
		Fields: []string{"CurrentSubTask", "Message", "ControlLabel", "ControlText", "Context"},
		Needs:  []string{"CurrentSubTask", "ControlLabel"},
	},
	fsm.Continue: {What: "Take another step."},
	fsm.Finish: {
		What:   "End the request: write the answer into Result.",
		Fields: []string{"Result", "Open"},
	},
	fsm.Fail:    {What: "Give up: Comment says why.", Needs: []string{"Comment"}},
	fsm.Pending: {What: "Ask the user.", Fields: []string{"Questions"}, Needs: []string{"Questions"}},
	fsm.Confirm: {What: "Ask the user to approve the other call first."},
}

// about are the arguments of statuses.
var about = map[string]string{
	"CurrentSubTask": "what to do there",
	"Comment":        "a word for the user",
	"Plan":           "what is left after this reply, if it changed",
	"Questions":      "what to ask",
	"Open":           `for each id that the refusal names: "id: done: how" or "id: dropped: why"`,
	"Result":         "a text, or JSON in a text",
}

// toolCalls is the form of replies that are calls.
func (cfg *Config) toolCalls() (*builtin.ToolCalls, error) {
	fields, err := llm.SchemaOf[decision]("decision")
	if err != nil {
		return nil, err
	}
	return &builtin.ToolCalls{
		Statuses: cfg.States.Statuses(), Says: says, Fields: *fields, About: about, TextPlans: !cfg.GraphPlans,
		Own: []builtin.OwnTool{{
			Field: "Bash", What: "Run a shell command.",
			Argument: "command", About: "the command", Must: true, With: desktop.RunShell, Instead: true,
		}},
	}, nil
}
