package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	raw, err := json.Marshal(&n)
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
// journal in this process. A record that is too large is not: see canFail. j.mu is held.
func (j *recorder) write(ctx context.Context, n records.Record) error {
	if err := j.later(n); err != nil {
		return err
	}
	if nilcheck.IsNil(j.store) {
		return j.fail(errNoStore)
	}
	for {
		raws := make([][]byte, len(j.pending))
		for i := range j.pending {
			raws[i] = j.pending[i].raw
		}
		err := j.limited(ctx, func(ctx context.Context) error { return j.append(ctx, raws) })
		if err == nil {
			break
		}
		if size, ok := errors.AsType[*store.SizeError](err); ok && j.leaveOut(size.Index) {
			continue
		} else if ok && canFail(j.pending[len(j.pending)-1].Kind) {
			j.pending = j.pending[:len(j.pending)-1]
			return fmt.Errorf("durable: %s: %w", n.Kind, err)
		}
		if j.seq == 0 && errors.Is(err, store.ErrConflict) {
			err = fmt.Errorf("the run is there already, and Open goes on with it: %w", err)
		}
		return j.fail(err)
	}
	j.seq += int64(len(j.pending))
	j.pending, j.compare = nil, false
	return nil
}

// secret keeps what must be shown nowhere, once, for the process that resumes the run.
func (j *recorder) secret(n checkpoint.Secret) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.noteSecret(n) {
		_ = j.later(records.Record{Kind: records.KindSecret, Secret: &n}) // an error is kept
	}
}
