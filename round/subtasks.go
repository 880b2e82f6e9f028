package round

import (
	"errors"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// closeSubtasks ends the sub-tasks that are open when the round is over: it ended, or was given up. This is the one
// place where a round does that, and it says how they ended. An agent that opens sub-tasks is told, and keeps its own
// account of them; what no such agent has opened is closed on the blackboard.
func (r *Round) closeSubtasks(res Result) error {
	status, reason := res.Status, res.Reason
	if res.Outcome == Finished {
		// The round has its answer, but nobody said that this was done.
		status, reason = fsm.Fail, "the request ended before this sub-task"
	}
	var errs []error
	for _, agent := range r.pos.innermostFirst() {
		if opened, ok := agent.(fsm.SubtaskCloser); ok {
			errs = append(errs, guard(func() error { return opened.CloseSubtasks(status, reason) }))
		}
	}
	for _, s := range since(r.board.Subtasks(), r.first) {
		if s.Status != "" {
			continue
		}
		if err := r.board.Close(s.ID, string(status), nil, reason); err != nil {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, r.board.Delete(boarddata.CurrentSubtask))
	}
	return errors.Join(errs...)
}

// since returns the sub-tasks behind the first n. There are fewer where somebody
// put an older state of the blackboard back.
func since(all []blackboard.Subtask, n int) []blackboard.Subtask { return all[min(n, len(all)):] }

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
	counts := r.board.Inside().Progress(r.first)
	p := Progress{Opened: counts.Total, Finished: counts.Finished, Failed: counts.Failed, Current: counts.Current}
	if planner, ok := r.pos.start.(fsm.Planner); ok && r.pos.begun {
		_ = guard(func() error {
			p.Planned = planner.Planned()
			return nil
		})
	}
	return p
}
