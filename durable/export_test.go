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
	r.timers["wait"], r.open, r.answered = records.Timer{Until: wakes}, waits, answered
	return r.whole()
}

// EachStepSnapshot has every step followed by a snapshot, until the func that it returns is called.
func EachStepSnapshot() (again func()) {
	each, smallest := snapshotEach, snapshotSmall
	snapshotEach, snapshotSmall = 0, true
	return func() { snapshotEach, snapshotSmall = each, smallest }
}

// SnapshotAfter has a snapshot come after so many bytes. undo ends that.
func SnapshotAfter(bytes int) (undo func()) {
	was := snapshotBytes
	snapshotBytes = bytes
	return func() { snapshotBytes = was }
}
