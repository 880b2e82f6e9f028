package round

import (
	"context"
	"runtime/debug"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/effect"
)

// drive takes steps until the round ends, stops, or yield returns false.
func (r *Round) drive(ctx context.Context, yield func(Step) bool) error {
	if r.result.Outcome.final() {
		return r.result.Err
	}
	r.result = Result{}
	if err := r.pos.stillOurs(); err != nil {
		r.fault = err
		return r.end()
	}
	opts := r.options.Load()
	watched := yield != nil || opts.Observe != nil
	if r.watching = r.recorder != nil; r.watching {
		defer r.leave(ctx)
	}
	ctx, done := r.context(ctx, opts, watched)
	defer done()
	if r.recorder != nil {
		if err := r.opens(ctx); err != nil {
			return err
		}
	}
	if !r.pos.begun && r.lost == nil && r.over() {
		// A first state that ends is not handled, so nothing else would give the
		// agent its task and make it forget the last one.
		if err := guard(func() error { return r.begin(ctx) }); err != nil {
			if stop := r.interrupted(ctx); stop != nil {
				if err, lost := r.stopped(ctx, stop); !lost {
					return err
				}
			} else {
				r.fault = err
			}
		}
	}
	defer r.exited(ctx)
	for r.pos.refresh(); !r.over(); r.pos.refresh() {
		r.exits = true
		stop, fault := r.advance(ctx)
		r.exits = false
		if r.lost != nil {
			break // wherever ERROR leads, it ends here
		}
		if fault != nil {
			r.toError(fault)
		}
		if fault != nil || stop != nil {
			r.finish(stop == nil)
		}
		if stop != nil {
			if err, lost := r.stopped(ctx, stop); !lost {
				return err
			}
			break
		}
		if r.recorder != nil && !r.record(ctx, checkpoint.Stepped) {
			break // nothing more happens in a round whose Recorder takes nothing
		}
		if watched && !r.show(yield) {
			return nil
		}
	}
	return r.ended(ctx)
}

// exited ends a round one of whose steps has ended its goroutine, which runs only deferred calls since.
func (r *Round) exited(ctx context.Context) {
	if !r.exits {
		return
	}
	r.exits = false
	r.toError(errExit)
	r.fault = errExit // also with an ERROR that would go on
	r.finish(true)
	if r.recorder == nil || r.record(ctx, checkpoint.Stepped) {
		_ = r.ended(ctx) // nobody gets it but the record
	}
}

// stopped is stop, and records it. Where that fails, the round is lost.
func (r *Round) stopped(ctx context.Context, cause error) (err error, lost bool) { //nolint:revive // the error is a result
	err = r.stop(ctx, cause)
	if r.recorder == nil || r.record(ctx, checkpoint.Stopped) {
		return err, false
	}
	r.result = Result{}
	return nil, true
}

// ended is end, and records it: an answer that is not recorded is none.
func (r *Round) ended(ctx context.Context) error {
	if r.lost != nil {
		r.leave(ctx) // its result says where the record has it
	}
	err := r.end()
	if r.recorder == nil || r.lost != nil || r.record(ctx, checkpoint.Ended) {
		return err
	}
	r.result, r.last = Result{}, -1
	r.leave(ctx)
	return r.end()
}

// over reports whether the round ends here.
func (r *Round) over() bool { return r.fault != nil || r.lost != nil || r.pos.ended() }

// advance takes steps: one when somebody watches, else as many as simply move. It returns at the end of the round, with
// what stops the round where it is, or with the fault of a step; at most one of them is set. One recover serves all the
// steps, as it costs more than to look a state up.
func (r *Round) advance(ctx context.Context) (stop, fault error) {
	moving := false
	defer func() {
		if v := recover(); v != nil {
			fault = &PanicError{Value: v, Stack: debug.Stack()}
			if moving {
				return
			}
			if stop = r.interrupted(ctx); stop != nil {
				// The position stays, but a panic is never lost.
				stop, fault = &stopError{stop, fault}, nil
			}
		}
	}()
	for {
		if stop = r.before(ctx); stop != nil {
			return stop, nil
		}
		r.meter.begin()
		if moving = false; r.meter.watched {
			r.left()
		}
		var err error
		if r.pos.held {
			r.pos.held = false
		} else {
			r.meter.tries++
			err = r.handle(ctx)
		}
		if stop = r.interrupted(ctx); stop != nil {
			r.pos.held = err == nil && r.meter.undisturbed()
			return stop, nil
		}
		if err == nil {
			moving = true
			err = r.move()
		} else if suspends(err) || r.waitsOut(err) {
			return waitError{err}, nil
		} else if lostElsewhere(err) {
			if !r.meter.acted() {
				return waitError{err}, nil
			}
			if r.recorder != nil { // as if the process had died: what it did is given back
				r.lose(err)
				return nil, err
			}
		}
		if err != nil && !r.toFail(ctx, err) {
			return nil, err
		}
		r.finish(true)
		r.pos.refresh()
		if r.meter.watched || r.recorder != nil || r.over() {
			return nil, nil
		}
	}
}

// move goes where the handled state says.
func (r *Round) move() error {
	agent := r.pos.agent
	by, err := r.pos.move()
	if err != nil {
		if no, ok := err.(unrecordable); ok { //nolint:errorlint // made by the position, as it is
			err = no.error
			r.lose(err) // with an agent that can, the round goes on
		}
		return err
	}
	if r.meter.watched {
		r.arrived(by, agent.Decision().Reason)
	}
	return nil
}

// left notes where a step begins.
func (r *Round) left() {
	step, agent := &r.meter.step, r.pos.agent
	step.Agent, step.Kind, step.From = agent.Name(), agent.States().Kind(), r.pos.bound.Status()
}

// arrived notes where a step led. by is who is behind it.
func (r *Round) arrived(by fsm.Cause, reason string) {
	step, agent := &r.meter.step, r.pos.agent
	step.To, step.By, step.Reason = r.pos.bound.Status(), by, reason
	step.NextAgent = agent.Name()
}

// finish ends the record of a step.
func (r *Round) finish(moved bool) {
	if r.meter.finish(moved) {
		r.meter.fold(moved, r.pos.past.last().agent, r.pos.stayed())
	}
}

func (r *Round) handle(ctx context.Context) error {
	agent, b := r.pos.agent, r.pos.bound
	r.pos.past.add(agent, b)
	if !r.pos.begun {
		if err := r.begin(ctx); err != nil {
			return err
		}
	}
	if r.recorder != nil {
		var over func()
		ctx, over = effect.WithStep(ctx)
		defer over()
	}
	return b.Handle(ctx, agent)
}

// begin gives the first agent its task.
func (r *Round) begin(ctx context.Context) error {
	r.pos.agent.SetStatus(r.pos.bound.Status())
	if err := r.pos.start.Begin(ctx, fsm.Task{Text: r.request}); err != nil {
		return err
	}
	r.pos.begun = true
	return nil
}
