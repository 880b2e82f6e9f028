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
	fsm.Fail:       {What: "Give up: Comment says why.", Needs: []string{"Comment"}},
	fsm.Pending:    {What: "Ask the user.", Fields: []string{"Questions"}, Needs: []string{"Questions"}},
	fsm.Confirm:    {What: "Ask the user to approve each call of this reply before it is made."},
	fsm.Screenshot: {What: "Take a new screenshot."},
}

// about are the arguments of statuses.
var about = map[string]string{
	"Comment":   "a word for the user",
	"Plan":      "what is left after this reply, if it changed",
	"Questions": "what to ask",
	"Open":      `for each id that the refusal names: "id: done: how" or "id: dropped: why"`,
	"Result":    "a text, or JSON in a text",
}

// toolCalls is the form of replies that are calls.
func (cfg *Config) toolCalls() (*builtin.ToolCalls, error) {
	fields, err := llm.SchemaOf[decision]("decision")
	if err != nil {
		return nil, err
	}
	calls := &builtin.ToolCalls{Statuses: cfg.States.Statuses(), Says: says, Fields: *fields, About: about}
	if !cfg.NoImages {
		calls.Own = []builtin.OwnTool{{
			Field: "SaveScreenshot", What: "Keep this step's screenshot.",
			Argument: "reason", About: "why it is worth keeping", With: desktop.CaptureWindowScreenshot,
		}}
	}
	return calls, nil
}
