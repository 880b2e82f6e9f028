package round

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// LineVersion is the version of the lines that [JSONL] writes. It is raised
// when a field changes its meaning or goes; new fields do not raise it.
const LineVersion = 1

// line is a step as one line of JSON.
type line struct {
	Version   int             `json:"v"`
	Seq       int             `json:"seq"`
	Agent     string          `json:"agent"`
	Kind      string          `json:"kind"`
	From      fsm.Status      `json:"from"`
	NextAgent string          `json:"next_agent"`
	NextKind  string          `json:"next_kind"`
	To        fsm.Status      `json:"to"`
	By        fsm.Cause       `json:"by"`
	Reason    string          `json:"reason,omitempty"`
	Attempts  int             `json:"attempts,omitempty"` // only when more than 1
	Calls     int             `json:"calls,omitempty"`
	Usage     llm.Usage       `json:"usage,omitzero"`
	Cost      float64         `json:"cost,omitempty"`
	Model     string          `json:"model,omitempty"`
	Decision  json.RawMessage `json:"decision,omitempty"`
	Repairs   []Repair        `json:"repairs,omitempty"`
	Refused   []string        `json:"refused,omitempty"`
	Verdicts  []Verdict       `json:"verdicts,omitempty"`
	Commands  []Command       `json:"commands,omitempty"`
	Asks      []Ask           `json:"asks,omitempty"`
	Progress  Progress        `json:"progress,omitzero"`
	Started   time.Time       `json:"started,omitzero"`
	Duration  time.Duration   `json:"ns"`
	Phases    []Phase         `json:"phases,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// MarshalJSON writes the step as [JSONL] does.
func (s Step) MarshalJSON() ([]byte, error) {
	l := line{
		Version: LineVersion, Seq: s.Seq,
		Agent: s.Agent, Kind: s.Kind, From: s.From,
		NextAgent: s.NextAgent, NextKind: s.NextKind, To: s.To,
		By: s.By, Reason: s.Reason,
		Calls: s.Calls, Usage: s.Usage, Cost: s.Cost, Model: s.Model,
		Decision: s.Decision, Repairs: s.Repairs, Refused: s.Refused, Progress: s.Progress, Verdicts: s.Verdicts, Commands: s.Commands, Asks: s.Asks,
		Started: s.Started, Duration: s.Duration, Phases: s.Phases,
	}
	if s.Attempts > 1 {
		l.Attempts = s.Attempts
	}
	if s.Err != nil {
		l.Error = s.Err.Error()
	}
	return json.Marshal(l)
}

// JSONL returns an observer that writes each step as one line of JSON, with
// one Write for each. Secrets and image bytes are left out already. It panics
// when a write fails, which the Round makes a fault: a run whose record cannot
// be kept does not go on as if it were. It is safe for concurrent use, so that
// several rounds may share a file.
func JSONL(w io.Writer) func(Step) {
	var mu sync.Mutex
	return func(s Step) {
		text, err := json.Marshal(s)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			_, err = w.Write(append(text, '\n'))
		}
		if err != nil {
			panic(err)
		}
	}
}
