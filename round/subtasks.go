package round

import (
	"errors"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
)

// closeSubtasks ends the sub-tasks that are open when the round is over: it ended, or
// was given up. This is the one place where a round does that, and it says how they
// ended. An agent that opens sub-tasks is told, and keeps its own account of them;
// what no such agent has opened is closed on the blackboard.
func (r *Round) closeSubtasks(res Result) error {
	status, reason := res.Status, res.Reason
	if res.Outcome == Finished {
		// The round has its answer, but nobody said that this was done.
		status, reason = fsm.Fail, "the round ended before it"
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
		errs = append(errs, r.board.Delete(blackboard.CurrentSubtask.Name()))
	}
	return errors.Join(errs...)
}

// since returns the sub-tasks behind the first n. There are fewer where somebody
// put an older state of the blackboard back.
func since(all []blackboard.Subtask, n int) []blackboard.Subtask { return all[min(n, len(all)):] }
