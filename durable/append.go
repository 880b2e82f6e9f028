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
)

// maxDepth is how deep encoding/json reads.
const maxDepth = 10_000

var errDeep = errors.New("it is nested too deep for a record")

// fail ends the recording. j.mu is held.
func (j *recorder) fail(err error) error {
	if j.err == nil {
		j.err = &lostError{run: j.run, err: err}
	}
	return j.err
}

// later keeps a note for the next append. j.mu is held.
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

// write appends a note, and what waits for one, and returns when they are durable.
// After an error nothing is known of what the store has, so that is the end of this
// journal in this process. A record that is too large is not: see size.go. j.mu is held.
func (j *recorder) write(ctx context.Context, n records.Record) error {
	if err := j.must(n); err != nil {
		return err
	}
	for {
		unfit, err := j.flush(ctx)
		switch {
		case unfit == none || unfit == len(j.pending): // it was n
			return err
		case n.Kind == records.KindIntent || n.Kind == records.KindAsk:
			j.pending = j.pending[:len(j.pending)-1] // what a reply led to that has no room is not begun
			return err
		}
	}
}

// must keeps a note that has to be there. j.mu is held.
func (j *recorder) must(n records.Record) error {
	if err := j.later(n); err != nil {
		return err
	}
	j.pending[len(j.pending)-1].must = true
	return nil
}

// none is no index of a record.
const none = -1

// flush appends what waits. unfit is the index of a record that was too large, and does not wait any
// more; the others do. j.mu is held.
func (j *recorder) flush(ctx context.Context) (unfit int, err error) {
	if nilcheck.IsNil(j.store) {
		return none, j.fail(errNoStore)
	}
	for len(j.pending) > 0 {
		raws := make([][]byte, len(j.pending))
		for i := range j.pending {
			raws[i] = j.pending[i].raw
		}
		err := j.limited(ctx, func(ctx context.Context) error { return j.append(ctx, raws) })
		if err == nil {
			j.appended()
			break
		}
		if size, ok := errors.AsType[*store.SizeError](err); ok {
			if j.withoutSnapshot() || j.leaveOut(size.Index) {
				continue
			}
			kind, at := j.takeOut(size.Index)
			if kind == records.KindCall && slices.ContainsFunc(j.pending[at:], func(n noted) bool { return n.Kind == records.KindStep }) {
				continue // its step was taken: nobody is given it back
			}
			if at != none {
				return at, fmt.Errorf("durable: %s: %w", kind, err)
			}
		}
		if j.seq == 0 && errors.Is(err, store.ErrConflict) {
			err = fmt.Errorf("the run is there already, and Open goes on with it: %w", err)
		}
		return none, j.fail(err)
	}
	return none, nil
}

// appended notes that what waited is durable. j.mu is held.
func (j *recorder) appended() {
	for i := range j.pending {
		n := &j.pending[i]
		if n.Kind != records.KindSnapshot {
			j.snaps.bytes += len(n.raw)
		}
		switch {
		case n.Step != nil:
			j.at = n.Step.Stack
		case n.Round != nil:
			j.at = n.Round.Stack
		}
	}
	j.seq += int64(len(j.pending))
	clear(j.pending) // its room is for what comes next
	j.pending, j.compare = j.pending[:0], false
}

// secret keeps what must be shown nowhere, once, for the process that resumes the run.
func (j *recorder) secret(n checkpoint.Secret) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.noteSecret(n) {
		_ = j.later(records.Record{Kind: records.KindSecret, Secret: &n}) // an error is kept
	}
}
