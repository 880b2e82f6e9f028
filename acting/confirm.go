package acting

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/people"
)

// Confirm asks for w.Approval, or else whether to go on, and executes nothing. It returns
// CONTINUE for a yes, and FAIL when the answer is no or is missing. A kind with other states
// maps the To of the Decision itself.
//
// An act whose target changed since it was decided is not asked about: the decision is then
// CONTINUE, BySystem, with the reason. It returns an error when ctx is done or the user
// suspends; then the next call asks the same question again.
//
// comment is the reason of the agent's Decision, as in [Work.Pending]. A no that was answered
// in a step that was not taken is not asked again. A yes to an approval is, because the target
// is looked at again.
func (w *Work) Confirm(ctx context.Context, actor *Actor, comment string) (fsm.Decision, error) {
	if decision, ok := w.decided(fsm.Confirm, comment); ok {
		return decision, nil
	}
	if w.Approval == nil {
		if w.GoOn == nil {
			w.GoOn = &goOn{ID: makeID(actor.NewID), Comment: comment}
		}
		decision, err := w.GoOn.ask(ctx, actor)
		if err == nil {
			w.GoOn, w.Settled = nil, &settled{decision, fsm.Confirm}
		}
		return decision, err
	}
	now := actor.Look.at(ctx, w.Approval.Act)
	if ctx.Err() != nil { // a look that was interrupted says nothing
		return fsm.Decision{}, context.Cause(ctx)
	}
	if why := w.Approval.void(asking, now, nil); why != "" {
		decision := fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: why}
		w.forgetApproval()
		w.Settled, w.LastError = &settled{decision, fsm.Confirm}, why
		return decision, nil
	}
	decision, err := w.askApproval(ctx, actor, comment)
	if err == nil && decision.To != fsm.Continue {
		w.forgetApproval()
		w.Settled = &settled{decision, fsm.Confirm}
	}
	return decision, err
}

// askApproval asks for the approval, and sets Granted after a yes.
func (w *Work) askApproval(ctx context.Context, actor *Actor, comment string) (fsm.Decision, error) {
	a := w.Approval
	a.Granted = false
	answer, err := people.Ask(ctx, actor.User, a.question(actor.Agent, comment), actor.Timeout)
	denied := "not approved: " + a.Shown.ToolName
	if err != nil {
		return unansweredBecause(ctx, err, denied)
	}
	if !answer.Approved {
		return fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: rejected(denied, answer.Text)}, nil
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

// ask asks whether to go on where no command is to be approved. The reason of a FAIL is the
// comment, and why.
func (g *goOn) ask(ctx context.Context, actor *Actor) (fsm.Decision, error) {
	text := g.Comment
	if legible.Blank(text) {
		text = "Go on?"
	}
	answer, err := people.Ask(ctx, actor.User, people.Question{ID: g.ID, Agent: actor.Agent, Text: text, Approval: true}, actor.Timeout)
	if err != nil {
		return unansweredBecause(ctx, err, g.Comment)
	}
	if !answer.Approved {
		return fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: rejected(g.Comment, answer.Text)}, nil
	}
	return fsm.Decision{To: fsm.Continue, By: fsm.ByUser, Reason: "approved"}, nil
}

// rejected is why something was not approved. A text that means a yes is none: the program that gave it must say so.
func rejected(what, text string) string {
	said := strings.Trim(text, " \t\n.!")
	switch strings.ToLower(said) {
	case "yes", "y", "ok", "okay", "true", "approve", "approved":
		text = fmt.Sprintf("the answer is the text %q, and not Approved: true", said)
	}
	return because(what, text)
}

// unansweredBecause is people.Unanswered with what was asked for in the reason.
func unansweredBecause(ctx context.Context, err error, what string) (fsm.Decision, error) {
	d, stop := people.Unanswered(ctx, err)
	if stop == nil {
		d.Reason = because(what, d.Reason)
	}
	return d, stop
}
