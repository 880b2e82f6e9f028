package round

import (
	"context"
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// Recorder is told where a Round stands, so that another process can go on from there
// with [Restore]. Package durable has one. A Recorder records one [Session].
type Recorder interface {
	// Attach is called when a Run begins. It returns ctx with what the Recorder wants to see of the agents' calls
	// (llm.WithInterceptor and its like). They are called inside the Round's own, so what they give back counts as if
	// it were done now. charge counts a call whose reply was lost with its process.
	Attach(ctx context.Context, charge checkpoint.Charge) context.Context
	// Record is called by the goroutine that drives the Round, for each Event. The Checkpoint
	// is the Recorder's until it returns; what it changes in Used and Session is not read. An
	// error ends the Round as [Lost], and nothing is closed. But an error over [ErrBusy] when a Run
	// begins says that somebody else drives the Round: Run returns it, and the Round is as before.
	//
	// A Recorder may keep a step until it records the next one, or until "left". There it may set the
	// Stack to where its record has the Round, which is where a Round that is Lost ends.
	Record(ctx context.Context, c *Checkpoint) error
}

// record tells the Recorder where the Round stands. Where that fails the round is lost.
func (r *Round) record(ctx context.Context, e checkpoint.Event) bool {
	c := r.checkpoint(e)
	if err := r.tell(ctx, c); err != nil {
		r.lose(err)
		return false
	}
	r.recorded = c.Stack[len(c.Stack)-1]
	return true
}

func (r *Round) tell(ctx context.Context, c *Checkpoint) error {
	return guard(func() error { return r.recorder.Record(ctx, c) })
}

// opens tells the Recorder that a Run begins. The error says that somebody else drives the round.
func (r *Round) opens(ctx context.Context) error {
	c := r.checkpoint(checkpoint.Resumed)
	if !r.opened {
		c.Event = checkpoint.Began
	}
	err := r.tell(ctx, c)
	switch {
	case errors.Is(err, ErrBusy):
		return err
	case err != nil:
		r.lose(err)
	default:
		r.opened, r.recorded = true, c.Stack[len(c.Stack)-1]
	}
	return nil
}

// leave tells the Recorder that this process does not drive the round any more.
func (r *Round) leave(ctx context.Context) {
	if !r.watching {
		return
	}
	r.watching = false
	c := &Checkpoint{Event: checkpoint.Left}
	_ = r.tell(ctx, c) // there is nothing more to lose
	if n := len(c.Stack); n > 0 {
		r.recorded = c.Stack[n-1]
	}
}

// lose notes that nothing more of the Round can be recorded.
func (r *Round) lose(err error) {
	if r.lost == nil {
		r.lost = err
	}
}

// checkpoint says where the Round stands.
func (r *Round) checkpoint(e checkpoint.Event) *Checkpoint {
	c := &Checkpoint{
		Event: e, Request: r.request, Round: r.number,
		Position: checkpoint.Position{First: r.first, Spent: r.spent, Secrets: r.scrubber.secrets.all()},
	}
	if !r.since.IsZero() {
		c.Spent += time.Since(r.since)
	}
	if e == checkpoint.Stepped {
		c.Fault, c.Final = r.meter.step.Err, r.fault != nil
	}
	r.pos.note(c)
	r.meter.note(c)
	if e == checkpoint.Stopped || e == checkpoint.Ended {
		res := r.result
		c.Result, c.Tasks = &res, max(r.last, 0)
	}
	return c
}
