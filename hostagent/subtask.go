package hostagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/proof"
)

// What ends a sub-task. ASSIGN opens it, and it ends once:
//
//   - Control comes back, and CONTINUE ends it as its worker ended.
//   - Or the round is over first, and CloseSubtasks ends it as the round says; as the
//     worker ended, where that is back already.
//
// Both go through end, which writes it wherever it is kept.

// closeSubtask ends the sub-task that was handed over, when control is back.
func (a *Agent) closeSubtask(ctx context.Context) error {
	if a.data.Open == "" {
		return nil
	}
	if a.active == nil { // the host was restored in the meantime
		worker, err := a.worker(ctx, a.data.Chosen)
		if err != nil {
			return err
		}
		a.active = worker
	}
	if err := a.endAs(a.active); err != nil {
		return err
	}
	if most := a.cfg.replans(); most >= 0 && a.data.Failures > most {
		return fmt.Errorf("%w: %d; the last: %s", ErrReplans, a.data.Failures, a.data.LastError)
	}
	return nil
}

// Returned takes note of who came back with the sub-task that was handed over.
// A Round calls it. Mostly that is the agent of the application; where that one
// named another agent in its place, the other one's outcome counts.
func (a *Agent) Returned(by fsm.Agent) {
	if worker, ok := by.(fsm.Worker); ok {
		a.active = worker
	}
	a.back = a.active != nil
}

// CloseSubtasks ends the sub-task that is open, because the round is over: with the
// status and the reason of the round, or as its worker ended, where that came back
// and CONTINUE had no time to say so. A Round calls it.
func (a *Agent) CloseSubtasks(status fsm.Status, reason string) (err error) {
	defer func() { // also when that panics or fails, such as on a full blackboard
		if a.data.Open != "" {
			err = errors.Join(err, a.end(status, nil, reason))
		}
	}()
	if a.data.Open == "" || !a.back {
		return nil
	}
	return a.endAs(a.active)
}

// endAs ends the open sub-task as the worker ended that has it.
func (a *Agent) endAs(worker fsm.Worker) error {
	status, reason := worker.Status(), worker.Decision().Reason
	switch end := worker.States().Bind(status); {
	case !end.Terminal():
		status, reason = fsm.Fail, fmt.Sprintf("the agent stopped in %s, before it had finished", status)
	case end.IsSuccess():
		status = fsm.Finish // whatever its kind calls a success
	}
	if p, ok := worker.(proof.Prover); ok && status == fsm.Finish { // else the whole sub-task is left
		for _, undone := range p.Partial() {
			undone.ID = a.data.Open
			a.data.Inner = append(a.data.Inner, undone)
		}
	}
	return a.end(status, resultOf(worker, status), reason)
}

// end writes how the open sub-task ended: into the list of sub-tasks, the plan and
// the progress, and for the next prompt. Where somebody else closed it on the
// blackboard, that counts; where it is not there any more, an older blackboard was
// put back.
func (a *Agent) end(status fsm.Status, result json.RawMessage, reason string) error {
	id := a.data.Open
	switch err := a.cfg.Board.Close(id, string(status), result, reason); {
	case err == nil, errors.Is(err, blackboard.ErrNotFound):
	case errors.Is(err, blackboard.ErrClosed):
		for _, s := range a.cfg.Board.Subtasks() {
			if s.ID == id {
				status, reason = fsm.Status(s.Status), s.Reason
			}
		}
	default:
		return err
	}
	a.data.Open, a.data.Chosen, a.active, a.back, a.data.Did = "", nil, nil, false, true
	if status == fsm.Finish {
		a.data.Failures, a.data.LastError = 0, ""
	} else {
		a.data.Failures++
		a.data.LastError = fmt.Sprintf("%s ended in %s: %s", id, status, reason)
	}
	if err := a.cfg.Board.Delete(boarddata.CurrentSubtask); err != nil {
		return err
	}
	if p, planned := a.data.Plan.Close(id, status == fsm.Finish); planned {
		if err := a.setPlan(p); err != nil {
			return err
		}
	}
	return a.progress()
}

// resultOf is what a sub-task came to. Only a finished one has a result: what
// is left of an earlier task must not look like one.
func resultOf(worker fsm.Worker, status fsm.Status) json.RawMessage {
	if status != fsm.Finish {
		return nil
	}
	if d, ok := worker.(fsm.DataProvider); ok {
		if raw := d.Data(); len(raw) > 0 {
			return raw
		}
	}
	raw, err := json.Marshal(worker.Answer())
	if err != nil {
		return nil // a string always has a JSON form
	}
	return raw
}

var taskProgress = blackboard.NewKey[boarddata.Progress](boarddata.TaskProgress)

// progress writes how far the request has come.
func (a *Agent) progress() error {
	p := a.cfg.Board.Inside().Progress(a.data.First)
	p.Current = a.data.Open
	return taskProgress.Put(a.cfg.Board, p)
}
