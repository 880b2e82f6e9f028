package round

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
)

// ErrNotResumable says that an agent cannot take part in a round that is recorded, or not in
// this one.
var ErrNotResumable = errors.New("round: it cannot be resumed with this agent")

// Restore makes the session whose round stood where c says. host and its blackboard have the
// data that they had then: the blackboard is that of opts or of host. An agent that control was
// handed to is made again by who handed over to it, with its method Worker.
//
// Errors are those of [NewSession], an [*AgentError] over [ErrNotResumable] and a
// *fsm.UnknownStatusError where a table has no such status any more.
func Restore(ctx context.Context, host fsm.Worker, c *Checkpoint, opts *Options) (*Session, error) {
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
	r.first, r.opened, r.meter.touched = c.First, c.Event != Began, true
	if len(c.Makers) > 0 {
		r.makers = maps.Clone(c.Makers)
	}
	r.history.before = c.History[max(0, len(c.History)-len(r.history.ring)):]
	if c.Event != Began {
		if err := r.place(ctx, c); err != nil {
			return nil, err
		}
	}
	r.meter.restore(c)
	r.spent = c.Spent
	if c.Result != nil {
		r.reach(*c.Result)
	}
	r.recorded = placeOf(r.agent, r.bound.Status())
	return s, nil
}

// reach gives a restored round its result. The Err of that is the cause.
func (r *Round) reach(was Result) {
	cause := was.Err
	if was.Outcome.Ended() {
		res := Result{Outcome: was.Outcome, Status: was.Status, Answer: was.Answer, Reason: was.Reason}
		if res.Outcome != Finished {
			res.Err = r.outcomeError(res.Outcome, res.Status, res.Reason, cause)
		}
		r.seal(res)
		return
	}
	res := Result{Outcome: was.Outcome, Reason: was.Reason}
	if res.Outcome == Suspended {
		res.Waits = r.scrubber.stillAsked(was.Waits)
		cause = &SuspendedError{Questions: res.Waits, Err: cause}
	}
	if res.Outcome != Unfinished {
		res.Err = r.outcomeError(res.Outcome, r.bound.Status(), res.Reason, cause)
	}
	r.result = res
}

// place puts the agents where they stood.
func (r *Round) place(ctx context.Context, c *Checkpoint) error {
	p := placing{round: r, c: c, made: map[string]fsm.Agent{}}
	r.begun, r.held = c.Begun, c.Held
	var stack []fsm.Agent
	for _, at := range c.Stack {
		agent, bound, err := p.stand(ctx, at)
		if err != nil {
			return err
		}
		if slices.Contains(stack, agent) {
			return notResumable(at.Agent, "it is twice in its position")
		}
		stack = append(stack, agent)
		r.names[agent.Name()] = agent
		r.agent, r.bound = agent, bound
	}
	if len(stack) == 0 {
		return notResumable(r.start.Name(), "nobody stands anywhere")
	}
	r.stack = stack[:len(stack)-1]
	if r.held {
		r.history.add(r.agent, r.bound)
	}
	if c.Returned == nil {
		return nil
	}
	by, _, err := p.stand(ctx, *c.Returned)
	if err != nil {
		return err
	}
	r.returned = by
	if host, ok := r.agent.(fsm.ReturnHandler); ok {
		host.Returned(by)
	}
	return nil
}

// placing makes the agents of a position again.
type placing struct {
	round *Round
	c     *Checkpoint
	made  map[string]fsm.Agent
}

// stand returns an agent with its state, where it stood.
func (p *placing) stand(ctx context.Context, at Place) (fsm.Agent, *fsm.Bound, error) {
	agent, err := p.agent(ctx, at.Agent, 0)
	if err != nil {
		return nil, nil, err
	}
	if kind := agent.States().Kind(); kind != at.Kind {
		return nil, nil, notResumable(at.Agent, fmt.Sprintf("it is a %q now, and was a %q", kind, at.Kind))
	}
	bound := agent.States().Bind(at.Status)
	if !bound.Known() {
		return nil, nil, &fsm.UnknownStatusError{Kind: at.Kind, Status: at.Status, Known: agent.States().Statuses()}
	}
	if agent.Status() != at.Status {
		agent.SetStatus(at.Status)
	}
	if agent.Decision() != at.Decision {
		decider, ok := agent.(fsm.Decider)
		if !ok && p.c.Held {
			return nil, nil, notResumable(at.Agent, "what it decided last is not in its snapshot, and it has no method Decide")
		}
		if ok {
			decider.Decide(at.Decision.To, at.Decision.By, at.Decision.Reason)
		}
	}
	return agent, bound, nil
}

// agent returns an agent by its name: the first one, or one that is made again by
// who handed over to it.
func (p *placing) agent(ctx context.Context, name string, depth int) (fsm.Agent, error) {
	if name == p.round.start.Name() {
		return p.round.start, nil
	}
	if agent, made := p.made[name]; made {
		return agent, nil
	}
	by, known := p.c.Makers[name]
	if !known || depth > len(p.c.Makers) {
		return nil, notResumable(name, "nobody is known who makes it again")
	}
	from, err := p.agent(ctx, by, depth+1)
	if err != nil {
		return nil, err
	}
	var worker fsm.Worker
	if m, ok := from.(fsm.WorkerProvider); ok {
		worker, err = m.Worker(ctx, name)
	} else {
		err = errNoWorker
	}
	if err == nil {
		err = checkAgent(by, worker)
	}
	if err == nil && worker.Name() != name {
		err = errOtherName
	}
	if err != nil {
		return nil, &AgentError{
			Agent: name, Err: fmt.Errorf("%w: %w", ErrNotResumable, err),
			text: fmt.Sprintf("%s cannot make it again: %s", by, textOf(err)),
		}
	}
	p.made[name] = worker
	return worker, nil
}

var (
	errNoWorker  = errors.New("it has no method Worker")
	errOtherName = errors.New("it makes one of another name")
)

func notResumable(agent, text string) error {
	return &AgentError{Agent: agent, Err: ErrNotResumable, text: text}
}

// keepable says whether an agent can be recorded.
func keepable(agent fsm.Agent) error {
	if _, ok := agent.(keeper); ok {
		return nil
	}
	return notResumable(agent.Name(), "it has no methods Snapshot and Restore, so it cannot be in a round that is recorded")
}

// keeper is an agent whose data can be kept.
type keeper interface {
	Snapshot() ([]byte, error)
	Restore(snapshot []byte) error
}
