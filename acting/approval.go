package acting

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/people"
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
	v, err := plainjson.Decode(text)
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
	if !a.unchanged() {
		return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "the command changed while it was being approved"}, nil
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

// AskToGoOn asks whether to go on where no command is to be approved. No, no
// answer and nobody to ask are FAIL with comment as the reason, and why.
func AskToGoOn(ctx context.Context, user people.User, id, agent, comment string, timeout time.Duration) (fsm.Decision, error) {
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

func because(what, text string) string {
	switch {
	case text == "":
		return what
	case what == "":
		return text
	}
	return what + ": " + text
}
