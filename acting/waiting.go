package acting

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// Waiting is what an agent waits for from a person. It is part of an agent's
// data, with a stable JSON form; its zero value waits for nothing. Its methods
// are the bodies of PENDING and CONFIRM, and of the acts in CONTINUE that lead
// there and follow from there.
type Waiting struct {
	Interview *Interview `json:"interview,omitempty"`
	Approval  *Approval  `json:"approval,omitempty"`
	GoOn      *GoOn      `json:"go_on,omitempty"`
	// Settled is what the last answer led to, so that a run that stops between
	// the answer and the step it causes does not ask again. A new question, Perform
	// and PerformApproved forget it.
	Settled *fsm.Decision `json:"settled,omitempty"`
}

// settled returns the decision that an answer led to in a step that was never
// taken. Whoever tries the step again passes the reason of that decision, since
// the agent decided nothing else in between; another comment is another
// question.
func (w *Waiting) settled(comment string) (fsm.Decision, bool) {
	if w.Interview != nil || w.Approval != nil || w.GoOn != nil || w.Settled == nil || w.Settled.Reason != comment {
		return fsm.Decision{}, false
	}
	return *w.Settled, true
}

// GoOn is the question whether to go on, of a CONFIRM without a command.
type GoOn struct {
	ID      string `json:"id"`
	Comment string `json:"comment,omitempty"`
}

// Asker says who asks whom, and how.
type Asker struct {
	Agent   string
	User    people.User       // nil: nobody
	Timeout time.Duration     // for each question, as in people.Ask
	Board   *blackboard.Board // where answers are kept; nil: nowhere
	NewID   func() string     // makes ids of questions; nil: UUIDs
	// Yes and No are where an answer leads, for a kind that has other states than the
	// built-in ones: Yes for an approval, and for questions that were answered ("":
	// CONTINUE), No for everything else ("": FAIL).
	Yes, No fsm.Status
}

// lead names the status that a decision means for this kind.
func (by Asker) lead(d fsm.Decision) fsm.Decision {
	switch {
	case d.To == fsm.Continue && by.Yes != "":
		d.To = by.Yes
	case d.To == fsm.Fail && by.No != "":
		d.To = by.No
	}
	return d
}

// Perform executes the acts of a decision, as [Actor.Perform], and returns where
// to go. That is what wish says, but for these cases:
//
//   - An act needs approval: CONFIRM. The approval is waited for.
//   - An act failed: CONTINUE, with what went wrong as the reason, since wish
//     expected something else. Only PENDING stays: a question can be asked.
//   - wish is FAIL: nothing is executed.
//
// A wish for CONFIRM has the first act approved whatever the policy says;
// without acts it asks whether to go on. A kind whose states have other names calls
// [Actor.Perform] and keeps its Approval in w.
func (w *Waiting) Perform(ctx context.Context, actor *Actor, acts []Act, wish fsm.Decision) (Performance, fsm.Decision, error) {
	w.Settled = nil
	if wish.To == fsm.Fail || len(acts) == 0 {
		return Performance{}, wish, nil
	}
	p, err := actor.Perform(ctx, acts, wish.To == fsm.Confirm)
	switch {
	case err != nil:
		return p, fsm.Decision{}, err
	case p.Approval != nil:
		w.Approval = p.Approval
		next := fsm.Decision{To: fsm.Confirm, By: fsm.BySystem, Reason: p.Approval.Reason}
		if wish.To == fsm.Confirm {
			next.By = wish.By
		}
		if wish.Reason != "" {
			next.Reason = wish.Reason
		}
		return p, next, nil
	case p.Failed() != nil && wish.To != fsm.Pending:
		return p, fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: p.Problem()}, nil
	}
	return p, wish, nil
}

