package round

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
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

// What an agent must be, to be driven, and to be recorded.

// checkAgent says why an agent cannot be driven. by is who named it.
func checkAgent(by string, agent fsm.Agent) error {
	switch {
	case nilcheck.IsNil(agent):
		return &agentError{by, ErrAgent, "its next agent is nil"}
	case reflect.TypeOf(agent).Kind() != reflect.Pointer && !reflect.ValueOf(agent).Comparable():
		return &agentError{by, ErrAgent, "an agent must be comparable, best a pointer: " + reflect.TypeOf(agent).String()}
	case nilcheck.IsNil(agent.States()):
		return &agentError{agent.Name(), ErrAgent, "its States are nil"}
	}
	return nil
}

func notResumable(agent, text string) error {
	return &agentError{agent, ErrNotResumable, text}
}

// keepable says whether an agent can be recorded.
func keepable(agent fsm.Agent) error {
	if _, ok := agent.(fsm.Saver); ok {
		return nil
	}
	return notResumable(agent.Name(), "it is no fsm.Saver, so it cannot be in a round that is recorded")
}

// comesBack says whether an agent that gets control could be made again by who hands it over.
func comesBack(by, next fsm.Agent) error {
	if _, ok := by.(fsm.WorkerProvider); !ok {
		return notResumable(by.Name(), fmt.Sprintf("it hands over to %q in a round that is recorded, but is no fsm.WorkerProvider: nobody could make that agent again", next.Name()))
	}
	return keepable(next)
}

// unrecordable says that an agent got no control, as it could not be made again.
type unrecordable struct{ error }

func (u unrecordable) Unwrap() error { return u.error }
