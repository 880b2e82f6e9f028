package round

import (
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Checkpoint is where a Round stands, what it used and what it came to. Its JSON form is
// stable. The data of agents and blackboard are not in it: whoever calls [Restore] has loaded those
// before.
type Checkpoint struct {
	Event   Event  `json:"event,omitempty"`
	Request string `json:"request,omitempty"`
	Round   int    `json:"round,omitempty"` // of the session, from 1
	First   int    `json:"first,omitempty"` // sub-tasks that the blackboard had before the round

	// Of Stepped: who was handled, where it stood, and the fault of the step.
	Agent string     `json:"agent,omitempty"`
	From  fsm.Status `json:"from,omitempty"`
	Fault error      `json:"-"`

	Stack    []Place           `json:"stack,omitempty"`    // the agents that wait, and at last the one at work
	Returned *Place            `json:"returned,omitempty"` // who gave control back in the last step
	Makers   map[string]string `json:"makers,omitempty"`   // of agents: who handed over to them first, and can make them again
	Begun    bool              `json:"begun,omitempty"`    // the first agent has its task
	Held     bool              `json:"held,omitempty"`     // the state was handled, only the move is to come
	History  []string          `json:"history,omitempty"`  // the last positions, for errors; of Stepped they are Agent and From

	Used    Used          `json:"used,omitzero"`
	Session Used          `json:"session,omitzero"` // in all rounds of the session
	Spent   time.Duration `json:"spent_ns,omitempty"`
	Last    int           `json:"repeated,omitempty"` // how often the last step that acted was repeated
	Repeats []Repeat      `json:"repeats,omitempty"`  // of each agent, for MaxRepeats
	Attempt *Attempt      `json:"attempt,omitempty"`  // of a step that was not taken yet
	Secrets []Secret      `json:"secrets,omitempty"`

	Result *Result `json:"result,omitempty"`   // of Stopped and Ended; its Err is not in the JSON form
	Tasks  int     `json:"subtasks,omitempty"` // that the blackboard had when the round ended
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

// check finds what no Round can have noted.
func (c *Checkpoint) check() error {
	switch {
	case c == nil:
		return errors.New("round: restore: there is no Checkpoint")
	case c.First < 0, c.Round < 0, c.Spent < 0, c.Last < 0, c.Tasks < 0, !c.Used.sound(), !c.Session.sound(),
		c.Attempt != nil && (c.Attempt.Tries < 0 || c.Attempt.Calls < 0 || c.Attempt.Cost < 0):
		return errors.New("round: restore: a number of the Checkpoint is below zero")
	}
	return nil
}

func (n *Used) sound() bool {
	return n.Transitions >= 0 && n.Steps >= 0 && n.Calls >= 0 && n.Usage.InputTokens >= 0 && n.Usage.OutputTokens >= 0 && n.Cost >= 0
}

func placeOf(agent fsm.Agent, status fsm.Status) Place {
	return Place{Agent: agent.Name(), Kind: agent.States().Kind(), Status: status, Decision: agent.Decision()}
}
