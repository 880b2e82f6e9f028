package deciding_test

import (
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

type decision struct {
	Status fsm.Status
	Count  int `json:"Count,omitempty"`
}

var allowed = []fsm.Status{fsm.Continue, fsm.Finish}

var errBroken = errors.New("broken")

// sink keeps what a step reports, as a Round does.
type sink struct {
	untimed   bool
	decisions []any
	repairs   []llm.Repair
	refused   []string
}

func (s *sink) Timed() bool                                 { return !s.untimed }
func (*sink) Phase(string, time.Duration)                   {}
func (s *sink) Decision(v any)                              { s.decisions = append(s.decisions, v) }
func (s *sink) Repaired(repairs []llm.Repair)               { s.repairs = append(s.repairs, repairs...) }
func (s *sink) Refused(problem error)                       { s.refused = append(s.refused, problem.Error()) }
func (*sink) Verdict(trace.Verdict)                         {}
func (*sink) Secrets(_, _ desktop.Command, values []string) {}
