package records

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/round"
)

// Round begins a round. Of its Checkpoint it has the request, where the first agent begins, and what
// was used in the rounds before.
type Round struct {
	round.Checkpoint
	Meta  json.RawMessage `json:"meta,omitempty"`  // of the first round: what a program needs to make its agents again
	Board json.RawMessage `json:"board,omitempty"` // likewise: all of the blackboard
	News  News            `json:"news,omitzero"`
}

// Step is where a round stands after a step, a stop or its end. What is as it was in the record
// before is left out of its Checkpoint.
type Step struct {
	round.Checkpoint
	News     News   `json:"news,omitzero"`
	Reported bool   `json:"reported,omitempty"`
	Waits    []Ask  `json:"waits,omitempty"` // questions that are open
	Err      *Error `json:"error,omitempty"` // of the result, or the fault that leads to it
}

// Outcome is that of the result; "" without one.
func (s *Step) Outcome() round.Outcome {
	if s.Result == nil {
		return round.Unfinished
	}
	return s.Result.Outcome
}
