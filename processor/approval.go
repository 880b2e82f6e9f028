package processor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
)

// Approval is a request to execute one exact command on one exact target, and
// the answer to it. It is part of an agent's data and has a stable JSON form,
// which holds the command as it is executed, secrets included.
type Approval struct {
	ID      string `json:"id"` // of the question, the same when it is asked again
	Act     Act    `json:"act"`
	Reason  string `json:"reason,omitempty"` // why approval is needed
	Granted bool   `json:"granted,omitempty"`
	// Digest is the act as it was when the question was made.
	Digest string `json:"digest"`
	// Shown is the command as the question shows it. [Actor.Perform] leaves
	// secrets out of it.
	Shown desktop.Command `json:"shown"`
	// Hints is what the tool said about itself then, nil where nobody looked.
	Hints *desktop.Annotations `json:"hints,omitempty"`
}

// NewApproval returns a request to approve act. It keeps a copy.
func NewApproval(id string, act Act, reason string) *Approval {
	act.Command = cloneCommand(act.Command)
	return &Approval{ID: id, Act: act, Reason: reason, Digest: digest(act), Shown: cloneCommand(act.Command)}
}

// Covers reports whether the approval was granted and is of exactly this act:
// the same tool at the same origin, arguments, target and focus. A Title does not count.
func (a *Approval) Covers(act Act) bool {
	return a.Granted && a.unchanged() && a.Digest == digest(act)
}

// unchanged reports whether the act is still what the question was made for.
func (a *Approval) unchanged() bool {
	// Arguments that have no JSON form have no digest: nothing equals them.
	return a.Digest != "" && a.Digest == digest(a.Act)
}

// UnmarshalJSON keeps the digits of numbers in the arguments. Else an id of 19
// digits would come back as another one, and the approval would be void.
func (a *Approval) UnmarshalJSON(data []byte) error {
	type fields Approval
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var f fields
	if err := decoder.Decode(&f); err != nil {
		return err
	}
	*a = Approval(f)
	return nil
}

// digest is the part of an act that an approval is of, in a form that is the
// same before and after a snapshot: encoding/json sorts the keys of maps, and a
// struct becomes a map on its way.
func digest(act Act) string {
	text, err := json.Marshal([]any{
		act.Command.ToolName, act.Command.Origin, act.Command.Parameters, act.Target, act.Focus,
	})
	if err != nil {
		return ""
	}
	v, err := decode(text)
	if err != nil {
		return ""
	}
	if text, err = json.Marshal(v); err != nil {
		return ""
	}
	return string(text)
}

// Ask asks user to approve and returns where to go: CONTINUE, with Granted
// set, or FAIL with the reason, when the answer is no, does not come in time,
// nobody is there or asking failed. It returns an error when ctx is cancelled
// or the user suspends; then the same question is asked again on going on.
func (a *Approval) Ask(ctx context.Context, user User, agent, comment string, timeout time.Duration) (fsm.Decision, error) {
	a.Granted = false
	words := a.words(comment)
	asked := words
	asked.title = clip.Name(words.title, maxWords) // whole, since no half of a secret is found in it
	answer, err := ask(ctx, user, a.question(agent, asked), timeout, func(q Question, hide func(string) string) Question {
		// In words only: in the command, a secret of the model's choice would hide what is approved.
		clean := a.question(agent, words.shown(hide))
		q.Text, q.Title, q.Target, q.Reason, q.Comment = clean.Text, clean.Title, clean.Target, clean.Reason, clean.Comment
		return q
	})
	denied := "not approved: " + a.Shown.ToolName
	if err != nil {
		return unansweredBecause(ctx, err, denied)
	}
	if !answer.Approved {
		return fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: because(denied, answer.Text)}, nil
	}
	if !a.unchanged() {
		return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "the command changed while it was being approved"}, nil
	}
	a.Granted = true
	return fsm.Decision{To: fsm.Continue, By: fsm.ByUser, Reason: "approved: " + a.Shown.ToolName}, nil
}

// approvalWords are what a question for an approval has besides the command.
type approvalWords struct{ target, title, reason, comment string }

func (a *Approval) words(comment string) approvalWords {
	if comment == a.Reason {
		comment = ""
	}
	return approvalWords{target: a.Act.aim(), title: a.Act.Title, reason: a.Reason, comment: comment}
}

