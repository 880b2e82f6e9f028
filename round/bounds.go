package round

import (
	"context"
	"fmt"
	"math"
	"time"
)

// options are Options, and the same with the defaults of the bounds; there -1 is none.
type options struct {
	Options
	filled Options
}

func newOptions(given Options) *options {
	o := &options{given, given}
	f := &o.filled
	f.MaxSteps = fill(f.MaxSteps, defaultMaxSteps)
	calls := -1
	if f.MaxSteps >= 0 && f.MaxSteps <= math.MaxInt/defaultCallsOfAStep {
		calls = f.MaxSteps * defaultCallsOfAStep
	}
	f.MaxCalls = fill(f.MaxCalls, calls)
	f.MaxTransitions = fill(f.MaxTransitions, defaultMaxTransitions)
	f.MaxRepeats = fill(f.MaxRepeats, defaultMaxRepeats)
	f.MaxTokens = fill(f.MaxTokens, -1)
	f.MaxCost = fill(f.MaxCost, -1)
	f.MaxDuration = fill(f.MaxDuration, -1)
	f.CallTimeout = fill(f.CallTimeout, defaultCallTimeout)
	f.MaxSessionSteps = fill(f.MaxSessionSteps, -1)
	f.MaxSessionTokens = fill(f.MaxSessionTokens, -1)
	f.MaxSessionCost = fill(f.MaxSessionCost, -1)
	return o
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
	b := &m.options.Load().filled
	if b.MaxTransitions >= 0 && m.transitions >= b.MaxTransitions {
		return m.budgetError("MaxTransitions", b.MaxTransitions, m.transitions)
	}
	if !m.touched && m.session == nil {
		return nil // nothing was used yet: the rest cannot have been reached
	}
	return m.checkUsed(b)
}

func (m *meter) checkUsed(b *Options) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := m.repeats.last; b.MaxRepeats >= 0 && n >= b.MaxRepeats {
		return m.budgetError("MaxRepeats", b.MaxRepeats, n)
	}
	if err := m.spentUp(b); err != nil {
		return err
	}
	return nil
}

// spentUp checks tokens and cost, of the round and of its session.
func (m *meter) spentUp(b *Options) *BudgetError {
	switch {
	case b.MaxTokens >= 0 && m.usage.Total() >= b.MaxTokens:
		return m.budgetError("MaxTokens", b.MaxTokens, m.usage.Total())
	case b.MaxCost >= 0 && m.cost >= b.MaxCost:
		return m.budgetError("MaxCost", b.MaxCost, m.cost)
	case m.session == nil:
	case b.MaxSessionTokens >= 0 && m.session.Usage.Total() >= b.MaxSessionTokens:
		return m.budgetError("MaxSessionTokens", b.MaxSessionTokens, m.session.Usage.Total())
	case b.MaxSessionCost >= 0 && m.session.Cost >= b.MaxSessionCost:
		return m.budgetError("MaxSessionCost", b.MaxSessionCost, m.session.Cost)
	}
	return nil
}

// checkCall is asked before each model call.
func (m *meter) checkCall(ctx context.Context) error {
	if ctx.Err() != nil {
		m.disturb(ctx, ctx.Err())
		return context.Cause(ctx)
	}
	b := &m.options.Load().filled
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if m.trip == nil {
		switch {
		case m.now.calls > 0:
		case b.MaxSteps >= 0 && m.steps >= b.MaxSteps:
			m.trip = m.budgetError("MaxSteps", b.MaxSteps, m.steps)
		case m.session != nil && b.MaxSessionSteps >= 0 && m.session.Steps >= b.MaxSessionSteps:
			m.trip = m.budgetError("MaxSessionSteps", b.MaxSessionSteps, m.session.Steps)
		}
	}
	if m.trip == nil && b.MaxCalls >= 0 && m.calls >= b.MaxCalls {
		m.trip = m.budgetError("MaxCalls", b.MaxCalls, m.calls)
	}
	if m.trip == nil {
		m.trip = m.spentUp(b)
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
