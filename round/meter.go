package round

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/llm"
)

// meter sees every call that agents make in a Round, through the interceptors in the context: it counts them, refuses
// them when a bound is reached, and records them for the step. Handles may call from several goroutines.
type meter struct {
	*scrubber
	options *atomic.Pointer[options]
	session *checkpoint.Used // in all rounds of the session; nil: the round is in none
	where   func() []string  // the last positions, the current one included
	id      identity         // of the round
	watched bool             // somebody reads steps, so record and read the clock

	// Owned by the goroutine that drives the round.
	step        Step
	transitions int
	started     time.Time
	touched     bool // any step used anything
	open        bool // between begin and finish

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
	kept    bool      // the record is of a step that did not move yet
	tries   int       // how often the state was handled for this step
	waits   []toShow  // what this attempt asked, and has no answer to yet
	wakes   time.Time // when the first of the timers of this attempt is over; zero: it waits for none
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
	repairs  []llm.Repair
	refused  []string
	verdicts []Verdict
	commands []Command
	asks     []askedFor
	phases   []Phase
}

// attempt is what one call of Handle met.
type attempt struct {
	sent      bool // a command that does not only look, or an effect that no journal gave back
	disturbed bool // the end of the context reached a call
}

// undisturbed reports whether neither a bound nor the end of the context cut off a call of the Handle. If it returned
// nil, the Round keeps what it decided: its agent may have noted what came of it. See ADR 0011.
func (m *meter) undisturbed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trip == nil && !m.attempt.disturbed
}

// acted reports whether this attempt sent a command that does not only look.
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
	m.attempt, m.waits, m.wakes = attempt{}, nil, time.Time{}
	if m.kept { // what an interrupted attempt did belongs to the step that comes of it
		if m.kept = false; m.watched && m.started.IsZero() {
			m.started = time.Now() // it began in another process
		}
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

// finish ends a step, and reports whether there is something to fold. A step that did
// not move is none, but what it used counts.
func (m *meter) finish(moved bool) bool {
	if !m.open {
		return false // stopped before the step began
	}
	m.open = false
	if moved {
		m.transitions++
	}
	return m.watched || m.used.Load()
}

// fold folds the record into the step of agent, which stayed where it was, or not.
func (m *meter) fold(moved bool, agent fsm.Agent, stayed bool) {
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
		if m.session != nil {
			m.session.Steps++
		}
	}
	m.repeats.end(agent.Name(), stayed)
}

// note adds what was used, and what is known of the step.
func (m *meter) note(c *Checkpoint) {
	c.Used, c.Session = m.total()
	m.mu.Lock()
	defer m.mu.Unlock()
	c.Last = m.repeats.last
	for agent, seen := range m.repeats.seen {
		c.Repeats = append(c.Repeats, checkpoint.Repeat{Agent: agent, Mark: seen.mark, Times: seen.times})
	}
	if c.Event == checkpoint.Stopped && m.kept {
		c.Attempt = &checkpoint.Attempt{
			Tries: m.tries, Calls: m.now.calls, Usage: m.now.usage, Cost: m.now.cost, Model: m.now.model,
			Acted: m.repeats.acted, Did: m.repeats.did, Saw: slices.Sorted(maps.Keys(m.repeats.saw)),
		}
	}
}

// restore gives the meter what was used.
func (m *meter) restore(c *Checkpoint) {
	m.transitions, m.steps, m.calls, m.usage, m.cost = c.Used.Transitions, c.Used.Steps, c.Used.Calls, c.Used.Usage, c.Used.Cost
	m.repeats.last, m.repeats.seen = c.Last, map[string]*repeat{}
	for _, n := range c.Repeats {
		m.repeats.seen[n.Agent] = &repeat{mark: n.Mark, times: n.Times}
	}
	if now := c.Attempt; now != nil {
		m.tries, m.kept = now.Tries, true
		m.now.calls, m.now.usage, m.now.cost, m.now.model = now.Calls, now.Usage, now.Cost, now.Model
		m.repeats.acted, m.repeats.did = now.Acted, now.Did
		for _, mark := range now.Saw {
			m.repeats.add(deed{looks: true, mark: mark})
		}
		m.used.Store(true)
	}
}
