package acting

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/people"
)

// Pending asks the questions of the interview, or waits for an event with comment as its
// text when there is none. It returns where to go; what was answered is in Answers, and on
// the blackboard. An error means that the answers are not there yet: what was answered is
// kept for going on.
//
// After an answer whose step was not taken, because the run stopped, it returns the same
// decision once more and asks nothing. For that, comment is the reason of the agent's
// Decision, in which the first call was settled.
func (w *Work) Pending(ctx context.Context, by Asker, comment string) (fsm.Decision, error) {
	if decision, ok := w.settled(fsm.Pending, comment); ok {
		return decision, nil
	}
	if w.Interview == nil {
		w.Interview = NewInterview(nil, comment, by.NewID)
	}
	interview := w.Interview
	decision, err := interview.Ask(ctx, by.User, by.Agent, by.Timeout)
	if err != nil {
		return fsm.Decision{}, err
	}
	decision = by.lead(decision)
	w.Interview, w.Settled = nil, &Settled{decision, fsm.Pending}
	var failed error
	for _, e := range interview.Entries {
		if !e.Answered {
			continue
		}
		w.Answers = append(w.Answers, e)
		if by.Board == nil {
			continue
		}
		record := boarddata.QuestionAnswer{Agent: by.Agent, Question: e.Question, Answer: e.Answer}
		failed = cmp.Or(failed, blackboard.NewList[boarddata.QuestionAnswer](boarddata.Answers).Append(by.Board, record))
	}
	if failed != nil {
		return fsm.Decision{}, failed
	}
	return decision, nil
}

// NoAnswer is kept for a question that was answered with nothing.
const NoAnswer = "no answer"

// maxQuestion bounds a question in a reason, in bytes.
const maxQuestion = 8 << 10

// Interview is a list of questions for a person and the answers so far. It is
// part of an agent's data, so that a run that stops in the middle asks only
// what is still open, with the same ids.
type Interview struct {
	Entries []Entry `json:"entries"`
}

// Entry is one question of an [Interview].
type Entry struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Answer   string `json:"answer,omitempty"`
	Answered bool   `json:"answered,omitempty"`
}

// NewInterview returns an interview of the questions, or, where there are
// none or only blank ones, of the comment alone: then the answer is the event that is waited for.
// newID makes the ids of the questions; nil: UUIDs.
func NewInterview(questions []string, comment string, newID func() string) *Interview {
	questions = slices.DeleteFunc(slices.Clone(questions), legible.Blank)
	if len(questions) == 0 {
		if legible.Blank(comment) {
			comment = "Waiting for an event."
		}
		questions = []string{comment}
	}
	iv := &Interview{}
	for _, q := range questions {
		iv.Entries = append(iv.Entries, Entry{ID: makeID(newID), Question: q})
	}
	return iv
}

// Ask asks the open questions one after another, each for timeout at most, and
// returns where to go: CONTINUE with every answer, or FAIL with the reason. It
// returns an error when ctx is cancelled or the user suspends; answers that
// were given stay. A user who suspends is asked the other questions all the same, so
// that all of them are known to whoever answers later.
func (iv *Interview) Ask(ctx context.Context, user people.User, agent string, timeout time.Duration) (fsm.Decision, error) {
	var suspended error
	for i := range iv.Entries {
		e := &iv.Entries[i]
		if e.Answered {
			continue
		}
		answer, err := people.Ask(ctx, user, people.Question{ID: e.ID, Agent: agent, Text: e.Question}, timeout)
		switch {
		case err == nil:
			e.Answer, e.Answered = answer.Text, true
			if strings.TrimSpace(e.Answer) == "" {
				e.Answer = NoAnswer
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
