package round

import (
	"errors"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// Checkpoint is where a Round stands, what it used and what it came to. Its JSON form is stable. The data of agents and
// blackboard are not in it: whoever calls [Restore] has loaded those before.
type Checkpoint struct {
	// Event says why the Recorder is called. "began": the first Run of a round. "resumed": another
	// Run, or the first one of a round that was restored. "stepped": a step was taken, and nobody has
	// seen it yet. "stopped": the round stopped, and can go on. "ended": it came to its end. "left":
	// the Run is over, or the session is closed, and another process may drive the round.
	Event   checkpoint.Event `json:"event,omitempty"`
	Request string           `json:"request,omitempty"`
	Round   int              `json:"round,omitempty"` // of the session, from 1

	// Position is for Restore: the step, the stack of agents, and what counts towards bounds.
	checkpoint.Position

	Result *Result `json:"result,omitempty"` // of "stopped" and "ended"; its Err is not in the JSON form
}

// check finds what no Round can have noted.
func (c *Checkpoint) check() error {
	switch {
	case c == nil:
		return errors.New("round: restore: there is no Checkpoint")
	case c.First < 0, c.Round < 0, c.Spent < 0, c.Last < 0, c.Tasks < 0, !c.Used.Sound(), !c.Session.Sound(),
		c.Attempt != nil && (c.Attempt.Tries < 0 || c.Attempt.Calls < 0 || c.Attempt.Cost < 0):
		return errors.New("round: restore: a number of the Checkpoint is below zero")
	}
	return nil
}

func placeOf(agent fsm.Agent, status fsm.Status) checkpoint.Place {
	return checkpoint.Place{Agent: agent.Name(), Kind: agent.States().Kind(), Status: status, Decision: agent.Decision()}
}
