package round

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// move asks the handled state, of the handled agent, for what is next, and goes there. It runs under the recover of its
// caller and changes nothing before all is checked. by is who is behind it.
func (p *position) move() (by fsm.Cause, err error) {
	agent, b := p.agent, p.bound
	to, by, next, err := b.Next(agent)
	if err != nil {
		return by, err
	}
	back := b.Terminal() && len(p.stack) > 0
	if next == agent {
		if back {
			return fsm.BySystem, p.handBack()
		}
		return by, p.arrive(agent, to, "", by)
	}
	if err := checkAgent(agent.Name(), next); err != nil {
		return by, err
	}
	if back && next == p.stack[len(p.stack)-1] {
		return fsm.BySystem, p.handBack()
	}
	return by, p.handOver(next, to, by)
}

// permits reports whether the table has the step. An edge to another agent that names
// no status leads to that agent's start.
func permits(b *fsm.Bound, next fsm.Agent, to fsm.Status, kind string, by fsm.Cause) bool {
	if b.Permits(to, kind, by) {
		return true
	}
	if kind == "" {
		return false
	}
	start, ok := fsm.Start(next.States())
	return ok && start == to && b.Permits("", kind, by)
}

// arrive moves next to that status, when the table has the step.
func (p *position) arrive(next fsm.Agent, to fsm.Status, kind string, by fsm.Cause) error {
	agent, b := p.agent, p.bound
	if !permits(b, next, to, kind, by) {
		return b.Refuse(agent, to, next)
	}
	if kind != "" || to != b.Status() {
		if b = next.States().Bind(to); b.Err() != nil {
			return b.Refuse(agent, to, next)
		}
	}
	p.enter(next, b)
	return nil
}

// enter is the only place where an agent is moved by a step that succeeded.
func (p *position) enter(next fsm.Agent, b *fsm.Bound) {
	next.SetStatus(b.Status())
	p.agent, p.bound, p.returned = next, b, nil
}

// handOver gives control to another agent and remembers who gave it. A state that ends has nothing to come back to:
// whoever it names takes its place. Control that goes to somebody who waits below unwinds to there.
func (p *position) handOver(next fsm.Agent, to fsm.Status, by fsm.Cause) error {
	agent, ends := p.agent, p.bound.Terminal()
	name := next.Name()
	known, used := p.names[name]
	if used && known != next && !p.replaces(known, next, agent) {
		return &agentError{name, ErrAgent, fmt.Sprintf("two agents have this name: one of kind %q, and now one of kind %q",
			known.States().Kind(), next.States().Kind())}
	}
	if p.recorded && !used {
		if err := comesBack(agent, next); err != nil {
			return unrecordable{err}
		}
	}
	if err := p.arrive(next, to, next.States().Kind(), by); err != nil {
		return err
	}
	p.names[name] = next
	if !used {
		if p.makers == nil {
			p.makers = map[string]string{}
		}
		p.makers[name] = agent.Name()
	}
	if i := slices.Index(p.stack, next); i >= 0 {
		p.stack = p.stack[:i]
	} else if !ends {
		p.stack = append(p.stack, agent)
	}
	return nil
}

// replaces reports whether by may hand over to next, which has the name of known: by made that one,
// which has control nowhere, and gave it up for another one of its kind. Of anything else both are
// alive, and what they know would be recorded under one name.
func (p *position) replaces(known, next, by fsm.Agent) bool {
	return known != by && !slices.Contains(p.stack, known) &&
		p.makers[known.Name()] == by.Name() && known.States().Kind() == next.States().Kind()
}

// handBack returns control to whoever handed over, at CONTINUE. Like a fault it is exempt from the table. A
// fsm.ReturnHandler is told who came back: that may be another agent than it handed over to.
func (p *position) handBack() error {
	to := p.stack[len(p.stack)-1]
	bound := to.States().Bind(fsm.Continue)
	if bound.Err() != nil {
		return bound.Err()
	}
	if host, ok := to.(fsm.ReturnHandler); ok {
		host.Returned(p.agent)
	}
	by := p.agent
	p.enter(to, bound)
	p.stack = p.stack[:len(p.stack)-1]
	if p.recorded {
		p.returned = by
	}
	return nil
}

// enterError puts the agent at work into ERROR, where its table has that.
func (p *position) enterError() (entered bool) {
	defer func() {
		if recover() != nil {
			entered = false
		}
	}()
	bound := p.agent.States().Bind(fsm.Error)
	if bound.Err() != nil {
		return false
	}
	p.agent.SetStatus(fsm.Error)
	p.bound = bound
	return true
}

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
	opts.filled.MaxDuration = -1 // it may be what ended the round
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
