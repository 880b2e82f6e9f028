package durable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
)

// ErrUnknownQuestion says that a run does not ask a question, or not any more. The text says which.
var ErrUnknownQuestion = errors.New("durable: the run has no such question")

// Answer records the answer to a question. A process has to open the run to go on with it. given says whether the
// answer counts: the first one does, also one that was given in the process that drives the run. A process that drives
// the run gets a store.ErrConflict at its next record.
//
// After the question's Deadline Answer expires the question instead, and returns people.ErrTimeout. Other errors are
// [ErrUnknownQuestion], [ErrCancelled], and those of [Look] and of the store.
func Answer(ctx context.Context, in store.Store, run, id string, answer people.Answer) (given bool, err error) {
	given, expired, err := settle(ctx, in, run, id, func(q people.Question) (*records.Answer, error) {
		if overdue(q, time.Now()) {
			return unanswered(id), nil
		}
		return records.AnswerTo(q, answer), nil
	})
	if expired {
		return false, people.ErrTimeout
	}
	return given, err
}

// Expire ends a question whose Deadline has passed, by the clock of this process. [State.Overdue] lists them. Exactly
// one of an answer and an expiry is recorded: expired is false if there is an answer. A question whose Deadline has not
// passed, or that has none, is an error. Others are those of [Answer] but people.ErrTimeout.
func Expire(ctx context.Context, in store.Store, run, id string) (expired bool, err error) {
	_, expired, err = settle(ctx, in, run, id, func(q people.Question) (*records.Answer, error) {
		switch {
		case q.Deadline.IsZero():
			return nil, fmt.Errorf("durable: the question has no deadline: run %q, question %q", run, id)
		case !overdue(q, time.Now()):
			return nil, fmt.Errorf("durable: the deadline of the question has not passed: run %q, question %q, %s", run, id, q.Deadline.Format(time.RFC3339))
		}
		return unanswered(id), nil
	})
	return expired, err
}

// Overdue returns the open questions whose Deadline has passed.
func (s State) Overdue(now time.Time) []people.Question {
	return slices.DeleteFunc(slices.Clone(s.Waits), func(q people.Question) bool { return !overdue(q, now) })
}

func overdue(q people.Question, now time.Time) bool {
	return !q.Deadline.IsZero() && !now.Before(q.Deadline)
}

// unanswered is the answer that nobody gave.
func unanswered(id string) *records.Answer {
	return &records.Answer{ID: id, Err: noteError(people.ErrTimeout)}
}

// settle records the answer that say returns for an open question. given: it counts. expired: no answer counts.
func settle(ctx context.Context, in store.Store, run, id string, say func(people.Question) (*records.Answer, error)) (given, expired bool, err error) {
	_, err = noteIn(ctx, in, run, "answer", func(r *reading) (*records.Record, error) {
		given, expired = false, false
		if at := slices.IndexFunc(r.Open, func(q people.Question) bool { return q.ID == id }); at >= 0 && !r.Cancelled {
			answer, err := say(r.Open[at])
			if err != nil {
				return nil, err
			}
			given, expired = answer.Err == nil, answer.Err != nil
			return &records.Record{Kind: records.KindAnswer, Answer: answer}, nil
		}
		if r.partial && !r.Cancelled {
			var err error
			if r, err = readAll(ctx, in, run); err != nil {
				return nil, err
			}
		}
		answered, asked := r.closed[id]
		switch {
		case r.Cancelled:
			return nil, errCancelled(run, r.state.Reason)
		case r.expired[id]:
			expired = true
		case asked && !answered:
			return nil, fmt.Errorf("%w: it is not asked any more: run %q, question %q", ErrUnknownQuestion, run, id)
		case !asked:
			return nil, fmt.Errorf("%w: run %q, question %q", ErrUnknownQuestion, run, id)
		}
		return nil, nil
	})
	if err != nil {
		return false, false, err
	}
	return given, expired, nil
}
