// Package records is what stands in the records of a run's journal, and how they are
// read. Package durable writes and reads them.
package records

import (
	"encoding/json"
	"time"

	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// Version is raised when older code would misread a record. What older code
// may overlook, such as a new field or kind, does not raise it.
const Version = 1

// What a record is of.
const (
	KindStart    = "start"    // somebody wants the run
	KindCancel   = "cancel"   // nobody wants it any more
	KindPostpone = "postpone" // it failed, and is tried again later, or only when somebody says so
	KindRetry    = "retry"    // somebody says so
	KindDrive    = "drive"    // somebody begins to drive it
	KindLeave    = "leave"    // who drove it left it to others, between two steps

	KindRound    = "round"    // a round begins
	KindResume   = "resume"   // a process goes on with the run
	KindCall     = "call"     // a model call that came back
	KindTools    = "tools"    // a desktop said which tools it has
	KindLook     = "look"     // a command that only looked
	KindIntent   = "intent"   // a command is about to be executed
	KindResult   = "result"   // and what came of it
	KindEffect   = "effect"   // an effect of Go code is about to be done
	KindDone     = "done"     // and what came of it
	KindTimer    = "timer"    // a step waits for a time, or has waited
	KindAsk      = "ask"      // a person is about to be asked
	KindAnswer   = "answer"   // and what was said
	KindDrop     = "drop"     // records of this step that count no more
	KindSecret   = "secret"   // what must be shown nowhere
	KindBlob     = "blob"     // bytes that other records name by their hash
	KindStep     = "step"     // a step was taken
	KindStop     = "stop"     // the round stopped, and can go on
	KindEnd      = "end"      // it ended
	KindFork     = "fork"     // what is before it is of another run
	KindSnapshot = "snapshot" // what all records before it come to
	KindChange   = "change"   // what a program changed in the agents while nobody drove the run
)

// Record is one record. Fields that it does not have are ignored when it is read.
type Record struct {
	V    int       `json:"v"`
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`

	Round    *Round             `json:"round,omitempty"`
	Call     *Call              `json:"call,omitempty"`
	Tools    *Tools             `json:"tools,omitempty"`
	Act      *Act               `json:"act,omitempty"`    // of look and intent
	Result   *Result            `json:"result,omitempty"` // of look and result
	Effect   *Effect            `json:"effect,omitempty"`
	Done     *Done              `json:"done,omitempty"` // of done, and of an effect that was refused
	Timer    *Timer             `json:"timer,omitempty"`
	Ask      *Ask               `json:"ask,omitempty"`
	Answer   *Answer            `json:"answer,omitempty"`
	Drop     *Drop              `json:"drop,omitempty"`
	Secret   *checkpoint.Secret `json:"secret,omitempty"`
	Blob     *Blob              `json:"blob,omitempty"`
	Step     *Step              `json:"step,omitempty"` // of step, stop and end
	Fork     *Fork              `json:"fork,omitempty"`
	Change   *News              `json:"change,omitempty"`
	Snapshot *Snapshot          `json:"snapshot,omitempty"`

	Start    *Start    `json:"start,omitempty"`
	Cancel   *Cancel   `json:"cancel,omitempty"`
	Postpone *Postpone `json:"postpone,omitempty"`
	Retry    *Retry    `json:"retry,omitempty"`
}

// News is what changed in the data of agents and blackboard since the last news.
type News struct {
	Agent *Data          `json:"agent,omitempty"` // of the first agent
	Board []boarddata.Op `json:"board,omitempty"` // what was done to the blackboard; the bytes of blobs are records of their own
}

// Data is what became of what an agent saves. null in one of its maps is of what is not there
// any more.
type Data struct {
	State   json.RawMessage            `json:"state,omitempty"` // all of it, of a new agent or where it is no object
	Set     map[string]json.RawMessage `json:"set,omitempty"`   // members of State that are others
	Unset   []string                   `json:"unset,omitempty"` // members that State has no more
	Logs    map[string]*Log            `json:"logs,omitempty"`
	Workers map[string]*Data           `json:"workers,omitempty"`
}

// Log is what became of a log: of its items, counted from the first there ever was, those from
// Dropped up to Keep are as they were, and Add comes after them.
type Log struct {
	Dropped int               `json:"dropped,omitempty"`
	Keep    int               `json:"keep,omitempty"`
	Add     []json.RawMessage `json:"add,omitempty"`
}
