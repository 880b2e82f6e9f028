package round

import (
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// What the packages that do a step report of it: the methods of trace.Sink and trace.Hider.

// Timed reports whether somebody reads steps.
func (m *meter) Timed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.watched
}

// Phase records a phase that ran.
func (m *meter) Phase(name string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.phases = append(m.phases, Phase{Name: name, Duration: took})
}

// Decision records a decision that passed its checks.
func (m *meter) Decision(v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.now.decision = v
}

// Repaired records what was repaired in a reply.
func (m *meter) Repaired(repairs []llm.Repair) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if !m.watched {
		return
	}
	m.repairs = append(m.repairs, repairs...)
}

// Refused records what was wrong with a reply.
func (m *meter) Refused(problem error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if m.watched {
		m.refused = append(m.refused, textOf(problem))
	}
}

// Verdict records a policy's word.
func (m *meter) Verdict(v trace.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.verdicts = append(m.verdicts, Verdict(v))
}

// Secrets makes values known that must be shown nowhere.
func (s *scrubber) Secrets(masked desktop.Command, original desktop.Command, values []string) {
	s.secrets.add(masked, original, values)
}

// Hide is the method of trace.Hider: what the tools' schemas mark as secret is gone.
// Options.Redact is for records; a person who decides sees what it takes out of them.
func (s *scrubber) Hide(text string) string { return s.secrets.scrub(text) }
