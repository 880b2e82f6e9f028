package durable

import (
	"context"
	"slices"

	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// An Append costs a sync of the disk. Two records need none of their own: without that of a model call the
// call is made again, and without that of a step its Handle is called again and gets back what is on
// record. Each rides with the next record that must be there: with the intent of the next command, mostly.
// So that a crash costs one call and takes back one step, one of each rides at most.

const (
	// maxRider is how large a record that rides may be, in bytes. A store that refuses a larger one says so
	// to who made the call.
	maxRider = 32 << 10
	// maxPending is how much may be pending with it, such as pictures.
	maxPending = 1 << 20
)

// ride keeps a note for the next append, or appends it where it is large. j.mu is held.
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
	_, err := j.flush(ctx)
	return err
}

// rides reports whether a record of that kind waits. j.mu is held.
func (j *recorder) rides(kind string) bool {
	return slices.ContainsFunc(j.pending, func(n noted) bool { return n.must && n.Kind == kind })
}

// beginCall counts a model call that is made. The reply to the one before it is on record by then. j.mu is held.
func (j *recorder) beginCall(ctx context.Context) error {
	if j.rides(records.KindCall) {
		if _, err := j.flush(ctx); err != nil {
			return err
		}
	}
	j.calls++
	return nil
}

// called keeps a model call that was made. While another one is under way it does not ride.
func (j *recorder) called(ctx context.Context, n *records.Call) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	rec := records.Record{Kind: records.KindCall, Call: n}
	if j.calls > 1 {
		return j.write(ctx, rec)
	}
	return j.ride(ctx, rec)
}

// endCall is the end of what beginCall began.
func (j *recorder) endCall() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls--
}

// left appends what rides, and gives the run back. c says where the record has the round. j.mu is held.
func (j *recorder) left(ctx context.Context, c *round.Checkpoint) {
	for j.err == nil && slices.ContainsFunc(j.pending, func(n noted) bool { return n.must }) {
		_, _ = j.flush(ctx) // an error is kept, or it was of a record that is taken out
	}
	c.Stack = j.at
	j.release(ctx)
	j.inRun = false
}

// driving is the key of the recorder under whose context a Handle is called.
type driving struct{}

// inside appends what waits before another run begins in a Handle of this one: whatever that run is made
// of, such as its id in a reply, is on record then. So is the step, once it is taken.
func (j *recorder) inside(ctx context.Context) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.holds = true; j.rides(records.KindCall) || j.rides(records.KindStep) {
		_, _ = j.flush(ctx) // an error is kept, or it was of a record that is taken out
	}
}
