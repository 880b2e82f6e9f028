package durable

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Query says which runs [List] yields. The zero value: all.
type Query struct {
	Prefix string  // of their ids
	After  string  // ids behind this one, in the order of their bytes: the last one of the page before
	Stages []Stage // of these; nil: all
	Asks   bool    // a person can answer a question of theirs
}

// List yields where the runs of a store stand, in the order of their ids. An error that is about one run,
// which its State then names, does not end the loop: such a run is yielded for every Query, if its id is one that
// the Query wants.
func List(ctx context.Context, in store.Store, q Query) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		for run, err := range some(in.Runs(ctx)) {
			if err != nil {
				yield(State{}, fmt.Errorf("durable: %w", err))
				return
			}
			if !strings.HasPrefix(run, q.Prefix) || run <= q.After {
				continue
			}
			state, err := Look(ctx, in, run)
			if err != nil {
				state = State{Run: run}
			} else if !q.wants(&state) {
				continue
			}
			if !yield(state, err) {
				return
			}
		}
	}
}

func (q *Query) wants(s *State) bool {
	return (len(q.Stages) == 0 || slices.Contains(q.Stages, s.Stage)) && (!q.Asks || len(s.Waits) > 0)
}
