package progress_test

import (
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
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

// story is a round with two sub-tasks. The first one fails.
func story() []round.Step {
	return []round.Step{
		at(1, round.Step{
			Agent: host, From: fsm.Continue, To: "ASSIGN", By: fsm.ByModel, Attempts: 1,
			Calls: 2, Usage: llm.Usage{InputTokens: 900, OutputTokens: 100}, Cost: 0.0105,
			Refused: []string{"there is no JSON object"}, Progress: round.Progress{Planned: 1},
		}),
		at(2, round.Step{
			Agent: host, From: "ASSIGN", NextAgent: excel, To: fsm.Continue, By: fsm.BySystem, Attempts: 1,
			Progress: round.Progress{Opened: 1, Planned: 1, Current: "subtask_1"},
		}),
		at(3, round.Step{
			Agent: excel, From: fsm.Continue, To: fsm.Fail, By: fsm.ByTimeout, Reason: "nobody answered", Attempts: 2,
			Calls: 1, Usage: llm.Usage{InputTokens: 200, OutputTokens: 50}, Cost: 1.2,
			Progress: round.Progress{Opened: 1, Planned: 1, Current: "subtask_1"},
		}),
		at(4, round.Step{
			Agent: excel, From: fsm.Fail, NextAgent: host, To: fsm.Continue, By: fsm.BySystem, Attempts: 1,
			Progress: round.Progress{Opened: 1, Planned: 1, Current: "subtask_1"},
		}),
		at(5, round.Step{
			Agent: host, From: fsm.Continue, To: "ASSIGN", By: fsm.ByModel, Attempts: 1,
			Calls: 1, Usage: llm.Usage{InputTokens: 300}, Progress: round.Progress{Opened: 1, Failed: 1},
		}),
		at(6, round.Step{
			Agent: host, From: "ASSIGN", To: fsm.Error, By: fsm.ByFault, Reason: "out of handles\nof any kind", Attempts: 1,
			Progress: round.Progress{Opened: 2, Failed: 1, Current: "subtask_2"},
		}),
	}
}

func storyResult() round.Result {
	return round.Result{
		Outcome: round.Faulted, Agent: host, Status: fsm.Error, Reason: "out of handles\nof any kind",
		Steps: 3, Usage: llm.Usage{InputTokens: 1400, OutputTokens: 150}, Cost: 1.2105,
		Subtasks: []blackboard.Subtask{{Status: "FAIL"}, {Status: "ERROR"}},
	}
}