// Pending asks the questions of the interview, or waits for an event with
// comment as its text when there is none. It returns where to go and what was
// answered, which is on the blackboard too. An error means that the answers
// are not there yet: what was answered is kept for going on.
//
// After an answer whose step was not taken, because the run stopped, it returns
// the same decision once more and asks nothing. For that, comment is the reason
// of the agent's Decision, in which the first call was settled.
func (w *Waiting) Pending(ctx context.Context, by Asker, comment string) (fsm.Decision, []Entry, error) {
	if decision, ok := w.settled(comment); ok {
		return decision, nil, nil
	}
	if w.Interview == nil {
		w.Interview = NewInterview(nil, comment, by.NewID)
	}
	interview := w.Interview
	decision, err := interview.Ask(ctx, by.User, by.Agent, by.Timeout)
	if err != nil {
		return fsm.Decision{}, nil, err
	}
	decision = by.lead(decision)
	w.Interview, w.Settled = nil, &decision
	var answered []Entry
	for _, e := range interview.Entries {
		if !e.Answered {
			continue
		}
		answered = append(answered, e)
		if by.Board == nil {
			continue
		}
		record := blackboard.QuestionAnswer{Agent: by.Agent, Question: e.Question, Answer: e.Answer}
		if err := blackboard.Answers.Append(by.Board, record); err != nil {
			return fsm.Decision{}, nil, err
		}
	}
	return decision, answered, nil
}

// Confirm asks for the approval that is waited for, or whether to go on. look
// returns an act as it is aimed now, see [Actor], nil: targets do not change. One
// whose target changed since it was decided is not asked about: the decision is
// then CONTINUE, BySystem, with the reason (No where by has a Yes of its own). The act is not executed here. What
// was answered in a step that was not taken is not asked again, as in Pending;
// only an approval is, because its target is looked at again.
func (w *Waiting) Confirm(ctx context.Context, by Asker, comment string, look func(Act) Act) (fsm.Decision, error) {
	if decision, ok := w.settled(comment); ok {
		return decision, nil
	}
	if w.Approval == nil {
		if w.GoOn == nil {
			w.GoOn = &GoOn{ID: makeID(by.NewID), Comment: comment}
		}
		decision, err := AskToGoOn(ctx, by.User, w.GoOn.ID, by.Agent, w.GoOn.Comment, by.Timeout)
		decision = by.lead(decision)
		if err == nil {
			w.GoOn, w.Settled = nil, &decision
		}
		return decision, err
	}
	act := w.Approval.Act
	if now := seen(look, act); now.Target != act.Target || now.Focus != act.Focus {
		reason := fmt.Sprintf("%s was not executed: its target is not there any more: %s", act.Command.ToolName, act.aim())
		decision := fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: reason}
		if by.Yes != "" {
			decision = by.lead(fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: reason}) // Yes is for what was approved
		}
		w.Approval, w.Settled = nil, &decision
		return decision, nil
	}
	decision, err := w.Approval.Ask(ctx, by.User, by.Agent, comment, by.Timeout)
	no := decision.To != fsm.Continue
	decision = by.lead(decision)
	if err == nil && no {
		w.Approval, w.Settled = nil, &decision
	}
	return decision, err
}

// PerformApproved executes the act that was approved, as [Actor.PerformApproved],
// and forgets it before, so that whatever happens it cannot happen twice. An
// act that nobody was asked about, because a step broke off before CONFIRM, is
// forgotten too, and skipped. Without an approval it does nothing.
func (w *Waiting) PerformApproved(ctx context.Context, actor *Actor, look func(Act) Act) (Performance, error) {
	approval := w.Approval
	w.Settled = nil
	if approval == nil {
		return Performance{}, nil
	}
	w.Approval = nil
	now := approval.Act
	if !approval.Granted {
		var p Performance
		p.skip([]Act{now}, "nobody was asked to approve it")
		return p, nil
	}
	return actor.PerformApproved(ctx, approval, seen(look, now))
}

// makeID returns the id of a question.
func makeID(newID func() string) string {
	if newID == nil {
		return uuid.NewString()
	}
	return newID()
}

// seen returns an act as it is aimed now.
func seen(look func(Act) Act, act Act) Act {
	if look == nil {
		return act
	}
	now := look(act)
	act.Target, act.Focus, act.Title = now.Target, now.Focus, now.Title
	return act
}
