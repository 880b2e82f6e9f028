package round

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// meter sees every call that agents make in a Round, through the interceptors
// in the context: it counts them, refuses them when a bound is reached, and
// records them for the step. Handles may call from several goroutines.
type meter struct {
	scrubber
	round   *Round
	watched bool // somebody reads steps, so record and read the clock

	// Owned by the goroutine that drives the round.
	step        Step
	transitions int
	started     time.Time
	touched     bool     // any step used anything
	open        bool     // between begin and finish
	from        *Options // what limit was made of
	limit       bounds

	used atomic.Bool // something below changed in this step
	mu   sync.Mutex  // guards what follows
	record
	trip    *BudgetError
	steps   int
	calls   int
	usage   llm.Usage
	cost    float64
	repeats repeats
	attempt attempt
	kept    bool     // the record is of a step that did not move yet
	tries   int      // how often the state was handled for this step
	waits   []toShow // what this attempt asked, and has no answer to yet
}

// record is what one step did.
type record struct {
	now struct {
		calls    int
		usage    llm.Usage
		cost     float64
		model    string
		decision any
	}
	repairs  []Repair
	refused  []string
	verdicts []Verdict
	commands []Command
	asks     []askedFor
	phases   []Phase
}

// attempt is what one call of Handle met.
type attempt struct {
	acted     bool // a command that is not data collection was answered
	sent      bool // … or sent
	disturbed bool // the end of the context reached a call
}

// undisturbed reports whether a Handle that returned without an error did
// something that must not be repeated, and was done before its context ended.
// The Round then keeps its result for going on, instead of handling again.
func (m *meter) undisturbed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trip == nil && m.attempt.acted && !m.attempt.disturbed
}

// acted reports whether this attempt sent a command that is not data collection.
func (m *meter) acted() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.attempt.sent
}

// disturb notes that a call ended because the context did.
func (m *meter) disturb(ctx context.Context, err error) {
	if err == nil || ctx.Err() == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.attempt.disturbed = true
}

func (m *meter) reset(watched bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watched = watched
	m.trip = nil
}

// What follows is asked in every step. Each has a short way, for a step that
// called nothing and that nobody watches, which the compiler can inline.

// bounds returns the bounds in force, computed once for each set of options.
func (m *meter) bounds() *bounds {
	if o := m.round.options.Load(); o != m.from {
		m.from, m.limit = o, o.bounds()
	}
	return &m.limit
}

// begin starts the record of a step.
func (m *meter) begin() {
	m.open = true
	if m.watched || m.used.Load() {
		m.renew()
	}
}

func (m *meter) renew() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.watched {
		m.step = Step{}
	}
	m.attempt, m.waits = attempt{}, nil
	if m.kept { // what an interrupted attempt did belongs to the step that comes of it
		m.kept = false
		return
	}
	if m.watched {
		m.started = time.Now()
	}
	m.used.Store(false)
	m.tries = 0
	m.record = record{}
	m.repeats.begin()
}

// finish folds the record into the step. A step that did not move is none, but
// what it used counts.
func (m *meter) finish(moved bool) {
	if !m.open {
		return // stopped before the step began
	}
	m.open = false
	if moved {
		m.transitions++
	}
	if m.watched || m.used.Load() {
		m.fold(moved)
	}
}

func (m *meter) fold(moved bool) {
	m.step.Seq = m.transitions
	if !m.used.Load() {
		return
	}
	m.touched = true
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept = !moved
	if !moved {
		return
	}
	if m.now.calls > 0 {
		m.steps++
		if s := m.round.session; s != nil {
			s.used.steps++
		}
	}
	last := m.round.history.last()
	m.repeats.end(last.agent.Name(), last.bound.Status() == m.round.bound.Status())
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
		return m.round.budgetError("MaxTransitions", b.transitions, m.transitions)
	}
	if !m.touched && m.round.session == nil {
		return nil // nothing was used yet: the rest cannot have been reached
	}
	return m.checkUsed(b)
}

func (m *meter) checkUsed(b *bounds) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := m.repeats.last; b.repeats >= 0 && n >= b.repeats {
		return m.round.budgetError("MaxRepeats", b.repeats, n)
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
		return m.round.budgetError("MaxTokens", b.tokens, m.usage.Total())
	case b.cost >= 0 && m.cost >= b.cost:
		return m.round.budgetError("MaxCost", b.cost, m.cost)
	}
	if s := m.round.session; s != nil {
		return s.spentUp(m.round, m.round.options.Load())
	}
	return nil
}

// checkCall is asked before each model call.
func (m *meter) checkCall(ctx context.Context) error {
	if ctx.Err() != nil {
		m.disturb(ctx, ctx.Err())
		return context.Cause(ctx)
	}
	b := m.round.options.Load().bounds()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if m.trip == nil {
		switch s := m.round.session; {
		case m.now.calls > 0:
		case b.steps >= 0 && m.steps >= b.steps:
			m.trip = m.round.budgetError("MaxSteps", b.steps, m.steps)
		case s != nil:
			m.trip = s.stepsUp(m.round, m.round.options.Load())
		}
	}
	if m.trip == nil && b.calls >= 0 && m.calls >= b.calls {
		m.trip = m.round.budgetError("MaxCalls", b.calls, m.calls)
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

// called records what a model call used.
func (m *meter) called(resp *llm.Response) { m.bill(resp, false) }

// bill counts what a model call used; past: in an earlier round.
func (m *meter) bill(resp *llm.Response, past bool) {
	if resp == nil {
		return
	}
	m.mu.Lock()
	var usage llm.Usage // by the bill: a model that reports less than nothing gives nothing back
	for part := range resp.Bill() {
		usage = usage.Add(part.Usage)
	}
	if !past {
		m.used.Store(true)
		m.usage, m.now.usage = m.usage.Add(usage), m.now.usage.Add(usage)
		if resp.Model != "" {
			m.now.model = resp.Model
		}
	}
	if s := m.round.session; s != nil {
		s.used.usage = s.used.usage.Add(usage)
	}
	m.mu.Unlock()
	price := m.round.options.Load().Price
	if price == nil {
		return
	}
	for part := range resp.Bill() { // attempts of several models are one call
		cost := price(part.Model, part.Usage) // may panic, and holds up nobody
		if !(cost >= 0) || math.IsInf(cost, 0) {
			// No bound would hold with it; as a panic it is a fault of this step.
			panic(fmt.Errorf("round: Options.Price returned %v for %q", cost, part.Model))
		}
		m.paid(cost, past)
	}
}

func (m *meter) paid(cost float64, past bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !past {
		m.cost, m.now.cost = add(m.cost, cost), add(m.now.cost, cost)
	}
	if s := m.round.session; s != nil {
		s.used.cost = add(s.used.cost, cost)
	}
}

// add returns the sum, or the largest number: infinity has no JSON form.
func add(a, b float64) float64 { return min(a+b, math.MaxFloat64) }
