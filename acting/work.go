package acting

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/fsm"
)

// Work is what an agent has under way. It is part of an agent's data, and its JSON form is
// stable. Its zero value is an agent that did nothing yet. Its methods are the bodies of states:
// Perform and PerformApproved of CONTINUE, Confirm of CONFIRM, and Pending of PENDING.
type Work struct {
	Memory Memory `json:"memory,omitzero"`

	// Of its task.
	Answers   []Entry         `json:"answers,omitempty"`    // to its questions
	LastError string          `json:"last_error,omitempty"` // what went wrong in the last step that acted
	Answer    string          `json:"answer,omitempty"`     // of the FINISH, for a person
	Result    json.RawMessage `json:"result,omitempty"`     // likewise, for a program
	Did       bool            `json:"did,omitempty"`        // something succeeded

	// Approval is what a person is asked to approve in CONFIRM, or has approved. Nil: nothing.
	Approval *Approval `json:"approval,omitempty"`
	waiting
}

// waiting is what else an agent waits for from a person. It has a stable JSON form; its zero
// value waits for nothing.
type waiting struct {
	Interview *interview `json:"interview,omitempty"`
	GoOn      *goOn      `json:"go_on,omitempty"`
	// Settled is what the last answer led to. With it a run that stops between the answer
	// and its step does not ask again. A new question, Perform and PerformApproved forget it.
	Settled *settled `json:"settled,omitempty"`
	// Rest are the acts of the list after that of the Approval.
	Rest []behind `json:"rest,omitempty"`
}

// behind is an act that follows an act that waits for approval. Its command has the origin that its
// tool had at the time of the decision.
type behind struct {
	Act
	Tool    string `json:"tool,omitempty"`    // a mark of what the tool said about itself then; "": there was none
	Confirm bool   `json:"confirm,omitempty"` // the model asked for approval of the list
}

// UnmarshalJSON keeps the digits of numbers in the arguments, as that of an Approval does.
func (b *behind) UnmarshalJSON(data []byte) error {
	type fields behind
	return exactly(data, (*fields)(b))
}

// goOn is the question whether to go on, of a CONFIRM without a command.
type goOn struct {
	ID      string `json:"id"`
	Comment string `json:"comment,omitempty"`
}

// settled is the decision that an answer led to, in CONFIRM or in PENDING.
type settled struct {
	fsm.Decision
	In fsm.Status `json:"in"`
}

// decided returns the decision that an answer led to, if its step was never taken. comment is
// then the reason of that decision, since the agent decided nothing else in between. Another
// comment is another question.
func (w *Work) decided(in fsm.Status, comment string) (fsm.Decision, bool) {
	if w.Interview != nil || w.Approval != nil || w.GoOn != nil || w.Settled == nil || w.Settled.In != in || w.Settled.Reason != comment {
		return fsm.Decision{}, false
	}
	return w.Settled.Decision, true
}

// Wish is what a decision wants besides its acts.
type Wish struct {
	To        fsm.Status
	By        fsm.Cause       // 0: fsm.ByModel
	Reason    string          // the decision's comment
	Questions []string        // of PENDING; none: Reason is what is waited for
	Result    json.RawMessage // of FINISH; none: Reason is the answer
}

func (wish Wish) decision() fsm.Decision {
	if wish.By == 0 {
		wish.By = fsm.ByModel
	}
	return fsm.Decision{To: wish.To, By: wish.By, Reason: wish.Reason}
}

// makeID returns the id of a question.
func makeID(newID func() string) string {
	if newID == nil {
		return uuid.NewString()
	}
	return newID()
}
