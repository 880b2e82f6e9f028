package durable

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Query says which runs [List] yields. The zero value: all.
type Query struct {
	Prefix string  // of their ids
	After  string  // only ids that come after this one, in the order of their bytes: the last id of the page before
	Stages []Stage // of these; nil: all
	Asks   bool    // a person can answer a question of theirs
	Ready  bool    // somebody can go on with them now; in the order in which they became ready, where the store knows it
}

// List yields where the runs of a store stand, in the order of their ids. The State of a run that somebody
// drives may be some steps old.
//
// An error that is about one run does not end the loop: its State names the run, and List yields it whatever the
// Query wants, but for Prefix and After.
func List(ctx context.Context, in store.Store, q Query) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		for m, err := range q.marks(ctx, in) {
			if err != nil {
				yield(State{}, fmt.Errorf("durable: %w", err))
				return
			}
			state, err := stateOf(ctx, in, &m)
			if err != nil {
				state = State{Run: m.Run}
			} else if !q.wants(&state) {
				continue
			}
			if !yield(state, err) {
				return
			}
		}
	}
}

// marks yields at least those that the query wants.
func (q *Query) marks(ctx context.Context, in store.Store) iter.Seq2[store.Mark, error] {
	of := store.Query{Prefix: q.Prefix, After: q.After}
	if index, ok := in.(store.Index); ok {
		for _, stage := range q.Stages {
			of.Stages = append(of.Stages, string(stage))
		}
		if q.Asks && of.Stages == nil {
			of.Stages = []string{string(Ready), string(Waiting), string(Aside)}
		}
		if q.Ready {
			of.Due = time.Now()
		}
		return some(index.Marks(ctx, of))
	}
	return func(yield func(store.Mark, error) bool) {
		for run, err := range some(in.Runs(ctx)) {
			if err == nil && (!strings.HasPrefix(run, q.Prefix) || run <= q.After) {
				continue
			}
			if !yield(store.Mark{Run: run}, err) {
				return
			}
		}
	}
}

// stateOf is the state that a mark is of. If there is none, or it is behind, the journal says it. The store keeps that
// of a run that is quiet; one that is being written gets another mark soon, and its lock is not to be had.
func stateOf(ctx context.Context, in store.Store, m *store.Mark) (State, error) {
	r := readMark(m)
	if r != nil && !m.Behind {
		return r.state, nil
	}
	r, err := read(ctx, in, m.Run)
	if err != nil {
		return State{}, err
	}
	if r.state.Stage != "" && time.Since(r.state.Last) > quiet {
		short, cancel := context.WithTimeout(ctx, lockPatience)
		defer cancel()
		_ = keep(short, in, r, r.scan.Seq) // who does not get that reads the journal again
	}
	return r.state, nil
}

// quiet is for how long a run was not written that is written by no process, as far as its journal tells.
const quiet = time.Minute

// lockPatience is how long somebody who only reads waits for a process that hangs within an Append.
const lockPatience = 50 * time.Millisecond

func (q *Query) wants(s *State) bool {
	return (len(q.Stages) == 0 || slices.Contains(q.Stages, s.Stage)) && (!q.Asks || len(s.Waits) > 0) && (!q.Ready || s.Ready())
}
