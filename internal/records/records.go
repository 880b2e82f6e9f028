// Package records is what stands in the records of a run's journal, and how they are
// read. Package durable writes and reads them.
package records

import (
	"encoding/json"
	"time"

	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/round"
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

	KindRound  = "round"  // a round begins
	KindResume = "resume" // a process goes on with the run
	KindCall   = "call"   // a model call that came back
	KindTools  = "tools"  // a desktop said which tools it has
	KindLook   = "look"   // a command that only looked
	KindIntent = "intent" // a command is about to be executed
	KindResult = "result" // and what came of it
	KindEffect = "effect" // an effect of Go code is about to be done
	KindDone   = "done"   // and what came of it
	KindTimer  = "timer"  // a step waits for a time, or has waited
	KindAsk    = "ask"    // a person is about to be asked
	KindAnswer = "answer" // and what was said
	KindDrop   = "drop"   // records of this step that count no more
	KindSecret = "secret" // what must be shown nowhere
	KindBlob   = "blob"   // bytes that other records name by their hash
	KindStep   = "step"   // a step was taken
	KindStop   = "stop"   // the round stopped, and can go on
	KindEnd    = "end"    // it ended
	KindFork   = "fork"   // what is before it is of another run
	KindChange = "change" // what a program changed in the agents while nobody drove the run
)

// Record is one record. Fields that it does not have are ignored when it is read.
type Record struct {
	V    int       `json:"v"`
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`

	Round  *Round             `json:"round,omitempty"`
	Call   *Call              `json:"call,omitempty"`
	Tools  *Tools             `json:"tools,omitempty"`
	Act    *Act               `json:"act,omitempty"`    // of look and intent
	Result *Result            `json:"result,omitempty"` // of look and result
	Effect *Effect            `json:"effect,omitempty"`
	Done   *Done              `json:"done,omitempty"` // of done, and of an effect that was refused
	Timer  *Timer             `json:"timer,omitempty"`
	Ask    *Ask               `json:"ask,omitempty"`
	Answer *Answer            `json:"answer,omitempty"`
	Drop   *Drop              `json:"drop,omitempty"`
	Secret *checkpoint.Secret `json:"secret,omitempty"`
	Blob   *Blob              `json:"blob,omitempty"`
	Step   *Step              `json:"step,omitempty"` // of step, stop and end
	Fork   *Fork              `json:"fork,omitempty"`
	Change *News              `json:"change,omitempty"`

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

// Data is a change of the data that an agent saves. A null in one of its maps deletes that entry.
type Data struct {
	State   json.RawMessage  `json:"state,omitempty"` // nil: as it was
	Logs    map[string]*Log  `json:"logs,omitempty"`
	Workers map[string]*Data `json:"workers,omitempty"`
}

// Log is what became of a log: of its items, counted from the first there ever was, those from
// Dropped up to Keep are as they were, and Add comes after them.
type Log struct {
	Dropped int               `json:"dropped,omitempty"`
	Keep    int               `json:"keep,omitempty"`
	Add     []json.RawMessage `json:"add,omitempty"`
}

// Round begins a round. Of its Checkpoint it has the request, the number of the round in the run, where the first agent
// begins, and what was used in the rounds before.
type Round struct {
	round.Checkpoint
	Meta  json.RawMessage `json:"meta,omitempty"`  // of the first round: what a program needs to make its agents again
	Board json.RawMessage `json:"board,omitempty"` // likewise: all of the blackboard
	News  News            `json:"news,omitzero"`
}

// Step is where a round stands after a step, a stop or its end. What is as it was in the record before is left out of
// its Checkpoint.
type Step struct {
	round.Checkpoint
	Number   int    `json:"number,omitempty"` // of a step in its round, from 1; its Checkpoint has the number of the round
	News     News   `json:"news,omitzero"`
	Reported bool   `json:"reported,omitempty"`
	Waits    []Ask  `json:"waits,omitempty"` // questions that are open
	Err      *Error `json:"error,omitempty"` // of the result, or the fault that leads to it
}

// Outcome is that of the result; "" without one.
func (s *Step) Outcome() round.Outcome {
	if s.Result == nil {
		return round.Unfinished
	}
	return s.Result.Outcome
}

// OfStage reports whether a record says what somebody wants of the run, and nothing of what the run did.
func (n *Record) OfStage() bool {
	switch n.Kind {
	case KindStart, KindCancel, KindPostpone, KindRetry, KindDrive, KindLeave:
		return true
	}
	return false
}

// Start is what is wanted of a run.
type Start struct {
	Request string          `json:"request"`
	Meta    json.RawMessage `json:"meta,omitempty"`
	Bounds  Bounds          `json:"bounds,omitzero"`
}

// Cancel says why nobody wants the run any more.
type Cancel struct {
	Reason string `json:"reason,omitempty"`
}

// Postpone says why the run could not go on, and when to try again.
type Postpone struct {
	Reason string    `json:"reason"`
	Until  time.Time `json:"until,omitzero"` // zero: not before a Retry
}

// Reasons of a run that no record says.
const (
	Died = "the process that drove the run died" // somebody began to drive it, and got nowhere
	Left = "left to whoever drives it next"      // it was not interrupted
)

// Retry says that the run is to be tried again.
type Retry struct {
	Bounds *Bounds `json:"bounds,omitempty"` // its new ones; nil: as before
}

// Bounds are those of a run: the fields of a round.Options with these names.
type Bounds struct {
	MaxSteps         int           `json:"max_steps,omitempty"`
	MaxCalls         int           `json:"max_calls,omitempty"`
	MaxTransitions   int           `json:"max_transitions,omitempty"`
	MaxRepeats       int           `json:"max_repeats,omitempty"`
	MaxTokens        int           `json:"max_tokens,omitempty"`
	MaxCost          float64       `json:"max_cost,omitempty"`
	MaxDuration      time.Duration `json:"max_duration,omitempty"`
	MaxSessionSteps  int           `json:"max_session_steps,omitempty"`
	MaxSessionTokens int           `json:"max_session_tokens,omitempty"`
	MaxSessionCost   float64       `json:"max_session_cost,omitempty"`
}

// BoundsOf returns the bounds of options.
func BoundsOf(o *round.Options) Bounds {
	return Bounds{
		MaxSteps: o.MaxSteps, MaxCalls: o.MaxCalls, MaxTransitions: o.MaxTransitions, MaxRepeats: o.MaxRepeats,
		MaxTokens: o.MaxTokens, MaxCost: o.MaxCost, MaxDuration: o.MaxDuration,
		MaxSessionSteps: o.MaxSessionSteps, MaxSessionTokens: o.MaxSessionTokens, MaxSessionCost: o.MaxSessionCost,
	}
}

// Set makes the bounds those of options.
func (b Bounds) Set(o *round.Options) {
	o.MaxSteps, o.MaxCalls, o.MaxTransitions, o.MaxRepeats = b.MaxSteps, b.MaxCalls, b.MaxTransitions, b.MaxRepeats
	o.MaxTokens, o.MaxCost, o.MaxDuration = b.MaxTokens, b.MaxCost, b.MaxDuration
	o.MaxSessionSteps, o.MaxSessionTokens, o.MaxSessionCost = b.MaxSessionSteps, b.MaxSessionTokens, b.MaxSessionCost
}
