package appagent

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
	fsm.Continue: {What: "Take another step."},
	fsm.Finish: {
		What:   "End the sub-task: write the result into Result.",
		Fields: []string{"Result", "Open"},
	},
	fsm.Fail:       {What: "Give up: write the reason into Comment."},
	fsm.Pending:    {What: "Ask the user your Questions.", Fields: []string{"Questions"}},
	fsm.Confirm:    {What: "Ask the user to approve the calls beside this one before they are made."},
	fsm.Screenshot: {What: "Look again without acting."},
}

// toolCalls is the form of replies that are calls.
func (cfg *Config) toolCalls() (*builtin.ToolCalls, error) {
	fields, err := llm.SchemaOf[decision]("decision")
	if err != nil {
		return nil, err
	}
	calls := &builtin.ToolCalls{Statuses: cfg.States.Statuses(), Says: says, Fields: *fields}
	if !cfg.NoImages {
		calls.Own = []builtin.OwnTool{{
			Field: "SaveScreenshot", What: "Keep this step's screenshot on the blackboard.",
			Argument: "reason", About: "why it is worth keeping", With: desktop.CaptureWindowScreenshot,
		}}
	}
	return calls, nil
}
