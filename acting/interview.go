package acting

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/people"
)

// Pending asks the questions of the [Wish] that led to PENDING, one after another, each for
// actor.Timeout at most. Without questions it waits for an event, and comment is the text of
// the only question. It returns CONTINUE with every answer, or FAIL with the reason why one is
// missing. The answers are in w.Answers, and on the blackboard.
//
// An agent without a model sets the questions with Perform(ctx, actor, nil, Wish{To: fsm.Pending, Questions: ...}).
//
// It returns an error when ctx is done or the user suspends. Answers that were given are kept,
// and the next call asks only what is open, with the same ids. A user who suspends is asked
// the other questions all the same, so that a page can show all of them.
//
// comment is the reason of the agent's Decision. By it the next call knows an answer whose
// step was not taken, because the run stopped: it returns the same decision and asks nothing.
func (w *Work) Pending(ctx context.Context, actor *Actor, comment string) (fsm.Decision, error) {
	if decision, ok := w.decided(fsm.Pending, comment); ok {
		return decision, nil
	}
	if w.Interview == nil {
		w.Interview = newInterview(nil, comment, actor.NewID)
	}
	interview := w.Interview
	decision, err := interview.ask(ctx, actor)
	if err != nil {
		return fsm.Decision{}, err
	}
	w.Interview, w.Settled = nil, &settled{decision, fsm.Pending}
	var failed error
	for _, e := range interview.Entries {
		if !e.Answered {
			continue
		}
		w.Answers = append(w.Answers, e.Entry)
		if actor.Board == nil {
			continue
		}
		record := boarddata.QuestionAnswer{Agent: actor.Agent, Question: e.Question, Answer: e.Answer}
		failed = cmp.Or(failed, actor.Board.Append(boarddata.Answers, record))
	}
	if failed != nil {
		return fsm.Decision{}, failed
	}
	return decision, nil
}

// noAnswer is kept for a question that was answered with nothing.
const noAnswer = "no answer"

// maxQuestion bounds a question in a reason, in bytes.
const maxQuestion = 8 << 10

// Entry is a question that an agent asked a person, and the answer.
type Entry struct {
	Question string `json:"question"`
	Answer   string `json:"answer,omitempty"`
}

// interview is a list of questions to a person, with the answers so far. It is part of an
// agent's data, so that a run that stops in the middle asks only what is open, with the same ids.
type interview struct {
	Entries []interviewEntry `json:"entries"`
}

type interviewEntry struct {
	ID string `json:"id"`
	Entry
	Answered bool `json:"answered,omitempty"`
}

// newInterview returns an interview of the questions. Where there are none, or only blank
// ones, its question is the comment, and the answer is the event that is waited for.
func newInterview(questions []string, comment string, newID func() string) *interview {
	questions = slices.DeleteFunc(slices.Clone(questions), legible.Blank)
	if len(questions) == 0 {
		if legible.Blank(comment) {
			comment = "Waiting for an event."
		}
		questions = []string{comment}
	}
	iv := &interview{}
	for _, q := range questions {
		iv.Entries = append(iv.Entries, interviewEntry{ID: makeID(newID), Entry: Entry{Question: q}})
	}
	return iv
}

// ask asks the open questions, as [Work.Pending] says.
func (iv *interview) ask(ctx context.Context, actor *Actor) (fsm.Decision, error) {
	var suspended error
	for i := range iv.Entries {
		e := &iv.Entries[i]
		if e.Answered {
			continue
		}
		answer, err := people.Ask(ctx, actor.User, people.Question{ID: e.ID, Agent: actor.Agent, Text: e.Question}, actor.Timeout)
		switch {
		case err == nil:
			e.Answer, e.Answered = answer.Text, true
			if strings.TrimSpace(e.Answer) == "" {
				e.Answer = noAnswer
			}
		case ctx.Err() == nil && errors.Is(err, fsm.ErrSuspend):
			suspended = cmp.Or(suspended, err) // the others are the same
		case ctx.Err() == nil && suspended != nil:
			return fsm.Decision{}, suspended // it is asked again with the others
		default:
			d, stop := people.Unanswered(ctx, err)
			if stop == nil {
				d.Reason = because(d.Reason, clip.Name(e.Question, maxQuestion)) // no half of it: there may be a secret in it
			}
			return d, stop
		}
	}
	if suspended != nil {
		return fsm.Decision{}, suspended
	}
	return fsm.Decision{To: fsm.Continue, By: fsm.ByUser, Reason: "answered"}, nil
}
