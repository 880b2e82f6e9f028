package round

import (
	"cmp"
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// errFinal is the fault of a round whose Checkpoint does not say which one it was.
var errFinal = errors.New("round: a fault ended it")

// Restore makes the session whose round stood where c says. host and its blackboard have the
// data that they had then: the blackboard is that of opts or of host. An agent that control was
// handed to is made again by who handed over to it, with its method Worker.
//
// Errors are those of [NewSession], [ErrNotResumable] and
// fsm.ErrUnknownStatus where a table has no such status any more.
func Restore(ctx context.Context, host fsm.Worker, c *Checkpoint, opts *Options) (*Session, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s, err := NewSession(host, opts)
	if err != nil {
		return nil, err
	}
	for _, n := range c.Secrets {
		s.secrets.add(n.Masked, n.Original, n.Values)
	}
	s.used = c.Session
	r, err := newRound(host, c.Request, &s.options)
	if err != nil {
		return nil, err
	}
	s.add(r, c.Round)
	r.first, r.opened, r.meter.touched = c.First, c.Event != checkpoint.Began, true
	if c.Event != checkpoint.Began {
		if err := r.pos.place(ctx, c); err != nil {
			return nil, err
		}
	}
	if c.Final {
		r.fault = cmp.Or(c.Fault, errFinal)
	}
	r.meter.restore(c)
	r.spent = c.Spent
	if c.Result != nil {
		r.reach(*c.Result)
	}
	r.recorded = placeOf(r.pos.agent, r.pos.bound.Status())
	return s, nil
}

// reach gives a restored round its result. The Err of that is the cause.
func (r *Round) reach(res Result) {
	cause, status := res.Err, r.pos.bound.Status()
	if res.Outcome.Ended() {
		status = res.Status
	}
	res.Err, res.Subtasks = nil, nil
	if res.Outcome != Finished && res.Outcome != Unfinished {
		res.Err = r.outcomeError(res.Outcome, status, res.Reason, cause)
	}
	res.Waits = r.scrubber.stillAsked(res.Waits)
	if res.Outcome.Ended() {
		r.seal(res)
	} else {
		r.result = res
	}
}

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
