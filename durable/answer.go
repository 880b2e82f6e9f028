package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
)

// ErrUnknownQuestion says that a run does not ask a question: it never did, or it went on without
// the answer. The text says which.
var ErrUnknownQuestion = errors.New("durable: the run has no such question")

// Answer gives a run the answer to a question, by the id of the question. The run does
// not go on by that: somebody has to resume it.
//
// given says whether it is the answer that counts: the first one is, whoever gave it, and
// a question that was answered before is no error. That holds for a person who was
// asked in the process that drives the run, too. When such a process is still at
// work, it gets a store.ErrConflict at its next record, does nothing more, and the run
// can be resumed.
//
// Errors are [ErrUnknownQuestion], and those of [Look] and of the store.
func Answer(ctx context.Context, in store.Store, run, id string, answer people.Answer) (given bool, err error) {
	for {
		r, err := read(ctx, in, run)
		if err != nil {
			return false, err
		}
		answered, asked := r.closed[id]
		switch {
		case slices.ContainsFunc(r.open, func(q people.Question) bool { return q.ID == id }):
		case answered:
			return false, nil
		case asked:
			return false, fmt.Errorf("%w: it is not asked any more: run %q, question %q", ErrUnknownQuestion, run, id)
		default:
			return false, fmt.Errorf("%w: run %q, question %q", ErrUnknownQuestion, run, id)
		}
		raw, err := answerRecord(id, answer)
		if err != nil {
			return false, fmt.Errorf("durable: %w", err)
		}
		err = in.Append(ctx, run, r.scan.Seq, raw)
		if errors.Is(err, store.ErrConflict) {
			continue // somebody else was quicker, perhaps with an answer
		}
		if err != nil {
			return false, fmt.Errorf("durable: %w", err)
		}
		return true, nil
	}
}

func answerRecord(id string, a people.Answer) ([]byte, error) {
	return json.Marshal(&records.Record{
		V: records.Version, Kind: records.KindAnswer, At: time.Now().UTC(),
		Answer: &records.Answer{ID: id, Text: a.Text, Approved: a.Approved},
	})
}
