package round

import (
	"context"
	"fmt"
	"math"
	"time"
)

// bounds are Options with the defaults filled in; -1 is none.
type bounds struct {
	steps, calls, transitions, repeats, tokens int
	cost                                       float64
	duration                                   time.Duration

	sessionSteps, sessionTokens int
	sessionCost                 float64
}

func (o *Options) bounds() bounds {
	return bounds{
		steps:       fill(o.MaxSteps, defaultMaxSteps),
		calls:       fill(o.MaxCalls, o.callsOfSteps()),
		transitions: fill(o.MaxTransitions, defaultMaxTransitions),
		repeats:     fill(o.MaxRepeats, defaultMaxRepeats),
		tokens:      fill(o.MaxTokens, -1),
		cost:        fill(o.MaxCost, -1),
		duration:    fill(o.MaxDuration, -1),

		sessionSteps:  fill(o.MaxSessionSteps, -1),
		sessionTokens: fill(o.MaxSessionTokens, -1),
		sessionCost:   fill(o.MaxSessionCost, -1),
	}
}

// callsOfSteps is the default of MaxCalls.
func (o *Options) callsOfSteps() int {
	steps := fill(o.MaxSteps, defaultMaxSteps)
	if steps < 0 || steps > math.MaxInt/defaultCallsOfAStep {
		return -1
	}
	return steps * defaultCallsOfAStep
}

func fill[N int | float64 | time.Duration](value, standard N) N {
	switch {
	case value == 0:
		return standard
	case value < 0:
		return -1
	}
	return value
}

// bounds returns the bounds in force, computed once for each set of options.
func (m *meter) bounds() *bounds {
	if o := m.options.Load(); o != m.from {
		m.from, m.limit = o, o.bounds()
	}
	return &m.limit
}

// tripped returns the bound that was reached in this step.
func (m *meter) tripped() error {
	if !m.used.Load() {
		return nil
	}
	return m.tripError()
}

func (m *meter) tripError() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.trip == nil {
		return nil // not as it is: a nil *BudgetError is no nil error
	}
	return m.trip
}

// checkStep is asked before each step.
func (m *meter) checkStep() error {
	b := m.bounds()
	if b.transitions >= 0 && m.transitions >= b.transitions {
		return m.budgetError("MaxTransitions", b.transitions, m.transitions)
	}
	if !m.touched && m.session == nil {
		return nil // nothing was used yet: the rest cannot have been reached
	}
	return m.checkUsed(b)
}

func (m *meter) checkUsed(b *bounds) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := m.repeats.last; b.repeats >= 0 && n >= b.repeats {
		return m.budgetError("MaxRepeats", b.repeats, n)
	}
	if err := m.spentUp(b); err != nil {
		return err
	}
	return nil
}

// spentUp checks tokens and cost, of the round and of its session.
func (m *meter) spentUp(b *bounds) *BudgetError {
	switch {
	case b.tokens >= 0 && m.usage.Total() >= b.tokens:
		return m.budgetError("MaxTokens", b.tokens, m.usage.Total())
	case b.cost >= 0 && m.cost >= b.cost:
		return m.budgetError("MaxCost", b.cost, m.cost)
	case m.session == nil:
	case b.sessionTokens >= 0 && m.session.Usage.Total() >= b.sessionTokens:
		return m.budgetError("MaxSessionTokens", b.sessionTokens, m.session.Usage.Total())
	case b.sessionCost >= 0 && m.session.Cost >= b.sessionCost:
		return m.budgetError("MaxSessionCost", b.sessionCost, m.session.Cost)
	}
	return nil
}

// checkCall is asked before each model call.
func (m *meter) checkCall(ctx context.Context) error {
	if ctx.Err() != nil {
		m.disturb(ctx, ctx.Err())
		return context.Cause(ctx)
	}
	b := m.options.Load().bounds()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if m.trip == nil {
		switch {
		case m.now.calls > 0:
		case b.steps >= 0 && m.steps >= b.steps:
			m.trip = m.budgetError("MaxSteps", b.steps, m.steps)
		case m.session != nil && b.sessionSteps >= 0 && m.session.Steps >= b.sessionSteps:
			m.trip = m.budgetError("MaxSessionSteps", b.sessionSteps, m.session.Steps)
		}
	}
	if m.trip == nil && b.calls >= 0 && m.calls >= b.calls {
		m.trip = m.budgetError("MaxCalls", b.calls, m.calls)
	}
	if m.trip == nil {
		m.trip = m.spentUp(&b)
	}
	if m.trip != nil {
		return m.trip
	}
	m.now.calls++
	m.calls++
	return nil
}

// unsent takes back the count of a call that a limiter refused.
func (m *meter) unsent() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.calls--
	m.calls--
}

// budgetError says that a bound is reached, and where.
func (m *meter) budgetError(bound string, limit, used any) *BudgetError {
	return &BudgetError{Bound: bound, Limit: fmt.Sprint(limit), used: fmt.Sprint(used), positions: m.where()}
}
