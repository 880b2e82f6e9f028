package round

import (
	"context"
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/internal/trace"
)

// context adds the meter to ctx, and the wall time that is left. It is made
// once for a Run, so that a step costs no context.
func (r *Round) context(ctx context.Context, opts *options, watched bool) (context.Context, func()) {
	r.meter.id = identity{r.run, r.number}
	if outer, _ := ctx.Value(identityKey{}).(identity); r.run == "" && (outer.run != "" || r.number == 0) {
		r.meter.id = outer
	}
	ctx = context.WithValue(ctx, identityKey{}, r.meter.id)
	ctx = trace.WithRun(withMeter(ctx, &r.meter))
	r.meter.reset(watched)
	limit := opts.filled.MaxDuration
	if limit < 0 {
		ctx = r.attach(ctx)
		r.done = ctx.Done()
		return ctx, func() {}
	}
	started := time.Now()
	r.since = started
	r.deadline = &BudgetError{Bound: "MaxDuration", Limit: limit.String()}
	ctx, cancel := context.WithTimeoutCause(ctx, limit-r.spent, r.deadline)
	ctx = r.attach(ctx) // at last: what it sees is that this Run has ended
	r.done = ctx.Done()
	return ctx, func() {
		r.spent += time.Since(started)
		r.since = time.Time{}
		cancel()
	}
}

func (r *Round) attach(ctx context.Context) context.Context {
	if r.recorder == nil {
		return ctx
	}
	var attached context.Context
	err := guard(func() error {
		if attached = r.recorder.Attach(ctx, r.meter.charge); attached == nil {
			return errNoContext
		}
		return nil
	})
	if err != nil {
		r.lose(err)
		return ctx
	}
	return attached
}

var errNoContext = errors.New("round: its Recorder attached no context")

// before checks what must hold before a step.
func (r *Round) before(ctx context.Context) error {
	if r.cancelled() {
		return r.cause(ctx)
	}
	return r.meter.checkStep()
}

// interrupted says why the round stops where it is, whatever a Handle returned.
func (r *Round) interrupted(ctx context.Context) error {
	if trip := r.meter.tripped(); trip != nil {
		return trip
	}
	if r.cancelled() {
		return r.cause(ctx)
	}
	return nil
}

// cancelled is ctx.Err() != nil of the current Run, without a walk through the values that ctx carries.
func (r *Round) cancelled() bool {
	if r.done == nil {
		return false
	}
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// cause says why ctx is done. MaxDuration was made before the first step and knows no positions yet.
func (r *Round) cause(ctx context.Context) error {
	cause := context.Cause(ctx)
	budget, ok := cause.(*BudgetError) //nolint:errorlint // that of another round is no bound of this one
	switch {
	case !ok:
		return cause
	case budget == r.deadline:
		return r.meter.budgetError(budget.Bound, budget.Limit, budget.Limit)
	}
	return elsewhere{cause}
}

// identity is the run and the number of a round.
type identity struct {
	run   string
	round int
}

type identityKey struct{}

// RunID returns the run and the round under which ctx was made: Options.Run and the number of the
// round in its session, from 1. The contexts of a Handle, of a model call, of a command, of an
// effect and of a question have them. A key for idempotent calls of a service outside can be
// made of run and round. Without a run the string is empty; a round in no session has the number 0. A
// round without a run, within a Handle of another one that has a run, has both of the outer round.
func RunID(ctx context.Context) (run string, round int) {
	p, _ := ctx.Value(identityKey{}).(identity)
	return p.run, p.round
}
