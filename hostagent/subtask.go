package hostagent

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
)

// closeSubtask records how the sub-task ended that was handed over, when
// control is back.
func (a *Agent) closeSubtask(ctx context.Context) error {
	if a.data.Open != "" && a.active == nil { // the host was restored in the meantime
		worker, err := a.worker(ctx, a.data.Chosen)
		if err != nil {
			return err
		}
		a.active = worker
	}
	open := a.data.Open != ""
	if err := a.CloseSubtask(); err != nil {
		return err
	}
	if open && a.cfg.MaxReplans >= 0 && a.data.Failures > a.cfg.MaxReplans {
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
}

// CloseSubtask records on the blackboard how the sub-task ended that was handed
// over; without one it does nothing. CONTINUE does it first. A Round that is
// given up between the return of control and that step calls it, so that a
// finished sub-task is not taken for an interrupted one.
func (a *Agent) CloseSubtask() error {
	worker := a.active
	if a.data.Open == "" || worker == nil {
		return nil
	}
	status, reason := worker.Status(), worker.Decision().Reason
	switch end := worker.States().Bind(status); {
	case !end.Terminal():
		status, reason = fsm.Fail, fmt.Sprintf("it was interrupted in %s", status)
	case end.IsSuccess():
		status = fsm.Finish // whatever its kind calls a success
	}
	if err := a.cfg.Board.Close(a.data.Open, string(status), resultOf(worker, status), reason); err != nil {
		return err
	}
	id := a.data.Open
	a.data.Open, a.data.Chosen, a.active, a.data.Did = "", nil, nil, true
	if err := a.cfg.Board.Delete(blackboard.CurrentSubtask.Name()); err != nil {
		return err
	}
	if p, planned := a.data.Plan.Close(id, status == fsm.Finish); planned {
		if err := a.setPlan(p); err != nil {
			return err
		}
	}
	if err := a.progress(); err != nil {
		return err
	}
	if status == fsm.Finish {
		a.data.Failures, a.data.LastError = 0, ""
		return nil
	}
	a.data.Failures++
	a.data.LastError = fmt.Sprintf("%s ended in %s: %s", id, status, reason)
	return nil
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

// progress writes how far the request has come.
func (a *Agent) progress() error {
	p := blackboard.Progress{Current: a.data.Open}
	for _, s := range a.Subtasks() {
		p.Total++
		switch s.Status {
		case "":
		case string(fsm.Finish):
			p.Finished++
		default:
			p.Failed++
		}
	}
	return blackboard.TaskProgress.Put(a.cfg.Board, p)
}
