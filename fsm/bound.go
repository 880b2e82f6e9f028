package fsm

import (
	"context"
	"sync/atomic"
)

// Bound is a state with its agent type erased and its edges at hand. It is
// shared. What it is does not change, but [Manager.AddState] may replace it.
type Bound struct {
	kind       string
	status     Status
	roundEnd   bool
	subtaskEnd bool
	claims     bool // the state says that it is a success
	edges      []Edge
	erased     erased
	unknown    error        // nil: the status is registered
	replaced   *atomic.Bool // nil: nobody registered it
}

// Current reports whether the state is still the one that is registered. It is
// cheaper than to bind the state again before each step.
func (b *Bound) Current() bool { return b.replaced == nil || !b.replaced.Load() }

// Status returns the status that the state is registered under.
func (b *Bound) Status() Status { return b.status }

// Err is nil where the status is registered, and else the [ErrUnknownStatus] that says
// what is.
func (b *Bound) Err() error { return b.unknown }

// Terminal reports whether the state ends a round or a sub-task.
func (b *Bound) Terminal() bool { return b.roundEnd || b.subtaskEnd }

// IsSuccess reports whether to end in this state is a success: it ends, and is FINISH
// or says so itself. FAIL and ERROR are none.
func (b *Bound) IsSuccess() bool {
	return b.Terminal() && (b.status == Finish || b.claims && b.status != Fail && b.status != Error)
}

// Handle is [State].Handle. An agent of another type than the state's is an error.
func (b *Bound) Handle(ctx context.Context, agent Agent) error {
	return b.erased.handle(ctx, b, agent)
}

// Next asks the state for the next status and then for the next agent. by is who
// is behind it: the cause of the agent's decision, or [BySystem] where the status
// is not what the agent decided, or nobody said who did.
func (b *Bound) Next(agent Agent) (to Status, by Cause, next Agent, err error) {
	return b.erased.next(b, agent)
}

// Permits reports whether the table has a step from here to that status. kind
// is the kind of agent entered, "" for the same agent. With "" as to and a kind it asks
// for an edge to the start of that agent. The edge must name the cause, so that an edge with only
// [ByUser] is refused to a Handle that decides with [BySystem]. With 0 as the cause it asks for
// an edge of any cause.
func (b *Bound) Permits(to Status, kind string, by Cause) bool {
	for i := range b.edges {
		e := &b.edges[i]
		if e.To == to && (e.Kind == kind || e.Kind == AnyKind && kind != "") && by&^e.By == 0 {
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
			if list == nil {
				list = make([]Status, 0, len(b.edges))
			}
			list = append(list, e.To)
		}
	}
	return list
}

// Refuse returns the error for a step from here that is not permitted:
// [ErrUnknownStatus] when next's kind has no such status, else [ErrNotAllowed].
func (b *Bound) Refuse(agent Agent, to Status, next Agent) error {
	set := next.States()
	if to != "" {
		if err := set.Bind(to).Err(); err != nil {
			return err
		}
	}
	step := transition{Agent: agent.Name(), From: b.status, To: to, By: BySystem, Allowed: b.edges}
	if d := agent.Decision(); d.To == to {
		step.By = causeOr(d.By)
	}
	if next != agent {
		step.NextKind = set.Kind()
	}
	return step.refused()
}
