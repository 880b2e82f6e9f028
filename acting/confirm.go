package acting

import (
	"context"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/people"
)

// Confirm asks for the approval that is waited for, or whether to go on, and executes
// nothing. An act whose target changed since it was decided is not asked about: the decision
// is then CONTINUE, BySystem, with the reason (No where by has a Yes of its own). What was
// answered in a step that was not taken is not asked again, as in Pending; only an approval
// is, because its target is looked at again.
func (w *Work) Confirm(ctx context.Context, by Asker, comment string) (fsm.Decision, error) {
	if decision, ok := w.settled(fsm.Confirm, comment); ok {
		return decision, nil
	}
	if w.Approval == nil {
		if w.GoOn == nil {
			w.GoOn = &GoOn{ID: makeID(by.NewID), Comment: comment}
		}
		decision, err := askToGoOn(ctx, by.User, w.GoOn.ID, by.Agent, w.GoOn.Comment, by.Timeout)
		decision = by.lead(decision)
		if err == nil {
			w.GoOn, w.Settled = nil, &Settled{decision, fsm.Confirm}
		}
		return decision, err
	}
	now := by.Look.at(ctx, w.Approval.Act)
	if ctx.Err() != nil { // a look that was interrupted says nothing
		return fsm.Decision{}, context.Cause(ctx)
	}
	if why := w.Approval.void(asking, now, nil); why != "" {
		decision := fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: why}
		if by.Yes != "" {
			decision = by.lead(fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: why}) // Yes is for what was approved
		}
		w.forgetApproval()
		w.Settled, w.LastError = &Settled{decision, fsm.Confirm}, why
		return decision, nil
	}
	decision, err := w.Approval.Ask(ctx, by.User, by.Agent, comment, by.Timeout)
	no := decision.To != fsm.Continue
	decision = by.lead(decision)
	if err == nil && no {
		w.forgetApproval()
		w.Settled = &Settled{decision, fsm.Confirm}
	}
	return decision, err
}

// Ask asks user to approve and returns where to go: CONTINUE, with Granted
// set, or FAIL with the reason, when the answer is no, does not come in time,
// nobody is there or asking failed. It returns an error when ctx is cancelled
// or the user suspends; then the same question is asked again on going on.
func (a *Approval) Ask(ctx context.Context, user people.User, agent, comment string, timeout time.Duration) (fsm.Decision, error) {
	a.Granted = false
	answer, err := people.Ask(ctx, user, a.question(agent, comment), timeout)
	denied := "not approved: " + a.Shown.ToolName
	if err != nil {
		return unansweredBecause(ctx, err, denied)
	}
	if !answer.Approved {
		return fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: because(denied, answer.Text)}, nil
	}
	if why := a.void(answered, a.Act, nil); why != "" {
		return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: why}, nil
	}
	a.Granted = true
	return fsm.Decision{To: fsm.Continue, By: fsm.ByUser, Reason: "approved: " + a.Shown.ToolName}, nil
}

// question has no Text: people.Ask writes one that shows the whole command.
func (a *Approval) question(agent, comment string) people.Question {
	if comment == a.Reason {
		comment = ""
	}
	return people.Question{
		ID: a.ID, Agent: agent, Approval: true, Command: &a.Act.Command, Shown: &a.Shown,
		Target: a.Act.aim(), Title: a.Act.Title, Reason: a.Reason, Comment: comment,
	}
}

// askToGoOn asks whether to go on where no command is to be approved. No, no
// answer and nobody to ask are FAIL with comment as the reason, and why.
func askToGoOn(ctx context.Context, user people.User, id, agent, comment string, timeout time.Duration) (fsm.Decision, error) {
	text := comment
	if legible.Blank(text) {
		text = "Go on?"
	}
	answer, err := people.Ask(ctx, user, people.Question{ID: id, Agent: agent, Text: text, Approval: true}, timeout)
	if err != nil {
		return unansweredBecause(ctx, err, comment)
	}
	if !answer.Approved {
		return fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: because(comment, answer.Text)}, nil
	}
	return fsm.Decision{To: fsm.Continue, By: fsm.ByUser, Reason: "approved"}, nil
}

// unansweredBecause is people.Unanswered with what was asked for in the reason.
func unansweredBecause(ctx context.Context, err error, what string) (fsm.Decision, error) {
	d, stop := people.Unanswered(ctx, err)
	if stop == nil {
		d.Reason = because(what, d.Reason)
	}
	return d, stop
}
