package round

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/proof"
)

// end makes the result of a round that is over, and closes what is open.
func (r *Round) end() error {
	status := r.pos.bound.Status()
	reason := r.pos.agent.Decision().Reason
	res := Result{Outcome: Failed, Status: status}
	cause := r.fault
	switch {
	case r.lost != nil:
		return r.losing()
	case r.fault != nil, status == fsm.Error:
		res.Outcome = Faulted
	case r.pos.bound.IsSuccess():
		res.Outcome = Finished
		res.Answer, cause = r.answer()
	}
	res.Reason = r.scrubber.brief(reason)
	if cause == nil {
		cause = r.closeSubtasks(res)
	}
	if cause == nil {
		cause = r.prove(&res)
	}
	if cause != nil {
		// Whatever was reached: something that failed is no success.
		res.Outcome, res.Status, res.Answer = Faulted, fsm.Error, ""
		res.Reason = r.scrubber.brief(textOf(cause))
		res.Partial = nil
		cause = errors.Join(cause, r.closeSubtasks(res), r.prove(&res))
	}
	if res.Outcome == Finished && len(res.Partial) > 0 && r.options.Load().RequireAll {
		res.Outcome, res.Answer, cause = Failed, "", ErrPartial
		res.Reason = r.scrubber.brief(fmt.Sprintf("not done: %q: %s", res.Partial[0].Task, cmp.Or(res.Partial[0].Reason, res.Partial[0].Status)))
	}
	if res.Outcome != Finished {
		res.Verified = nil
		res.Err = r.outcomeError(res.Outcome, res.Status, res.Reason, cause)
	}
	r.seal(res)
	return res.Err
}

// prove asks the first agent how far its answer can be trusted.
func (r *Round) prove(res *Result) error {
	prover, ok := r.pos.start.(proof.Prover)
	if !ok || !r.pos.begun {
		return nil
	}
	return guard(func() error {
		for _, undone := range prover.Partial() {
			undone.ID, undone.Task, undone.Reason = r.scrubber.brief(undone.ID), r.scrubber.brief(undone.Task), r.scrubber.brief(undone.Reason)
			res.Partial = append(res.Partial, undone)
		}
		if found := prover.Verified(); found != nil {
			shown := *found
			shown.By, shown.Evidence = r.scrubber.brief(shown.By), r.scrubber.brief(shown.Evidence)
			res.Verified = &shown
		}
		return nil
	})
}

// losing makes the result of a round that cannot be recorded any more. It lives on in
// its record as far as that goes, and nothing is closed.
func (r *Round) losing() error {
	// Where the record has it, which may be a step behind.
	res := Result{Outcome: Lost, Status: r.pos.bound.Status(), Reason: r.scrubber.brief(textOf(r.lost))}
	name := r.pos.agent.Name()
	if at := r.recorded; at.Agent != "" {
		name, res.Status = at.Agent, at.Status
	}
	res.Err = r.errorAt(name, res.Outcome, res.Status, res.Reason, r.lost)
	r.seal(res)
	r.result.Agent = named(r.scrubber.scrub(name))
	return res.Err
}

// answer asks the first agent for its answer: a round that finished has come back to it.
func (r *Round) answer() (text string, err error) {
	err = guard(func() error {
		text = r.pos.start.Answer()
		return nil
	})
	return text, err
}

// stop makes the result of a round that can go on.
func (r *Round) stop(ctx context.Context, cause error) error {
	outcome := Cancelled
	waits, waiting := cause.(waitError) //nolint:errorlint // made by advance, as it is
	switch {
	case waiting: // even for a bound of another round
		outcome, cause = Suspended, waits.error
	case isOwn(cause):
		outcome = OverBudget
	case ctx.Err() == nil:
		outcome = Suspended
	case !errors.Is(cause, ctx.Err()):
		// A cause of its own: both are to be found.
		cause = fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	r.result = Result{Outcome: outcome, Reason: r.scrubber.brief(textOf(cause))}
	if outcome == Suspended {
		r.result.Waits, r.result.Wakes = r.meter.waiting(), r.meter.waking()
		switch n := len(r.result.Waits); n { // for the page that a person answers on
		case 0:
		case 1:
			r.result.Reason = r.scrubber.brief("waiting for an answer to: " + r.result.Waits[0].Text)
		default:
			r.result.Reason = r.scrubber.brief(fmt.Sprintf("waiting for %d answers, first to: %s", n, r.result.Waits[0].Text))
		}
	}
	r.result.Err = r.outcomeError(outcome, r.pos.bound.Status(), r.result.Reason, cause)
	return r.result.Err
}

// outcomeError renders its text once, without secrets: causes keep theirs. A
// program prints it, and the reason may be a model's: no terminal obeys it.
func (r *Round) outcomeError(o Outcome, status fsm.Status, reason string, cause error) *Error {
	return r.errorAt(r.pos.agent.Name(), o, status, reason, cause)
}

// wouldSucceed is for a round that ended in a status of a name of its own: whoever wrote
// DONE for a success learns how to say so.
func (r *Round) wouldSucceed() string {
	good := successes(r.pos.agent.States())
	if len(good) == 0 {
		return "no end of its table is a success"
	}
	words := make([]string, len(good))
	for i, s := range good {
		words[i] = string(s)
	}
	return "a success would be " + strings.Join(words, " or ")
}

// successes returns the statuses in which to end is a success.
func successes(set fsm.Set) []fsm.Status {
	return slices.DeleteFunc(set.Statuses(), func(s fsm.Status) bool { return !set.Bind(s).IsSuccess() })
}

func (r *Round) errorAt(agent string, o Outcome, status fsm.Status, reason string, cause error) *Error {
	agent = named(r.scrubber.scrub(agent))
	e := &Error{Outcome: o, Err: cause}
	e.text = o.sentinel().Error() + ": " + agentAt(agent, status)
	if reason != "" {
		e.text += ": " + reason
	}
	if o == Failed && status != fsm.Fail && !errors.Is(cause, ErrPartial) && r.pos.bound.Terminal() {
		e.text += " (" + r.wouldSucceed() + ")"
	}
	e.text = legible.Text(e.text)
	return e
}

// giveUp ends a round that could have gone on: another one has the agents now. What it left open is closed.
func (r *Round) giveUp() error {
	if !r.busy.CompareAndSwap(false, true) {
		return ErrBusy
	}
	defer r.busy.Store(false)
	if r.result.Outcome.final() {
		return nil
	}
	res := Result{Outcome: Failed, Status: r.pos.bound.Status(), Reason: "the round was given up"}
	if r.result.Reason != "" {
		res.Reason += ": " + r.result.Reason
	}
	err := r.closeSubtasks(Result{Status: fsm.Fail, Reason: res.Reason})
	err = errors.Join(err, r.prove(&res))
	res.Verified = nil
	res.Err = r.outcomeError(res.Outcome, res.Status, res.Reason, r.result.Err)
	r.seal(res)
	return err
}

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
