package records

import (
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Place is where an agent stands.
type Place struct {
	Agent    string       `json:"agent"`
	Kind     string       `json:"kind"`
	Status   fsm.Status   `json:"status"`
	Decision fsm.Decision `json:"decision,omitzero"`
}

// Step is where a round stands, and what it used.
type Step struct {
	Agent string     `json:"agent,omitempty"` // who was handled, of a step
	From  fsm.Status `json:"from,omitempty"`

	Stack    []Place           `json:"stack"` // who waits, and at the end who is at work
	Returned *Place            `json:"returned,omitempty"`
	Makers   map[string]string `json:"makers,omitempty"` // of agents that are new
	Begun    bool              `json:"begun,omitempty"`
	Held     bool              `json:"held,omitempty"`
	Told     bool              `json:"told,omitempty"`
	News     News              `json:"news,omitzero"`

	Used    Used    `json:"used"`
	Session Used    `json:"session,omitzero"`
	Spent   int64   `json:"spent_ns,omitempty"`
	Last    int     `json:"repeats,omitempty"`
	Repeat  *Repeat `json:"repeat,omitempty"` // of the agent that was handled
	Now     *Now    `json:"now,omitempty"`    // of a step that was not taken yet

	Waits   []Ask      `json:"waits,omitempty"` // questions that are open
	Outcome string     `json:"outcome,omitempty"`
	Status  fsm.Status `json:"status,omitempty"` // of the result
	Answer  string     `json:"answer,omitempty"`
	Reason  string     `json:"reason,omitempty"`
	Err     *Error     `json:"error,omitempty"`
	Tasks   int        `json:"subtasks,omitempty"` // on the blackboard at the end
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

// Now is what a step has used that was not taken yet.
type Now struct {
	Tries int       `json:"tries"`
	Calls int       `json:"calls,omitempty"`
	Usage llm.Usage `json:"usage,omitzero"`
	Cost  float64   `json:"cost,omitempty"`
	Model string    `json:"model,omitempty"`
	Acted bool      `json:"acted,omitempty"`
	Did   uint64    `json:"did,omitempty"`
	Saw   []uint64  `json:"seen,omitempty"`
}