// shown returns the words as a person reads them. They are cut when the secrets are out.
func (w approvalWords) shown(hide func(string) string) approvalWords {
	return approvalWords{
		target: hide(w.target), title: clip.Text(hide(w.title), maxTitle), // a page says what it likes there, at any length
		reason: clip.Text(hide(w.reason), maxWords), comment: clip.Text(hide(w.comment), maxWords),
	}
}

// question has the whole command, however long: what is not shown is not approved. Its
// origin is a part of that, whatever a model calls a secret.
func (a *Approval) question(agent string, w approvalWords) Question {
	cmd, shown := cloneCommand(a.Act.Command), cloneCommand(a.Shown)
	q := Question{
		ID: a.ID, Agent: agent, Approval: true, Command: &cmd, Shown: &shown,
		Target: legible.Exact(w.target), Title: legible.Exact(w.title),
		Reason: legible.Exact(w.reason), Comment: legible.Exact(w.comment),
	}
	q.Text = "Allow " + legible.Name(shown.ToolName)
	if len(shown.Parameters) > 0 {
		params, err := encode(shown.Parameters)
		if err != nil {
			params = []byte("(arguments that cannot be shown)")
		}
		q.Text += " " + legible.Exact(string(params))
	}
	if shown.Origin != "" {
		q.Text += " of " + legible.Exact(fmt.Sprintf("%q", shown.Origin))
	}
	if q.Target != "" {
		q.Text += " on " + legible.Exact(fmt.Sprintf("%q", w.target))
	}
	if q.Title != "" {
		q.Text += " titled " + legible.Exact(fmt.Sprintf("%q", w.title))
	}
	q.Text += "?"
	if q.Reason != "" {
		q.Text += " It needs approval because " + q.Reason + "."
	}
	if q.Comment != "" {
		q.Text += " The agent says: " + legible.Exact(fmt.Sprintf("%q", w.comment))
	}
	return q
}

// AskToGoOn asks whether to go on where no command is to be approved. No, no
// answer and nobody to ask are FAIL with comment as the reason, and why.
func AskToGoOn(ctx context.Context, user User, id, agent, comment string, timeout time.Duration) (fsm.Decision, error) {
	text := comment
	if legible.Blank(text) {
		text = "Go on?"
	}
	answer, err := Ask(ctx, user, Question{ID: id, Agent: agent, Text: text, Approval: true}, timeout)
	if err != nil {
		return unansweredBecause(ctx, err, comment)
	}
	if !answer.Approved {
		return fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: because(comment, answer.Text)}, nil
	}
	return fsm.Decision{To: fsm.Continue, By: fsm.ByUser, Reason: "approved"}, nil
}

// Unanswered turns an error of [Ask] into the decision of a Handle: FAIL, with a
// reason for people and models, when nobody is there, nobody answered in time or asking
// failed. It returns the error when the run stops where it is, because ctx is done or
// the user suspends. A state that asks by itself ends with it:
//
//	answer, err := processor.Ask(ctx, a.user, question, 0)
//	if err != nil {
//		return a.Settle(processor.Unanswered(ctx, err))
//	}
func Unanswered(ctx context.Context, err error) (fsm.Decision, error) {
	asked, _ := errors.AsType[*AskError](err)
	switch {
	case ctx.Err() != nil, errors.Is(err, fsm.ErrSuspend):
		return fsm.Decision{}, err
	case errors.Is(err, ErrTimeout):
		return fsm.Decision{To: fsm.Fail, By: fsm.ByTimeout, Reason: "nobody answered in time"}, nil
	case errors.Is(err, ErrNobody) && asked == nil: // a User that finds nobody has words of its own
		return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "there is nobody to ask"}, nil
	}
	reason := err.Error()
	if asked != nil {
		reason = "asking failed: " + asked.Err.Error()
	}
	return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: legible.Plain(reason)}, nil
}

// unansweredBecause is Unanswered with what was asked for in the reason.
func unansweredBecause(ctx context.Context, err error, what string) (fsm.Decision, error) {
	d, stop := Unanswered(ctx, err)
	if stop == nil {
		d.Reason = because(what, d.Reason)
	}
	return d, stop
}

func because(what, text string) string {
	switch {
	case text == "":
		return what
	case what == "":
		return text
	}
	return what + ": " + text
}
