// Package checkpoint is the part of a round.Checkpoint that only package round and package durable read: where the
// agents stand, what counts towards bounds, and what must not be shown.
package checkpoint

import (
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Charge counts a model call that the Round did not see, such as one whose reply was lost with
// its process, and returns what is used then, in the round and in its session. past: it was a
// call of an earlier round, and counts for the session only.
type Charge func(resp *llm.Response, past bool) (round, session Used)

// Event says why a round.Recorder is called.
type Event string

// The events. Each Run of a Round has Began or Resumed, and at last Left.
const (
	Began   Event = "began"   // the first Run of a round
	Resumed Event = "resumed" // another Run, or the first one of a round that was restored
	Stepped Event = "stepped" // a step was taken, and nobody has seen it yet
	Stopped Event = "stopped" // the round stopped, and can go on
	Ended   Event = "ended"   // it came to its end
	Left    Event = "left"    // the Run is over, or the session is closed: another process may drive the round
)

// Position is where a round stands, and what it used.
type Position struct {
	// Of Stepped: who was handled, where it stood, the fault of the step, and whether that ends the
	// round wherever it stands.
	Agent string     `json:"agent,omitempty"`
	From  fsm.Status `json:"from,omitempty"`
	Fault error      `json:"-"`
	Final bool       `json:"final,omitempty"`

	First int `json:"first,omitempty"`    // sub-tasks that the blackboard had before the round
	Tasks int `json:"subtasks,omitempty"` // that it had when the round ended

	Stack    []Place           `json:"stack,omitempty"`    // the agents that wait, and at last the one at work
	Returned *Place            `json:"returned,omitempty"` // who gave control back in the last step
	Makers   map[string]string `json:"makers,omitempty"`   // of agents: who handed over to them first, and can make them again
	Begun    bool              `json:"begun,omitempty"`    // the first agent has its task
	Held     bool              `json:"held,omitempty"`     // the state was handled, only the move is to come
	History  []string          `json:"history,omitempty"`  // the last positions, for errors; of a step they are its agent and status

	Used    Used          `json:"used,omitzero"`
	Session Used          `json:"session,omitzero"` // in all rounds of the session
	Spent   time.Duration `json:"spent_ns,omitempty"`
	Last    int           `json:"repeated,omitempty"` // how often the last step that acted was repeated
	Repeats []Repeat      `json:"repeats,omitempty"`  // of each agent, for MaxRepeats
	Attempt *Attempt      `json:"attempt,omitempty"`  // of a step that was not taken yet
	Secrets []Secret      `json:"secrets,omitempty"`
}

// Place is where an agent stands.
type Place struct {
	Agent    string       `json:"agent"`
	Kind     string       `json:"kind"`
	Status   fsm.Status   `json:"status"`
	Decision fsm.Decision `json:"decision,omitzero"`
}

// Used is what was used of the bounds.
type Used struct {
	Transitions int       `json:"transitions,omitempty"`
	Steps       int       `json:"steps,omitempty"`
	Calls       int       `json:"calls,omitempty"`
	Usage       llm.Usage `json:"usage,omitzero"`
	Cost        float64   `json:"cost,omitempty"`
}

// Repeat is how often an agent did the same.
type Repeat struct {
	Agent string `json:"agent"`
	Mark  uint64 `json:"mark"`
	Times int    `json:"times"`
}

// Attempt is what a step has used that was not taken yet.
type Attempt struct {
	Tries int       `json:"tries"`
	Calls int       `json:"calls,omitempty"`
	Usage llm.Usage `json:"usage,omitzero"`
	Cost  float64   `json:"cost,omitempty"`
	Model string    `json:"model,omitempty"`
	Acted bool      `json:"acted,omitempty"`
	Did   uint64    `json:"did,omitempty"`
	Saw   []uint64  `json:"seen,omitempty"`
}

// Secret is what must be shown nowhere: a command with a secret, as it may be shown and as it is
// executed, and the values.
type Secret struct {
	Masked   desktop.Command `json:"masked"`
	Original desktop.Command `json:"original"`
	Values   []string        `json:"values"`
}

// Sound reports whether a round can have used that: no number is below zero.
func (n *Used) Sound() bool {
	return n.Transitions >= 0 && n.Steps >= 0 && n.Calls >= 0 && n.Usage.InputTokens >= 0 && n.Usage.OutputTokens >= 0 &&
		n.Usage.CacheReadTokens >= 0 && n.Usage.CacheCreationTokens >= 0 && n.Usage.ReasoningTokens >= 0 && n.Cost >= 0
}
