package round

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// place puts the agents where they stood.
func (p *position) place(ctx context.Context, c *Checkpoint) error {
	again := placing{start: p.start, c: c, made: map[string]fsm.Agent{}}
	p.begun, p.held = c.Begun, c.Held
	if len(c.Makers) > 0 {
		p.makers = maps.Clone(c.Makers)
	}
	p.past.before = c.History[max(0, len(c.History)-len(p.past.ring)):]
	var stack []fsm.Agent
	for _, at := range c.Stack {
		agent, bound, err := again.stand(ctx, at)
		if err != nil {
			return err
		}
		if slices.Contains(stack, agent) {
			return notResumable(at.Agent, "it is twice in its position")
		}
		stack = append(stack, agent)
		p.names[agent.Name()] = agent
		p.agent, p.bound = agent, bound
	}
	if len(stack) == 0 {
		return notResumable(p.start.Name(), "nobody stands anywhere")
	}
	p.stack = stack[:len(stack)-1]
	if p.held {
		p.past.add(p.agent, p.bound)
	}
	if c.Returned == nil {
		return nil
	}
	by, _, err := again.stand(ctx, *c.Returned)
	if err != nil {
		return err
	}
	p.returned = by
	if host, ok := p.agent.(fsm.ReturnHandler); ok {
		host.Returned(by)
	}
	return nil
}

// placing makes the agents of a position again.
type placing struct {
	start fsm.Worker
	c     *Checkpoint
	made  map[string]fsm.Agent
}

// stand returns an agent with its state, where it stood.
func (p *placing) stand(ctx context.Context, at checkpoint.Place) (fsm.Agent, *fsm.Bound, error) {
	agent, err := p.agent(ctx, at.Agent, 0)
	if err != nil {
		return nil, nil, err
	}
	if kind := agent.States().Kind(); kind != at.Kind {
		return nil, nil, notResumable(at.Agent, fmt.Sprintf("it is a %q now, and was a %q", kind, at.Kind))
	}
	bound := agent.States().Bind(at.Status)
	if bound.Err() != nil {
		return nil, nil, bound.Err()
	}
	if agent.Status() != at.Status {
		agent.SetStatus(at.Status)
	}
	if agent.Decision() != at.Decision {
		decider, ok := agent.(fsm.Decider)
		if !ok && p.c.Held {
			return nil, nil, notResumable(at.Agent, "it did not load what it decided last, and has no method Decide")
		}
		if ok {
			decider.Decide(at.Decision.To, at.Decision.By, at.Decision.Reason)
		}
	}
	return agent, bound, nil
}

// agent returns an agent by its name: the first one, or one that is made again by who handed over to it.
func (p *placing) agent(ctx context.Context, name string, depth int) (fsm.Agent, error) {
	if name == p.start.Name() {
		return p.start, nil
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
		return nil, &agentError{name, fmt.Errorf("%w: %w", ErrNotResumable, err), fmt.Sprintf("%s cannot make it again: %s", by, textOf(err))}
	}
	p.made[name] = worker
	return worker, nil
}

var (
	errNoWorker  = errors.New("it has no method Worker")
	errOtherName = errors.New("it makes one of another name")
)
