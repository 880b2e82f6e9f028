package acting

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// Work is what an agent has under way. It is part of an agent's data, with a stable JSON
// form; its zero value is an agent that did nothing yet. Its methods are the bodies of
// PENDING and CONFIRM, and of the acts in CONTINUE that lead there and follow from there.
type Work struct {
	Memory Memory `json:"memory,omitzero"`

	// Of its task.
	Answers   []Entry         `json:"answers,omitempty"`    // to its questions
	LastError string          `json:"last_error,omitempty"` // what went wrong in the last step that acted
	Answer    string          `json:"answer,omitempty"`     // of the FINISH, for a person
	Result    json.RawMessage `json:"result,omitempty"`     // likewise, for a program
	Did       bool            `json:"did,omitempty"`        // something succeeded
	Waiting                   // what it waits for from a person
}

// Waiting is what an agent waits for from a person. It is part of an agent's
// data, with a stable JSON form; its zero value waits for nothing.
type Waiting struct {
	Interview *Interview `json:"interview,omitempty"`
	Approval  *Approval  `json:"approval,omitempty"`
	GoOn      *GoOn      `json:"go_on,omitempty"`
	// Settled is what the last answer led to, so that a run that stops between
	// the answer and the step it causes does not ask again. A new question, Perform
	// and PerformApproved forget it.
	Settled *Settled `json:"settled,omitempty"`
}

// Settled is the decision that an answer led to, in CONFIRM or in PENDING.
type Settled struct {
	fsm.Decision
	In fsm.Status `json:"in"`
}

// settled returns the decision that an answer led to in a step that was never
// taken. Whoever tries the step again passes the reason of that decision, since
// the agent decided nothing else in between; another comment is another
// question.
func (w *Work) settled(in fsm.Status, comment string) (fsm.Decision, bool) {
	if w.Interview != nil || w.Approval != nil || w.GoOn != nil || w.Settled == nil || w.Settled.In != in || w.Settled.Reason != comment {
		return fsm.Decision{}, false
	}
	return w.Settled.Decision, true
}

// GoOn is the question whether to go on, of a CONFIRM without a command.
type GoOn struct {
	ID      string `json:"id"`
	Comment string `json:"comment,omitempty"`
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

// Asker says who asks whom, and how.
type Asker struct {
	Agent   string
	User    people.User       // nil: nobody
	Timeout time.Duration     // for each question, as in people.Ask
	Board   *blackboard.Board // where answers are kept; nil: nowhere
	NewID   func() string     // makes ids of questions; nil: UUIDs
	Look    Look              // before an approval is asked for; nil: targets do not change
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

// makeID returns the id of a question.
func makeID(newID func() string) string {
	if newID == nil {
		return uuid.NewString()
	}
	return newID()
}
