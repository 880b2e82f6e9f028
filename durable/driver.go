package durable

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// A run is driven by one Session at a time: what the store's Drive gives is held from Open until the
// round ends or stops, or the session is closed, and again for each Run after that. The loop knows
// nothing of it.

// drive takes the run. j.mu is held.
func (j *recorder) drive(ctx context.Context, takesOver bool) error {
	err := j.limited(ctx, func(ctx context.Context) error {
		hold, err := j.store.Drive(ctx, j.run, takesOver)
		if err == nil {
			j.hold, j.compare, j.announced = hold, true, false
		}
		return err
	})
	if err == nil {
		// Of a session that nobody closes: it must not keep the run for as long as the process lives.
		j.forgotten = runtime.AddCleanup(j, func(hold store.Hold) {
			go letGo(context.Background(), hold)
		}, j.hold)
	}
	return err
}

// release gives the run back. j.mu is held.
func (j *recorder) release(ctx context.Context) {
	hold := j.hold
	if hold == nil {
		return
	}
	j.hold = nil
	j.forgotten.Stop()
	letGo(ctx, hold)
}

// letGo gives a run back. What comes of that is nobody's business: whose store cannot do it finds
// out in five seconds that nobody drives the run.
func letGo(ctx context.Context, hold store.Hold) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendGrace)
	defer cancel()
	_ = guard(func() error { return hold.Release(ctx) })
}

// driven sees to it that the run is this process' while it is driven. j.mu is held.
func (j *recorder) driven(ctx context.Context) error {
	if j.hold != nil {
		return nil
	}
	err := j.drive(ctx, false)
	if errors.Is(err, store.ErrDriven) {
		return fmt.Errorf("durable: %w: %w", round.ErrBusy, err)
	}
	if err != nil {
		return j.fail(err)
	}
	return nil
}

// stillLast looks whether the journal ends where this process thinks: before anything is
// done that another one has done since. j.mu is held.
func (j *recorder) stillLast(ctx context.Context) error {
	if !j.compare || j.seq == 0 {
		return j.err
	}
	j.compare = false
	if err := j.limited(ctx, func(ctx context.Context) error { return j.store.Append(ctx, j.run, j.seq) }); err != nil {
		return j.fail(err)
	}
	return nil
}

// resumed records at once that another process has the run now. j.mu is held.
func (j *recorder) resumed(ctx context.Context) error {
	j.claim, j.compare, j.announced = false, false, true
	return j.write(ctx, records.Record{Kind: records.KindResume})
}
