package durable

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// A run is driven by one Session at a time: what the store's Drive gives is held from Open until the round ends or
// stops, or the session is closed, and again for each Run after that. The loop knows nothing of it.

// drive takes the run. j.mu is held.
func (j *recorder) drive(ctx context.Context, takesOver bool) error {
	return j.limited(ctx, func(ctx context.Context) error {
		hold, err := j.store.Drive(ctx, j.run, takesOver)
		if err == nil {
			j.hold, j.compare, j.announced = hold, true, false
		}
		return err
	})
}

// release gives the run back. An error is not told: a store that cannot do it finds out in five seconds that nobody
// drives the run. j.mu is held.
func (j *recorder) release(ctx context.Context) {
	hold := j.hold
	if hold == nil {
		return
	}
	j.hold = nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendGrace)
	defer cancel()
	_ = guard(func() error { return hold.Release(ctx) })
}

// driven sees to it that this process drives the run, and that the journal ends where it thinks: before it does
// anything that another one has done since. j.mu is held.
func (j *recorder) driven(ctx context.Context) error {
	if j.hold == nil {
		err := j.drive(ctx, false)
		if errors.Is(err, store.ErrDriven) {
			return fmt.Errorf("durable: %w: %w", round.ErrBusy, err)
		}
		if err != nil {
			return j.fail(err)
		}
	}
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

// A program may drop the agent of an application between two Runs. The next record would have that, but this process
// may never write one, and the next process would find the agent with its memory. So it is a record of its own.

var errUnderWay = errors.New("durable: a step of the run was interrupted: go on with it first")

// changed does a change of the agents and records it. Of one in a Run, and of one before the first, the next record
// has it.
func (j *recorder) changed(ctx context.Context, change func()) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.err != nil:
		return j.err
	case j.inRun || !j.begun:
		change()
		return nil
	case !j.between:
		return errUnderWay
	}
	if j.hold == nil {
		defer func() { j.release(ctx) }()
	}
	if err := j.driven(ctx); err != nil {
		return err
	}
	change()
	news, err := j.news(&round.Checkpoint{})
	switch {
	case err != nil:
		return j.fail(err)
	case news.Agent == nil && len(news.Board) == 0:
		return nil
	}
	return j.write(ctx, records.Record{Kind: records.KindChange, Change: news})
}
