package round

import (
	"context"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// cleanUp takes the edge to FINISH of a round that ended otherwise. The observer sees it; the result stays.
func (r *Round) cleanUp(ctx context.Context) error {
	status := r.pos.bound.Status()
	if r.lost != nil {
		return nil // nothing more is done in it
	}
	if r.pos.agent != fsm.Agent(r.pos.start) || status != fsm.Fail && status != fsm.Error || !r.pos.bound.Permits(fsm.Finish, "", fsm.BySystem) {
		return nil
	}
	if !r.busy.CompareAndSwap(false, true) {
		return ErrBusy
	}
	defer r.busy.Store(false)
	if r.recorder != nil {
		defer r.leave(ctx)
	}
	opts := *r.options.Load()
	opts.MaxDuration = -1 // it may be what ended the round
	ctx, ended := r.context(ctx, &opts, opts.Observe != nil)
	defer ended()
	if r.recorder != nil {
		if err := r.opens(ctx); err != nil {
			return err
		}
	}
	return guard(func() error {
		r.pos.refresh()
		r.meter.begin()
		r.pos.past.add(r.pos.agent, r.pos.bound)
		step := &r.meter.step
		step.Agent, step.Kind, step.From, step.To, step.By = r.pos.agent.Name(), r.pos.agent.States().Kind(), status, fsm.Finish, fsm.BySystem
		err := r.pos.bound.Handle(ctx, r.pos.agent)
		if stop := r.interrupted(ctx); stop != nil {
			return stop
		}
		if err != nil {
			return err
		}
		if err := r.pos.arrive(r.pos.agent, fsm.Finish, "", fsm.BySystem); err != nil {
			return err
		}
		r.arrived(fsm.BySystem, "")
		r.finish(true)
		if r.recorder != nil && !r.record(ctx, checkpoint.Ended) { // its result stays, the agents go on from here
			return r.lost
		}
		if r.meter.watched {
			_, err = r.observe()
		}
		return err
	})
}
