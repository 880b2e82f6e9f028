package fsm

import (
	"context"
	"fmt"
	"reflect"
)

type erased interface {
	handle(context.Context, *Bound, Agent) error
	next(*Bound, Agent) (Status, Cause, Agent, error)
}

func (m *Manager[A]) bind(status Status, s State[A]) *Bound {
	b := &Bound{
		kind: m.kind, status: status,
		roundEnd: s.IsRoundEnd(), subtaskEnd: s.IsSubtaskEnd(),
		edges:  m.from[status],
		erased: wrapper[A]{s},
	}
	if s, ok := s.(Successful); ok {
		b.claims = s.IsSuccess()
	}
	if row, ok := s.(*rowState[A]); ok {
		b.erased = rowWrapper[A]{&row.row}
	}
	return b
}

// wrapper and rowWrapper are the places where the erased agent becomes an A
// again.
type wrapper[A Agent] struct{ state State[A] }

func (w wrapper[A]) handle(ctx context.Context, b *Bound, agent Agent) error {
	a, ok := agent.(A)
	if !ok {
		return b.wrongType(reflect.TypeFor[A](), agent)
	}
	return w.state.Handle(ctx, a)
}

func (w wrapper[A]) next(b *Bound, agent Agent) (to Status, by Cause, next Agent, err error) {
	a, ok := agent.(A)
	if !ok {
		return "", 0, nil, b.wrongType(reflect.TypeFor[A](), agent)
	}
	to = w.state.NextState(a)
	if d := agent.Decision(); d.To == to {
		by = d.By
	}
	return to, causeOr(by), w.state.NextAgent(a), nil
}

// causeOr is by, or BySystem where nobody is named.
func causeOr(by Cause) Cause {
	if by == 0 {
		return BySystem
	}
	return by
}

// rowWrapper is a wrapper that knows which funcs of the state have defaults:
// most steps then need no more calls than there are funcs in their row.
type rowWrapper[A Agent] struct{ row *Row[A] }

func (w rowWrapper[A]) handle(ctx context.Context, b *Bound, agent Agent) error {
	a, ok := agent.(A)
	switch {
	case !ok:
		return b.wrongType(reflect.TypeFor[A](), agent)
	case w.row.Handle == nil:
		return nil
	}
	return w.row.Handle(a, ctx)
}

func (w rowWrapper[A]) next(b *Bound, agent Agent) (to Status, by Cause, next Agent, err error) {
	a, ok := agent.(A)
	if !ok {
		return "", 0, nil, b.wrongType(reflect.TypeFor[A](), agent)
	}
	if w.row.NextState == nil {
		d := agent.Decision()
		to, by = d.To, d.By
	} else if to = w.row.NextState(a); to == agent.Decision().To {
		by = agent.Decision().By
	}
	if w.row.NextAgent == nil {
		return to, causeOr(by), agent, nil
	}
	return to, causeOr(by), w.row.NextAgent(a), nil
}

func (b *Bound) wrongType(want reflect.Type, agent Agent) error {
	return &kindError{ErrAgentType, fmt.Sprintf("fsm: state %s of %s handles a %s and was given a %T", b.status, b.kind, want, agent)}
}
