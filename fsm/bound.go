package fsm

import (
	"context"
	"fmt"
	"reflect"
)

// Set is a [Manager] with its agent type erased: what an agent shows of its
// kind to whoever drives it. Only a *Manager is a Set.
type Set interface {
	// Kind is the name of the kind of agent.
	Kind() string
	// Statuses is what is registered, sorted.
	Statuses() []Status
	// Edges is a copy of the table.
	Edges() []Edge
	// Bind returns a state, erased. It is never nil.
	Bind(Status) *Bound
	// Validate returns every finding about the table, sorted and joined.
	Validate() error
	// Mermaid and DOT draw the table.
	Mermaid() string
	DOT() string

	start() (Status, bool)
}

func (m *Manager[A]) start() (Status, bool) {
	if out := m.from[""]; len(out) > 0 {
		return out[0].To, true
	}
	return "", false
}

// Start returns the status in which agents of the set start: the first edge
// without From. The second result is false when the table has no start.
func Start(set Set) (Status, bool) {
	return set.start()
}

// Bound is a state with its agent type erased and its edges at hand. It is
// immutable and shared.
type Bound struct {
	kind       string
	status     Status
	known      bool
	roundEnd   bool
	subtaskEnd bool
	edges      []Edge
	erased     erased
}

type erased interface {
	handle(context.Context, *Bound, Agent) error
	nextState(*Bound, Agent) (Status, error)
	nextAgent(*Bound, Agent) (Agent, error)
	next(*Bound, Agent) (Status, Cause, Agent, error)
}

func (m *Manager[A]) bind(status Status, s State[A], known bool) *Bound {
	b := &Bound{
		kind: m.kind, status: status, known: known,
		roundEnd: s.IsRoundEnd(), subtaskEnd: s.IsSubtaskEnd(),
		edges:  m.from[status],
		erased: wrapper[A]{s},
	}
	if row, ok := s.(*rowState[A]); ok {
		b.erased = rowWrapper[A]{&row.row}
	}
	return b
}

// Status returns the status that the state is registered under.
func (b *Bound) Status() Status { return b.status }

// Known reports whether the status is registered.
func (b *Bound) Known() bool { return b.known }

// IsRoundEnd is [State].IsRoundEnd.
func (b *Bound) IsRoundEnd() bool { return b.roundEnd }

// IsSubtaskEnd is [State].IsSubtaskEnd.
func (b *Bound) IsSubtaskEnd() bool { return b.subtaskEnd }

// Terminal reports whether the state ends a round or a sub-task.
func (b *Bound) Terminal() bool { return b.roundEnd || b.subtaskEnd }

// Handle is [State].Handle. An agent of another type than the state's is an
// [AgentTypeError].
func (b *Bound) Handle(ctx context.Context, agent Agent) error {
	return b.erased.handle(ctx, b, agent)
}

// NextState is [State].NextState, with the error of Handle.
func (b *Bound) NextState(agent Agent) (Status, error) { return b.erased.nextState(b, agent) }

// NextAgent is [State].NextAgent, with the error of Handle.
func (b *Bound) NextAgent(agent Agent) (Agent, error) { return b.erased.nextAgent(b, agent) }

// Next asks for both, the status first, as a driver does for each step. by is who
// is behind it: the cause of the agent's decision, or [BySystem] where the status
// is not what the agent decided, or nobody said who did.
func (b *Bound) Next(agent Agent) (to Status, by Cause, next Agent, err error) {
	return b.erased.next(b, agent)
}

// Permits reports whether the table has a step from here to that status. kind
// is the kind of agent entered, "" for the same agent.
func (b *Bound) Permits(to Status, kind string) bool { return b.PermitsBy(to, kind, 0) }

// PermitsBy is [Bound.Permits] for a step that by caused. A step that the model
// wrote needs an edge with [ByModel]; who else is behind a step is recorded, and
// not limited.
func (b *Bound) PermitsBy(to Status, kind string, by Cause) bool {
	for i := range b.edges {
		e := &b.edges[i]
		if e.To == to && (e.Kind == kind || e.Kind == AnyKind && kind != "") && (by&ByModel == 0 || e.By&ByModel != 0) {
			return true
		}
	}
	return false
}

// Targets returns the statuses of the same agent that any of the causes in by
// may lead to, in the order of the table: with [ByModel] what a model may write.
func (b *Bound) Targets(by Cause) []Status {
	var list []Status
	for _, e := range b.edges {
		if e.Kind == "" && e.By&by != 0 {
			list = append(list, e.To)
		}
	}
	return list
}

// Edges returns a copy of the edges that start here.
func (b *Bound) Edges() []Edge { return append([]Edge(nil), b.edges...) }

// Refuse returns the error for a step from here that is not permitted:
// an [UnknownStatusError] when next's kind has no such status, else a
// [TransitionError].
func (b *Bound) Refuse(agent Agent, to Status, next Agent) error {
	set := next.States()
	if to != "" && !set.Bind(to).Known() {
		return &UnknownStatusError{Kind: set.Kind(), Status: to, Known: set.Statuses()}
	}
	err := &TransitionError{
		Agent: agent.Name(), Kind: b.kind, From: b.status,
		NextAgent: next.Name(), To: to, Allowed: b.Edges(),
	}
	if d := agent.Decision(); d.To == to {
		err.By = d.By
	}
	if next != agent {
		err.NextKind = set.Kind()
	}
	return err
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

func (w wrapper[A]) nextState(b *Bound, agent Agent) (Status, error) {
	a, ok := agent.(A)
	if !ok {
		return "", b.wrongType(reflect.TypeFor[A](), agent)
	}
	return w.state.NextState(a), nil
}

func (w wrapper[A]) nextAgent(b *Bound, agent Agent) (Agent, error) {
	a, ok := agent.(A)
	if !ok {
		return nil, b.wrongType(reflect.TypeFor[A](), agent)
	}
	return w.state.NextAgent(a), nil
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

func (w rowWrapper[A]) nextState(b *Bound, agent Agent) (Status, error) {
	a, ok := agent.(A)
	switch {
	case !ok:
		return "", b.wrongType(reflect.TypeFor[A](), agent)
	case w.row.NextState == nil:
		return agent.Decision().To, nil
	}
	return w.row.NextState(a), nil
}

func (w rowWrapper[A]) nextAgent(b *Bound, agent Agent) (Agent, error) {
	a, ok := agent.(A)
	switch {
	case !ok:
		return nil, b.wrongType(reflect.TypeFor[A](), agent)
	case w.row.NextAgent == nil:
		return agent, nil
	}
	return w.row.NextAgent(a), nil
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
	return &AgentTypeError{Kind: b.kind, Status: b.status, Want: want.String(), Got: fmt.Sprintf("%T", agent)}
}

// isNil also finds a nil pointer inside an interface, which a constructor
// with a typed result easily returns.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Slice, reflect.Interface:
		return r.IsNil()
	}
	return false
}
