package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// An Append costs a sync of the disk. Two records need none of their own: without that of a model call the call is
// made again, and without that of a step its Handle is called again and gets back what is on record. Each rides with
// the next record that must be there, such as the intent of the next command. So that a crash costs one call and takes
// back one step, one of each rides at most.
//
// A store may refuse a record because of its size. A call, a command, a question or a result of that size is a fault of
// the step. Anything else that has no room, such as what a look saw, loses the run.

const (
	maxRider   = 32 << 10 // how large a record that rides may be, in bytes: each store takes one of that size
	maxPending = 1 << 20  // how much may be pending with it, such as pictures
	maxDepth   = 10_000   // how deep encoding/json reads
)

var errDeep = errors.New("it is nested too deep for a record")

// noted is a record that is about to be appended.
type noted struct {
	records.Record
	raw  []byte
	must bool // it cannot be left out
}

// fail ends the recording. j.mu is held.
func (j *recorder) fail(err error) error {
	if j.err == nil {
		j.err = &lostError{run: j.run, err: err}
	}
	return j.err
}

// later keeps a record for the next append. j.mu is held.
func (j *recorder) later(n records.Record) error {
	if j.err != nil {
		return j.err
	}
	n.V, n.At = records.Version, time.Now().UTC()
	raw, err := records.Encode(&n)
	if err == nil && len(raw) > 2*maxDepth && !json.Valid(raw) { // each part of it was, but all of it is nested too deep to be read
		err = errDeep
	}
	if errors.Is(err, errDeep) && canFail(n.Kind) {
		return fmt.Errorf("durable: %s: %w", n.Kind, err)
	}
	if err != nil {
		return j.fail(err)
	}
	j.pending = append(j.pending, noted{Record: n, raw: raw})
	return nil
}

// must keeps a record that has to be there. j.mu is held.
func (j *recorder) must(n records.Record) error {
	if err := j.later(n); err != nil {
		return err
	}
	j.pending[len(j.pending)-1].must = true
	return nil
}

// write appends a record, and what waits for one, and returns when they are durable. After an error nothing is known
// of what the store has, so that is the end of this journal in this process. A record that is too large is not.
// j.mu is held.
func (j *recorder) write(ctx context.Context, n records.Record) error {
	if err := j.must(n); err != nil {
		return err
	}
	return j.flush(ctx)
}

// ride keeps a record for the next append, or appends it if it is large. j.mu is held.
func (j *recorder) ride(ctx context.Context, n records.Record) error {
	if err := j.must(n); err != nil {
		return err
	}
	total := 0
	for i := range j.pending {
		total += len(j.pending[i].raw)
	}
	if len(j.pending[len(j.pending)-1].raw) <= maxRider && total <= maxPending {
		return nil
	}
	return j.flush(ctx)
}

// rides reports whether a record of that kind waits. j.mu is held.
func (j *recorder) rides(kind string) bool {
	return slices.ContainsFunc(j.pending, func(n noted) bool { return n.must && n.Kind == kind })
}

// flush appends what waits. If its last record is too large, that one does not wait any more. j.mu is held.
func (j *recorder) flush(ctx context.Context) error {
	if nilcheck.IsNil(j.store) {
		return j.fail(errNoStore)
	}
	if len(j.pending) == 0 {
		return nil
	}
	raws := make([][]byte, len(j.pending))
	for i := range j.pending {
		raws[i] = j.pending[i].raw
	}
	err := j.limited(ctx, func(ctx context.Context) error { return j.append(ctx, raws) })
	if err == nil {
		j.appended()
		return nil
	}
	last := len(j.pending) - 1
	if size, ok := errors.AsType[*store.SizeError](err); ok && size.Index == last && canFail(j.pending[last].Kind) {
		kind := j.pending[last].Kind
		j.pending = j.pending[:last]
		return fmt.Errorf("durable: %s: %w", kind, err)
	}
	if j.seq == 0 && errors.Is(err, store.ErrConflict) {
		err = fmt.Errorf("the run is there already, and Open goes on with it: %w", err)
	}
	return j.fail(err)
}

// limited calls what a store does, as long as it may take.
func (j *recorder) limited(ctx context.Context, f func(context.Context) error) error {
	limited, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	limit := time.AfterFunc(appendTimeout, func() { cancel(errAppend) })
	defer limit.Stop()
	defer context.AfterFunc(ctx, func() { limit.Reset(appendGrace) })()
	err := guard(func() error { return f(limited) })
	if err != nil && limited.Err() != nil {
		err = errors.Join(err, context.Cause(limited), context.Cause(ctx))
	}
	return err
}

// appended notes that what waited is durable. j.mu is held.
func (j *recorder) appended() {
	for i := range j.pending {
		switch n := &j.pending[i]; {
		case n.Step != nil:
			j.at = n.Step.Stack
		case n.Round != nil:
			j.at = n.Round.Stack
		}
	}
	j.seq += int64(len(j.pending))
	j.pending, j.compare = nil, false
}

// canFail reports whether a run goes on without a record of that kind: what it is of fails then. Without a position it
// does not.
func canFail(kind string) bool {
	return slices.Contains([]string{records.KindCall, records.KindIntent, records.KindResult, records.KindEffect, records.KindDone, records.KindAsk, records.KindAnswer}, kind)
}

// secret keeps what must be shown nowhere, once, for the process that resumes the run.
func (j *recorder) secret(n checkpoint.Secret) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.noteSecret(n) {
		_ = j.later(records.Record{Kind: records.KindSecret, Secret: &n}) // an error is kept
	}
}

// left appends what rides, and gives the run back. c says where the record has the round. j.mu is held.
func (j *recorder) left(ctx context.Context, c *round.Checkpoint) {
	if j.err == nil && slices.ContainsFunc(j.pending, func(n noted) bool { return n.must }) {
		_ = j.flush(ctx) // an error is kept, or it was of a record that is taken out
	}
	c.Stack = j.at
	j.release(ctx)
	j.inRun = false
}

// inside appends what waits before another run begins in a Handle of this one: whatever that run is made of, such as
// its id in a reply, is on record then. So is the step, once it is taken.
func (j *recorder) inside(ctx context.Context) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.holds = true; j.rides(records.KindCall) || j.rides(records.KindStep) {
		_ = j.flush(ctx) // an error is kept, or it was of a record that is taken out
	}
}
