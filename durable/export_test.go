package durable

import (
	"time"

	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// StateOf is the state of a run with one wait.
func StateOf(outcome round.Outcome, wakes time.Time, waits []people.Question, answered bool) State {
	r := newReading("run")
	r.state.Rounds, r.state.Outcome, r.state.Last = 1, outcome, time.Now().Add(-2*time.Hour)
	r.Timers["wait"], r.Open, r.Answered = records.Timer{Until: wakes}, waits, answered
	return r.whole()
}
