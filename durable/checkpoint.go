package durable

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/round"
)

// checkpoint is where the record stands.
func (b *reader) checkpoint() *round.Checkpoint {
	c := b.begin.Checkpoint
	if b.last != nil {
		c = b.last.Checkpoint
		if c.Final {
			c.Fault = recorded(b.last.Err)
		}
		if c.Session == (checkpoint.Used{}) {
			c.Session = checkpoint.Used{Steps: c.Used.Steps, Usage: c.Used.Usage, Cost: c.Used.Cost}
		}
	}
	c.Event, c.Request, c.First, c.Round = checkpoint.Resumed, b.begin.Request, b.begin.First, b.rounds
	c.Makers, c.Repeats, c.History, c.Secrets = b.makers, slices.Collect(maps.Values(b.repeats)), b.history, b.secrets
	if c.Result == nil {
		return &c
	}
	res := *c.Result
	switch {
	case b.end != nil:
		res.Err = recorded(b.end.Err)
	case res.Outcome == round.Suspended:
		for _, a := range b.j.asked {
			res.Waits = append(res.Waits, a.Legible())
		}
		res.Wakes = b.j.effects.wakes()
		res.Err = &recordedError{text: res.Reason, errs: []error{fsm.ErrSuspend}}
	}
	if !b.stopped && b.end == nil {
		c.Result = nil
		return &c
	}
	c.Result = &res
	return &c
}

func otherKind(agent, was, is string) error {
	return misfit(agent, fmt.Sprintf("it is a %q now, and was a %q", is, was))
}

// misfit is the error of an agent that is not that of the run.
func misfit(agent, text string) error {
	return fmt.Errorf("agent %q: %w: %s", agent, round.ErrNotResumable, text)
}
