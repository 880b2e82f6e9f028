// Package boarddata has what the packages of this module know of a blackboard besides its
// exported methods: the names and forms of what the built-in agents keep on it, and the
// operations that a run records of it.
package boarddata

import (
	"encoding/json"
	"time"
)

// The values that the built-in agents keep.
const (
	CurrentSubtask = "current_subtask" // an Assignment: what the host handed over last
	TaskProgress   = "task_progress"   // a Progress: how far the user's request has come
	HostLastStep   = "host_last_step"  // the host's record of its last step
	Plan           = "plan"            // what the host wants done: a list of texts and objects
)

// The lists that the built-in agents keep.
const (
	Requests     = "requests"     // texts: what the user asked for, round by round
	Answers      = "questions"    // QuestionAnswers: what the user was asked
	Trajectories = "trajectories" // the agents' records of their steps
)

// Assignment is a sub-task on its way to an application.
type Assignment struct {
	ID          string          `json:"id"`                // of the sub-task
	Application string          `json:"application"`       // that works on it
	Task        string          `json:"task"`              // what is to be done
	Message     string          `json:"message"`           // hints of the host
	Context     json.RawMessage `json:"context,omitempty"` // an object: what the host's model said of it, and of a planned one item and results, its id in the plan and what it builds on
	Timestamp   time.Time       `json:"timestamp"`         // when it was handed over
}

// Progress counts the sub-tasks of a request.
type Progress struct {
	Total    int    `json:"total"`             // opened so far
	Finished int    `json:"finished"`          // closed as FINISH
	Failed   int    `json:"failed"`            // closed as anything else
	Current  string `json:"current,omitempty"` // id of the one that is worked on
}

// Closed is a sub-task that has ended. Its bytes and lists are the board's own: read them only.
type Closed struct {
	ID        string
	App       string
	Text      string
	DependsOn []string
	Status    string
	Result    json.RawMessage
	Reason    string

	// Name is what its outcome has as its name on the board. Record is that value: an object with the
	// members of a blackboard.Subtask, but for DependsOn.
	Name   string
	Record json.RawMessage
}

// QuestionAnswer is a question to the user with the answer.
type QuestionAnswer struct {
	Agent    string `json:"agent,omitempty"` // that asked
	Question string `json:"question"`
	Answer   string `json:"answer"`
}
