package round

import (
	"fmt"
	"math"

	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/llm"
)

// charge counts a call of the model, and returns what is used so far.
func (m *meter) charge(resp *llm.Response, past bool) (round, session checkpoint.Used) {
	if !past {
		m.mu.Lock()
		m.calls++
		m.mu.Unlock()
	}
	m.bill(resp, past)
	return m.total()
}

// total is what is used so far, in the round and in its session.
func (m *meter) total() (round, session checkpoint.Used) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.session != nil {
		session = *m.session
	}
	return checkpoint.Used{Transitions: m.transitions, Steps: m.steps, Calls: m.calls, Usage: m.usage, Cost: m.cost}, session
}

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
	if m.session != nil {
		m.session.Usage = m.session.Usage.Add(usage)
	}
	m.mu.Unlock()
	price := m.options.Load().Price
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
	if m.session != nil {
		m.session.Cost = add(m.session.Cost, cost)
	}
}

// add returns the sum, or the largest number: infinity has no JSON form.
func add(a, b float64) float64 { return min(a+b, math.MaxFloat64) }
