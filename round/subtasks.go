package round

import "github.com/agentfsm/agentfsm/blackboard"

// Subtasks counts the sub-tasks of a round, from its blackboard. Where nobody
// opens any it is zero.
type Subtasks struct {
	Opened   int    `json:"opened"`            // so far, closed ones included
	Finished int    `json:"finished"`          // closed as FINISH
	Failed   int    `json:"failed"`            // closed as anything else
	Planned  int    `json:"planned,omitempty"` // not opened yet, as the host's plan has them
	Current  string `json:"current,omitempty"` // id of the open one, "" between two
}

// subtasks counts what the blackboard has of this round. A plan that cannot be
// read counts nothing: how far a round is must not make it fail.
func (r *Round) subtasks() Subtasks {
	p := r.board.Progress(r.first)
	s := Subtasks{Opened: p.Total, Finished: p.Finished, Failed: p.Failed, Current: p.Current}
	if plan, _, err := blackboard.Plan.Get(r.board); err == nil {
		s.Planned = plan.Planned()
	}
	return s
}
