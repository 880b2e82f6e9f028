package round

import (
	"errors"
	"maps"
	"slices"

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
	for _, agent := range r.innermostFirst() {
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

// innermostFirst returns the agents of the round, whoever handed over behind whom it
// handed over to: what the first agent says of all sub-tasks is said last. Agents that
// another round drives now are not this round's any more.
func (r *Round) innermostFirst() []fsm.Agent {
	if !r.begun || r.stillOurs() != nil {
		return nil
	}
	at := append(slices.Clone(r.stack), r.agent)
	slices.Reverse(at)
	var gone []fsm.Agent
	for _, name := range slices.Sorted(maps.Keys(r.names)) {
		if agent := r.names[name]; !slices.Contains(at, agent) {
			gone = append(gone, agent)
		}
	}
	return append(gone, at...)
}

// since returns the sub-tasks behind the first n. There are fewer where somebody
// put an older state of the blackboard back.
func since(all []blackboard.Subtask, n int) []blackboard.Subtask { return all[min(n, len(all)):] }
