package observe_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/people"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

var (
	start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	host  = "HostAgent"
	excel = "AppAgent/excel/売上.xlsx" // letters of double width
)

// at returns a step that begins when the one before it, of two seconds, ended.
func at(seq int, s round.Step) round.Step {
	s.Seq = seq
	s.Started, s.Duration = start.Add(time.Duration(seq-1)*2*time.Second), 2*time.Second
	if s.NextAgent == "" {
		s.NextAgent = s.Agent
	}
	return s
}

// story is a round with two sub-tasks, of which the first fails, and everything in it
// that a step can tell of.
func story() []round.Step {
	asked := desktop.Command{ToolName: "save", Parameters: map[string]any{"name": "a.xlsx"}, CallID: "call-2"}
	return []round.Step{
		at(1, round.Step{
			Agent: host, Kind: "HostAgent", From: fsm.Continue, To: "ASSIGN", By: fsm.ByModel,
			Attempts: 1, Calls: 2, Usage: llm.Usage{InputTokens: 900, OutputTokens: 100}, Cost: 0.0105, Model: "large-1",
			Refused:  []string{"there is no JSON object"},
			Repairs:  []llm.Repair{{Kind: repair.Comma, Where: "byte 12", Count: 1}},
			Progress: round.Progress{Planned: 1},
			Phases:   []round.Phase{{Name: "LLM_INTERACTION", Duration: time.Second}},
		}),
		at(2, round.Step{
			Agent: host, Kind: "HostAgent", From: "ASSIGN", NextAgent: excel, To: fsm.Continue, By: fsm.BySystem,
			Attempts: 1, Progress: round.Progress{Opened: 1, Planned: 1, Current: "subtask_1"},
		}),
		at(3, round.Step{
			Agent: excel, Kind: "AppAgent", From: fsm.Continue, To: fsm.Fail, By: fsm.ByTimeout, Reason: "nobody answered",
			Attempts: 2, Calls: 1, Usage: llm.Usage{InputTokens: 200, OutputTokens: 50, CacheReadTokens: 120, CacheCreationTokens: 60, ReasoningTokens: 20}, Cost: 1.2, Model: "large-1",
			Progress: round.Progress{Opened: 1, Planned: 1, Current: "subtask_1"},
			Verdicts: []round.Verdict{
				{Tool: "run_shell", CallID: "call-1", Action: "deny", Reason: "no shell here"},
				{Tool: "save", CallID: "call-2", Action: "confirm", Reason: "it replaces a file"},
			},
			Asks: []round.Ask{
				{Question: people.Question{ID: "q1", Text: "Save it?", Command: &asked}, Answer: people.Answer{Text: "go on", Approved: true}},
				{Question: people.Question{ID: "q2", Text: "Which colour?"}, Err: "the line is dead"},
			},
			Commands: []round.Command{
				{Command: asked, Result: desktop.Result{Status: desktop.Failure, Error: "read-only", Content: []desktop.Content{{Text: "tried"}, {JSON: []byte(`{"n":1}`)}}}, Duration: time.Millisecond},
				{Command: desktop.Command{ToolName: "get_ui_tree", Looks: true, CallID: "call-3"}, Err: "broken pipe"},
			},
		}),
		at(4, round.Step{
			Agent: excel, Kind: "AppAgent", From: fsm.Fail, NextAgent: host, To: fsm.Continue, By: fsm.BySystem,
			Attempts: 1, Progress: round.Progress{Opened: 1, Planned: 1, Current: "subtask_1"},
		}),
		at(5, round.Step{
			Agent: host, Kind: "HostAgent", From: fsm.Continue, To: "ASSIGN", By: fsm.ByModel,
			Attempts: 1, Calls: 1, Usage: llm.Usage{InputTokens: 300}, Model: "large-1",
			Progress: round.Progress{Opened: 1, Failed: 1},
		}),
		at(6, round.Step{
			Agent: host, Kind: "HostAgent", From: "ASSIGN", To: fsm.Error, By: fsm.ByFault, Reason: "out of handles\nof any kind",
			Attempts: 1, Progress: round.Progress{Opened: 2, Failed: 1, Current: "subtask_2"},
			Err: fmt.Errorf("assign: %w", &round.PanicError{Value: errors.New("out of handles")}),
		}),
	}
}

func storyResult() round.Result {
	return round.Result{
		Outcome: round.Faulted, Agent: host, Status: fsm.Error, Reason: "out of handles\nof any kind",
		Steps: 3, Usage: llm.Usage{InputTokens: 1400, OutputTokens: 150, CacheReadTokens: 120, CacheCreationTokens: 60, ReasoningTokens: 20}, Cost: 1.2105,
		Subtasks: []blackboard.Subtask{{Status: "FAIL"}, {Status: "ERROR"}},
	}
}
