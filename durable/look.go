package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// State is where a run stands, and what it came to, by its journal.
type State struct {
	Run     string
	Request string
	Rounds  int             // how many began
	Meta    json.RawMessage // of its Options, when it began

	// Result is that of the last round, without its sub-tasks and its Err. Unfinished: some process
	// drives it, or the process that drove it died; a journal cannot tell which. Where another process
	// goes on with a stopped round, that shows once it has written its first record. Waits has the
	// questions that nobody answered, in the order in which they were asked. Their words are without
	// secrets, and redacted; Command has its secrets, Shown has the command without them.
	round.Result

	ForkedFrom string    // the run that Fork made it of; its questions have the ids that they have there
	Began      time.Time // when the run began
	Last       time.Time // when the last record was written
	Seq        int64     // of the last record
}

// Ready reports whether somebody can go on with the run: it has not come to its end, and waits for no
// answer, or only for answers that come too late by now: [State.Overdue]. Another process may be at
// work on one that is Unfinished.
func (s State) Ready() bool {
	return s.Rounds > 0 && !s.Outcome.Ended() && len(s.Waits) == len(s.Overdue(time.Now()))
}

// Look reads the journal of a run, all of it. Its errors are those of the store, [ErrNoRun],
// store.ErrVersion, and a *store.DamageError behind which the run cannot be
// read.
func Look(ctx context.Context, in store.Store, run string) (State, error) {
	r, err := read(ctx, in, run)
	if err != nil {
		return State{}, err
	}
	return r.state, nil
}

// All looks at each run of a store, in the order of their ids. An error that is about
// one run, which its State then names, does not end the loop.
func All(ctx context.Context, in store.Store) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		for run, err := range some(in.Runs(ctx)) {
			if err != nil {
				yield(State{}, fmt.Errorf("durable: %w", err))
				return
			}
			state, err := Look(ctx, in, run)
			if err != nil {
				state = State{Run: run}
			}
			if !yield(state, err) {
				return
			}
		}
	}
}

var errNoSequence = errors.New("the store returned no sequence")

// some is what a Store returned, and an error in place of nil.
func some[T any](seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	if seq != nil {
		return seq
	}
	return func(yield func(T, error) bool) {
		var none T
		yield(none, errNoSequence)
	}
}

// reading is what was read of a journal so far.
type reading struct {
	state  State
	open   []people.Question
	closed map[string]bool // ids of questions; true: answered
	// expired are those that nobody answered in time.
	expired map[string]bool
	scan    records.Scanner
}

// notLookedAt are the kinds of records that say nothing about where a run stands.
var notLookedAt = []string{
	records.KindCall, records.KindTools, records.KindLook, records.KindIntent, records.KindResult, records.KindDrop, records.KindSecret,
	records.KindBlob, records.KindChange,
}

func read(ctx context.Context, in store.Store, run string) (*reading, error) {
	r := &reading{state: State{Run: run}, closed: map[string]bool{}, expired: map[string]bool{}, scan: records.Scanner{Run: run, Skip: notLookedAt}}
	for entry, err := range some(in.Read(ctx, run, 1)) {
		var rec *records.Record
		if err == nil {
			rec, err = r.scan.Read(entry)
		}
		if err != nil {
			return nil, fmt.Errorf("durable: %w", err)
		}
		r.add(rec)
	}
	if r.scan.Seq == 0 {
		return nil, fmt.Errorf("durable: %q: %w", run, ErrNoRun)
	}
	r.state.Seq, r.state.Waits = r.scan.Seq, r.open
	return r, nil
}

func (r *reading) add(rec *records.Record) {
	s := &r.state
	if s.Last = rec.At; s.Began.IsZero() {
		s.Began = rec.At
	}
	switch {
	case rec.Kind == records.KindRound && rec.Round != nil:
		*s = State{
			Run: s.Run, Rounds: s.Rounds + 1, Meta: s.Meta, ForkedFrom: s.ForkedFrom, Began: s.Began, Last: s.Last,
			Request: rec.Round.Request,
		}
		if s.Rounds == 1 {
			s.Meta = rec.Round.Meta
		}
		if len(rec.Round.Stack) > 0 {
			s.Agent = rec.Round.Stack[0].Agent
		}
		r.close(nil)
	case rec.Kind == records.KindFork && rec.Fork != nil:
		s.ForkedFrom = rec.Fork.Run
	case rec.Kind == records.KindResume:
		s.Outcome, s.Reason = round.Unfinished, ""
	case rec.Kind == records.KindAsk && rec.Ask != nil:
		r.open = append(r.open, rec.Ask.Legible())
	case rec.Kind == records.KindAnswer && rec.Answer != nil:
		r.closed[rec.Answer.ID] = true
		r.expired[rec.Answer.ID] = errors.Is(recorded(rec.Answer.Err), people.ErrTimeout)
		r.open = slices.DeleteFunc(r.open, func(q people.Question) bool { return q.ID == rec.Answer.ID })
		switch n := len(r.open); { // the reason of the stop names what was asked then
		case s.Outcome != round.Suspended:
		case n == 0:
			s.Reason = "answered: somebody can go on with it"
		default:
			s.Reason = fmt.Sprintf("questions without an answer: %d", n)
		}
	case rec.Step != nil && slices.Contains([]string{records.KindStep, records.KindStop, records.KindEnd}, rec.Kind):
		s.at(rec.Step)
		r.close(rec.Step.Waits)
	}
}

func (s *State) at(step *records.Step) {
	if n := len(step.Stack); n > 0 {
		s.Agent, s.Status = step.Stack[n-1].Agent, step.Stack[n-1].Status
	}
	s.Outcome, s.Answer, s.Reason, s.Partial, s.Verified = round.Unfinished, "", "", nil, nil
	if res := step.Result; res != nil {
		if res.Status != "" {
			s.Status = res.Status
		}
		s.Outcome, s.Answer, s.Reason, s.Partial, s.Verified = res.Outcome, res.Answer, res.Reason, res.Partial, res.Verified
	}
	s.Steps, s.Transitions, s.Calls = step.Used.Steps, step.Used.Transitions, step.Used.Calls
	s.Usage, s.Cost = step.Used.Usage, step.Used.Cost
}

// close ends all questions but those that still wait.
func (r *reading) close(waits []records.Ask) {
	was := map[string]bool{}
	for _, q := range r.open {
		was[q.ID] = r.closed[q.ID]
	}
	r.open = nil
	for _, ask := range waits {
		if ask.Answer != nil {
			r.closed[ask.ID] = true
			r.expired[ask.ID] = errors.Is(recorded(ask.Answer.Err), people.ErrTimeout)
			continue
		}
		delete(was, ask.ID)
		r.open = append(r.open, ask.Legible())
	}
	maps.Copy(r.closed, was)
}
