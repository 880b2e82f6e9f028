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
func (r *Round) reach(was Result) {
	cause := was.Err
	if was.Outcome.Ended() {
		res := Result{
			Outcome: was.Outcome, Status: was.Status, Answer: was.Answer, Reason: was.Reason,
			Partial: was.Partial, Verified: was.Verified,
		}
		if res.Outcome != Finished {
			res.Err = r.outcomeError(res.Outcome, res.Status, res.Reason, cause)
		}
		r.seal(res)
		return
	}
	res := Result{Outcome: was.Outcome, Reason: was.Reason}
	if res.Outcome == Suspended {
		res.Waits, res.Wakes = r.scrubber.stillAsked(was.Waits), was.Wakes
	}
	if res.Outcome != Unfinished {
		res.Err = r.outcomeError(res.Outcome, r.pos.bound.Status(), res.Reason, cause)
	}
	r.result = res
}
