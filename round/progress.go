package round

import "github.com/agentfsm/agentfsm/fsm"

// Progress is how far a round is: it counts the sub-tasks, from the blackboard.
// Where nobody opens any it is zero. The sub-tasks themselves are in the Result.
type Progress struct {
	Opened   int    `json:"opened"`            // so far, closed ones included
	Finished int    `json:"finished"`          // closed as FINISH
	Failed   int    `json:"failed"`            // closed as anything else
	Planned  int    `json:"planned,omitempty"` // not opened yet, as the first agent says, if it is a fsm.Planner
	Current  string `json:"current,omitempty"` // id of the open one, "" between two
}

// progress counts what the blackboard has of this round, and what the first agent
// plans. One that panics plans nothing: how far a round is must not make it fail.
func (r *Round) progress() Progress {
	counts := r.board.Progress(r.first)
	p := Progress{Opened: counts.Total, Finished: counts.Finished, Failed: counts.Failed, Current: counts.Current}
	if planner, ok := r.pos.start.(fsm.Planner); ok && r.pos.begun {
		_ = guard(func() error {
			p.Planned = planner.Planned()
			return nil
		})
	}
	return p
}
