package durable

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
)

// A store that is a store.Index keeps a mark of each run: what Look came to at some record. So a page of
// runs is read without their journals, and an answer needs only the records behind the mark. The journal alone counts:
// where there is no mark, or one that cannot be read, all of it is read.

// marked is what a mark has in its Data.
type marked struct {
	State     State                    `json:"state"`
	Open      []people.Question        `json:"open,omitempty"`
	Started   bool                     `json:"started,omitempty"`
	Cancelled bool                     `json:"cancelled,omitempty"`
	Postponed *records.Postpone        `json:"postponed,omitempty"`
	Attempted bool                     `json:"attempted,omitempty"`
	Answered  bool                     `json:"answered,omitempty"`
	Timers    map[string]records.Timer `json:"timers,omitempty"`
	Asked     map[string]time.Time     `json:"asked,omitempty"`
	Step      int                      `json:"step,omitempty"`
	StepAt    int64                    `json:"step_at,omitempty"`
	Bounds    records.Bounds           `json:"bounds,omitzero"`
	Snapshot  int64                    `json:"snapshot,omitempty"` // the record with the last one
}

// markEach is after how many records a run gets another mark although it stands as before.
const markEach = 256

// mark is what a store is to keep of the reading.
func (r *reading) mark() (store.Mark, error) {
	state := r.whole()
	m := store.Mark{Run: state.Run, Seq: state.Seq, At: time.Now().UTC(), Stage: string(state.Stage), Due: state.Due, From: r.snapshot}
	if state.Stage == Ready {
		m.Due = state.Last
	}
	state.Waits = nil
	var err error
	m.Data, err = json.Marshal(&marked{
		State: state, Open: r.open, Started: r.started, Cancelled: r.cancelled, Postponed: r.postponed, Bounds: r.bounds,
		Snapshot: r.snapshot, Answered: r.answered, Attempted: r.attempted, Timers: r.timers, Asked: r.asked, Step: r.step, StepAt: r.stepAt,
	})
	return m, err
}

// readMark returns the reading that a mark is of; nil: it cannot be read.
func readMark(m *store.Mark) *reading {
	if m.Seq == 0 {
		return nil
	}
	var was marked
	d := json.NewDecoder(bytes.NewReader(m.Data))
	d.UseNumber()
	if d.Decode(&was) != nil || was.State.Run != m.Run {
		return nil
	}
	r := newReading(m.Run)
	r.state, r.open, r.partial = was.State, was.Open, true
	r.started, r.cancelled, r.postponed, r.bounds = was.Started, was.Cancelled, was.Postponed, was.Bounds
	r.scan.Seq, r.snapshot, r.answered = m.Seq, was.Snapshot, was.Answered
	r.attempted, r.step, r.stepAt = was.Attempted, was.Step, was.StepAt
	maps.Copy(r.timers, was.Timers)
	maps.Copy(r.asked, was.Asked)
	r.whole()
	return r
}

// sameMark reports whether the runs of two readings are found in the same way.
func sameMark(a, b *reading) bool {
	x, y := a.whole(), b.whole()
	return x.Stage == y.Stage && x.Outcome == y.Outcome && x.Rounds == y.Rounds && x.Due.Equal(y.Due) && x.Tries == y.Tries &&
		a.bounds == b.bounds && a.snapshot == b.snapshot && slices.EqualFunc(a.open, b.open, func(p, q people.Question) bool { return p.ID == q.ID })
}

// changesLook reports whether a record changes where its run stands, or is a snapshot.
func changesLook(n noted) bool {
	return n.Kind == records.KindSnapshot || !slices.Contains(notLookedAt, n.Kind)
}

// behind returns the reading with some records more. It shares nothing that either changes.
func (r *reading) behind(list []noted) *reading {
	next := *r
	next.open, next.timers, next.asked = slices.Clone(r.open), maps.Clone(r.timers), maps.Clone(r.asked)
	next.closed, next.expired, next.partial = map[string]bool{}, map[string]bool{}, true
	for i := range list {
		next.scan.Seq++
		if !slices.Contains(notLookedAt, list[i].Kind) {
			next.add(&list[i].Record)
		}
		if list[i].Kind == records.KindSnapshot {
			next.snapshot = next.scan.Seq
		}
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

// append gives the store what is pending. It adds a mark where the run is found in another way from now on, and after
// markEach records. j.mu is held.
func (j *recorder) append(ctx context.Context, raws [][]byte) error {
	if _, ok := j.store.(store.Index); !ok {
		return j.store.Append(ctx, j.run, j.seq, raws...)
	}
	if j.look == nil {
		j.look = newReading(j.run)
	}
	j.look.scan.Seq = j.seq
	next, due := j.look, j.seq+int64(len(raws)) >= j.markSeq+markEach
	if due || slices.ContainsFunc(j.pending, changesLook) {
		next = j.look.behind(j.pending)
		due = due || !sameMark(j.look, next)
	}
	if !due {
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
