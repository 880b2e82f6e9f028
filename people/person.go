package people

import (
	"context"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clone"
)

// User answers questions: a terminal, a chat, a queue. Ask honours ctx. It
// may return an error that wraps fsm.ErrSuspend when the answer will come
// later; going on then asks again with the same ID.
type User interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// UserFunc is a func as a [User].
type UserFunc func(ctx context.Context, q Question) (Answer, error)

// Ask calls f.
func (f UserFunc) Ask(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// Later returns a [User] who suspends over every question: somebody answers in another
// process, by the question's id (package durable).
func Later() User { return later{} }

type later struct{}

func (later) Ask(_ context.Context, q Question) (Answer, error) {
	return Answer{}, fmt.Errorf("people: question %s is answered later: %w", q.ID, fsm.ErrSuspend)
}

// Question is something to ask a person. With a Command it is a request to approve exactly
// that command. The Text then shows all of it; [Ask] writes it where it is empty. A program
// with a form of its own has the parts of the Text as fields, and shows all of them: what
// is not shown is not approved.
//
// The strings in Command and Shown are as they are: a terminal may obey them. All other
// fields are fit to be shown, and a [User] gets them without the secrets that the Round
// knows. Only the origin of the command's tool stays as it is, like the command.
type Question struct {
	// ID is another one for each question of a run, and the same when that is asked again: an answer counts for it. A constant
	// ID lets a late click answer the next question. "": [Ask] makes one, and a run that goes on keeps it.
	ID    string `json:"id"`
	Agent string `json:"agent"` // name of the agent that asks
	Text  string `json:"text"`
	// Approval says that a yes is asked for: Approved of the [Answer] counts, else its Text.
	// A page has a button for it then.
	Approval bool `json:"approval,omitempty"`
	// Deadline is until when an answer counts, by the clock of whoever gives it, also while no
	// process has the run. [Ask] sets it for a timeout above 0. Zero: any time.
	Deadline time.Time        `json:"deadline,omitzero"`
	Command  *desktop.Command `json:"command,omitempty"` // a copy, with its secrets; changing it changes nothing

	// Of a request to approve a command:
	Shown   *desktop.Command `json:"shown,omitempty"`   // a copy of Command without its secrets; nil: it has none
	Target  string           `json:"target,omitempty"`  // what it acts on, as it looks now; may be empty
	Title   string           `json:"title,omitempty"`   // of the window, as a person reads it; what is in it may say anything there
	Reason  string           `json:"reason,omitempty"`  // why it needs approval, in a policy's words
	Comment string           `json:"comment,omitempty"` // what the agent says to it: a model's words
}

// Clone returns a copy that shares no command with q.
func (q Question) Clone() Question {
	q.Command, q.Shown = cloneCommand(q.Command), cloneCommand(q.Shown)
	return q
}

func cloneCommand(cmd *desktop.Command) *desktop.Command {
	if cmd == nil {
		return nil
	}
	c := *cmd
	c.Parameters = clone.Map(cmd.Parameters)
	return &c
}

// Answer is what a person said. Approved counts if [Question].Approval is set, Text if it is not.
type Answer struct {
	Text     string `json:"text,omitempty"`
	Approved bool   `json:"approved,omitempty"`
	// By names the person, as the program knows them: take it from no text that the person wrote. A journal keeps it
	// and shows it with the answer.
	By string `json:"by,omitempty"`
}
