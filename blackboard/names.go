package blackboard

import (
	"encoding/json"
	"time"
)

// The values that built-in agents keep.
var (
	// CurrentSubtask is what the host handed over last.
	CurrentSubtask = NewKey[Assignment]("current_subtask")
	// TaskProgress is how far the user's request has come.
	TaskProgress = NewKey[Progress]("task_progress")
	// HostLastStep is the host's record of its last step.
	HostLastStep = NewKey[json.RawMessage]("host_last_step")
	// Plan is what the host wants done: a list of texts, or any JSON of whoever plans.
	Plan = NewKey[json.RawMessage]("plan")
)

// The lists that built-in agents keep.
var (
	// Requests are what the user asked for, round by round.
	Requests = NewList[string]("requests")
	// Answers are the questions that the user was asked, with the answers.
	Answers = NewList[QuestionAnswer]("questions")
	// Trajectories are the agents' records of their steps.
	Trajectories = NewList[json.RawMessage]("trajectories")
)

// Assignment is a sub-task on its way to an application.
type Assignment struct {
	ID          string          `json:"id"`                // of the [Subtask]
	Application string          `json:"application"`       // who works on it
	Task        string          `json:"task"`              // what is to be done
	Message     string          `json:"message"`           // hints of the host
	Context     json.RawMessage `json:"context,omitempty"` // of a planned one: {item, results}, its id in the plan and what it builds on
	Timestamp   time.Time       `json:"timestamp"`         // when it was handed over
}

// Progress counts the sub-tasks of a request.
type Progress struct {
	Total    int    `json:"total"`             // opened so far
	Finished int    `json:"finished"`          // closed as FINISH
	Failed   int    `json:"failed"`            // closed as anything else
	Current  string `json:"current,omitempty"` // id of the one that is worked on
}

// QuestionAnswer is a question to the user and what came back.
type QuestionAnswer struct {
	Agent    string `json:"agent,omitempty"` // who asked
	Question string `json:"question"`
	Answer   string `json:"answer"`
}
