package round

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round/journal"
)

// A run is driven by one Session at a time: what the store's Drive gives is held from Open or
// Resume until the round ends or stops, or the session is closed, and again for each Run after
// that. The loop knows nothing of it.

// TakeOver is [Open], also while somebody else drives the run: in a process that hangs, mostly.
// That one can record nothing more, so it does nothing more, but for what it had begun. Of
// a run that nobody drives it is Open.
//
// Do not call it because of a journal.DrivenError alone: who drives the run is alive, and loses
// the model call that it waits for.
func TakeOver(ctx context.Context, host fsm.Worker, j *Journal, opts *Options) (*Session, error) {
	return openRun(ctx, host, j, opts, opening{begins: true, takesOver: true})
}

// opening says how a run is opened.
type opening struct {
	begins    bool // where there is none, one may begin
	takesOver bool
}

func openRun(ctx context.Context, host fsm.Worker, j *Journal, opts *Options, how opening) (*Session, error) {
	var own Options
	if opts != nil {
		own = *opts
	}
	own.Journal = j
	if j == nil || nilcheck.IsNil(j.store) {
		return nil, &JournalError{Err: errNoStore}
	}
	s, err := NewSession(host, &own)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.owner != nil || j.hold != nil || j.seq != 0 || j.err != nil || j.replay != nil {
		return nil, &JournalError{Run: j.run, Err: errOtherUse}
	}
	if err = j.drive(ctx, how.takesOver); err == nil {
		err = guard(func() error { return j.rebuild(ctx, s, host) })
	}
	switch {
	case errors.Is(err, ErrNoRun) && how.begins:
		return NewSession(host, &own)
	case err != nil:
		j.release(ctx)
		return nil, fmt.Errorf("round: resume %q: %w", j.run, err)
	case s.current.result.Outcome.Ended():
		j.release(ctx) // nobody drives it any more
	case j.hold.Took():
		// Who had it may be alive, and must not record anything behind what was read here.
		if err := j.resumed(ctx); err != nil {
			j.release(ctx)
			return nil, err
		}
	}
	return s, nil
}

// rebuild brings a session to where its journal ends. j.mu is held.
func (j *Journal) rebuild(ctx context.Context, s *Session, host fsm.Worker) error {
	b := newRebuild(j, s, host)
	if err := b.read(ctx); err != nil {
		return err
	}
	return b.round(ctx)
}

// drive takes the run. j.mu is held.
func (j *Journal) drive(ctx context.Context, takesOver bool) error {
	err := j.limited(ctx, func(ctx context.Context) error {
		hold, err := j.store.Drive(ctx, j.run, takesOver)
		if err == nil {
			j.hold, j.compare, j.announced = hold, true, false
		}
		return err
	})
	if err == nil {
		// Of a session that nobody closes: it must not keep the run for as long as the process lives.
		j.forgotten = runtime.AddCleanup(j, func(hold journal.Hold) {
			go letGo(context.Background(), hold)
		}, j.hold)
	}
	return err
}

// release gives the run back. j.mu is held.
func (j *Journal) release(ctx context.Context) {
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
func letGo(ctx context.Context, hold journal.Hold) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendGrace)
	defer cancel()
	_ = guard(func() error { return hold.Release(ctx) })
}

// driven sees to it that the run is this round's while it is driven. The error is a
// *journal.DrivenError; other ones end the recording.
func (r *Round) driven(ctx context.Context) (done func(), err error) {
	j := r.journal
	if j == nil || r.result.Outcome.final() {
		return func() {}, nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil || j.replay != nil || j.driver != nil || nilcheck.IsNil(j.store) {
		return func() {}, nil // open says what is wrong
	}
	if j.hold == nil {
		err := j.drive(ctx, false)
		if errors.Is(err, journal.ErrDriven) {
			return nil, fmt.Errorf("round: %w", err)
		}
		if err != nil {
			_ = j.fail(err) // open returns it
			return func() {}, nil
		}
	}
	j.driver = r
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.driver = nil
		j.release(ctx)
	}, nil
}

// close gives a run back that nobody has driven since it was opened.
func (j *Journal) close(ctx context.Context) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.driver == nil {
		j.release(ctx)
	}
}

// stillLast looks whether the journal ends where this process thinks: before anything is
// done that another one has done since. j.mu is held.
func (j *Journal) stillLast(ctx context.Context) error {
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
func (j *Journal) resumed(ctx context.Context) error {
	j.claim, j.compare, j.announced = false, false, true
	return j.write(ctx, records.Record{Kind: records.KindResume})
}
