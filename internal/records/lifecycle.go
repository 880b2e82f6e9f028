package records

import (
	"encoding/json"
	"time"

	"github.com/agentfsm/agentfsm/round"
)

// OfStage reports whether a record says what somebody wants of the run, and nothing of what the run did.
func (n *Record) OfStage() bool {
	switch n.Kind {
	case KindStart, KindCancel, KindPostpone, KindRetry, KindDrive, KindLeave:
		return true
	}
	return false
}

// Start is what is wanted of a run.
type Start struct {
	Request string          `json:"request"`
	Meta    json.RawMessage `json:"meta,omitempty"`
	Bounds  Bounds          `json:"bounds,omitzero"`
}

// Cancel says why nobody wants the run any more.
type Cancel struct {
	Reason string `json:"reason,omitempty"`
}

// Postpone says why the run could not go on, and when to try again.
type Postpone struct {
	Reason string    `json:"reason"`
	Until  time.Time `json:"until,omitzero"` // zero: not before a Retry
}

// Died is the reason of a run that somebody began to drive and got nowhere with.
const Died = "the process that drove the run died"

// Left is the reason of a run that somebody left to others: it was not interrupted.
const Left = "left to whoever drives it next"

// Retry says that the run is to be tried again.
type Retry struct {
	Bounds *Bounds `json:"bounds,omitempty"` // its new ones; nil: as before
}

// Bounds are those of a run: the fields of a round.Options with these names.
type Bounds struct {
	MaxSteps         int           `json:"max_steps,omitempty"`
	MaxCalls         int           `json:"max_calls,omitempty"`
	MaxTransitions   int           `json:"max_transitions,omitempty"`
	MaxRepeats       int           `json:"max_repeats,omitempty"`
	MaxTokens        int           `json:"max_tokens,omitempty"`
	MaxCost          float64       `json:"max_cost,omitempty"`
	MaxDuration      time.Duration `json:"max_duration,omitempty"`
	MaxSessionSteps  int           `json:"max_session_steps,omitempty"`
	MaxSessionTokens int           `json:"max_session_tokens,omitempty"`
	MaxSessionCost   float64       `json:"max_session_cost,omitempty"`
}

// BoundsOf returns the bounds of options.
func BoundsOf(o *round.Options) Bounds {
	return Bounds{
		MaxSteps: o.MaxSteps, MaxCalls: o.MaxCalls, MaxTransitions: o.MaxTransitions, MaxRepeats: o.MaxRepeats,
		MaxTokens: o.MaxTokens, MaxCost: o.MaxCost, MaxDuration: o.MaxDuration,
		MaxSessionSteps: o.MaxSessionSteps, MaxSessionTokens: o.MaxSessionTokens, MaxSessionCost: o.MaxSessionCost,
	}
}

// Set makes the bounds those of options.
func (b Bounds) Set(o *round.Options) {
	o.MaxSteps, o.MaxCalls, o.MaxTransitions, o.MaxRepeats = b.MaxSteps, b.MaxCalls, b.MaxTransitions, b.MaxRepeats
	o.MaxTokens, o.MaxCost, o.MaxDuration = b.MaxTokens, b.MaxCost, b.MaxDuration
	o.MaxSessionSteps, o.MaxSessionTokens, o.MaxSessionCost = b.MaxSessionSteps, b.MaxSessionTokens, b.MaxSessionCost
}
