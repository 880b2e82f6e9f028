package durable

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
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
		return index.Marks(ctx, of)
	}
	return func(yield func(store.Mark, error) bool) {
		for run, err := range in.Runs(ctx) {
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

// A store that is a store.Index keeps a mark of each run: what Look came to at some record. So a page of runs is read
// without their journals, and an answer needs only the records behind the mark. The journal alone counts: if there is
// no mark, or one that cannot be read, all of it is read.

// marked is what a mark has in its Data.
type marked struct {
	State State `json:"state"`
	standing
}

// markEach is after how many records a run gets another mark although it stands as before.
const markEach = 256

// mark is what a store is to keep of the reading.
func (r *reading) mark() (store.Mark, error) {
	state := r.whole()
	m := store.Mark{Run: state.Run, Seq: state.Seq, At: time.Now().UTC(), Stage: string(state.Stage), Due: state.Due}
	if state.Stage == Ready {
		m.Due = state.Last
	}
	state.Waits = nil
	var err error
	m.Data, err = json.Marshal(&marked{state, r.standing})
	return m, err
}

// readMark returns the reading that a mark is of; nil: it cannot be read.
func readMark(m *store.Mark) *reading {
	if m.Seq == 0 {
		return nil
	}
	r := newReading(m.Run)
	was := marked{standing: r.standing}
	d := json.NewDecoder(bytes.NewReader(m.Data))
	d.UseNumber()
	if d.Decode(&was) != nil || was.State.Run != m.Run {
		return nil
	}
	r.state, r.standing, r.partial, r.scan.Seq = was.State, was.standing, true, m.Seq
	r.whole()
	return r
}

// sameMark reports whether the runs of two readings are found in the same way.
func sameMark(a, b *reading) bool {
	x, y := a.whole(), b.whole()
	return x.Stage == y.Stage && x.Outcome == y.Outcome && x.Rounds == y.Rounds && x.Due.Equal(y.Due) && x.Tries == y.Tries &&
		a.Bounds == b.Bounds && slices.EqualFunc(a.Open, b.Open, func(p, q people.Question) bool { return p.ID == q.ID })
}

// behind returns the reading with some records more. It shares nothing that either changes.
func (r *reading) behind(list []noted) *reading {
	next := *r
	next.Open, next.Timers, next.Asked = slices.Clone(r.Open), maps.Clone(r.Timers), maps.Clone(r.Asked)
	next.closed, next.expired, next.partial = map[string]bool{}, map[string]bool{}, true
	for i := range list {
		next.scan.Seq++
		next.add(&list[i].Record)
	}
	return &next
}

// keep appends records, and has the store keep what the reading, which has them, comes to.
func keep(ctx context.Context, in store.Store, r *reading, after int64, raws ...[]byte) error {
	index, ok := in.(store.Index)
	if !ok {
		return in.Append(ctx, r.state.Run, after, raws...)
	}
	m, err := r.mark()
	if err != nil {
		return err
	}
	return index.AppendMarked(ctx, r.state.Run, after, m, raws...)
}

// append gives the store what is pending. It adds a mark if the run is found in another way from now on, and after
// markEach records. j.mu is held.
func (j *recorder) append(ctx context.Context, raws [][]byte) error {
	if j.look == nil {
		j.look = newReading(j.run)
	}
	j.look.scan.Seq = j.seq
	next := j.look.behind(j.pending)
	if next.scan.Seq < j.markSeq+markEach && sameMark(j.look, next) {
		err := j.store.Append(ctx, j.run, j.seq, raws...)
		if err == nil {
			j.look = next
		}
		return err
	}
	err := keep(ctx, j.store, next, j.seq, raws...)
	if err == nil {
		j.look, j.markSeq = next, next.scan.Seq
	}
	return err
}
