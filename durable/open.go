package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/round"
)

// Options say how a run is opened. Nil is the zero value.
type Options struct {
	// Round has the options of the session's rounds, which are not recorded. Its Recorder is not
	// read. Nil: the defaults.
	Round *round.Options
	// Meta is kept with the beginning of the run: any JSON that a program needs to make its agents
	// again, such as which document they work on. [Look] returns it.
	Meta json.RawMessage
	// Existing says that there must be such a run. Else the error is [ErrNoRun].
	Existing bool
	// TakeOver opens the run also while somebody else drives it: in a process that hangs, mostly. That one can record
	// nothing more, so it does nothing more, but for what it had begun. Do not set it because of store.ErrDriven alone:
	// who drives the run is alive, and loses the model call that it waits for.
	TakeOver bool
}

// Open opens a run: the session whose records in have under that id, or a new one, where there
// are none yet. The session of a run that has records stands where they end: the agents with their
// memory, the blackboard, the position, and what was used of each bound. host is a new agent, made
// as the first one was: of the same kind, with the same name and the methods of a [fsm.Saver].
//
// Where a step that is handled again differs from its records, it does everything anew from there
// on, and the journal says so in a record of kind drop ([Records]).
//
// [round.Session.Continue] goes on with the last round, or begins the first one. One session at a time
// drives a run; everybody else gets a store.ErrDriven, in other processes as well, until the round
// ends or stops, or [round.Session.Close]. A process that dies gives its runs back.
//
// The bounds of a run that [Start] began, or [Retry] changed, hold in place of those of Options.Round.
//
// Errors are [ErrNoRun]; [ErrCancelled]; store.ErrDriven; round.ErrNotResumable for another host, or an agent that
// cannot be made again; fsm.ErrUnknownStatus; store.ErrVersion and store.ErrDamaged; those of agents and blackboard
// that do not fit the records; and those of the store. Nothing was done then, but host is of no use any more.
func Open(ctx context.Context, host fsm.Worker, in store.Store, run string, opts *Options) (*round.Session, error) {
	if opts == nil {
		opts = &Options{}
	}
	if nilcheck.IsNil(in) {
		return nil, fmt.Errorf("durable: %w", errNoStore)
	}
	if len(opts.Meta) > 0 && !validMeta(opts.Meta) {
		return nil, fmt.Errorf("durable: %q: %w", run, errMeta)
	}
	j := &recorder{recording: recording{store: in, run: run}, meta: opts.Meta}
	own := round.Options{}
	if opts.Round != nil {
		own = *opts.Round
	}
	own.Recorder, own.Run = j, run
	fresh, err := round.NewSession(host, &own)
	if err != nil {
		return nil, fmt.Errorf("durable: open %q: %w", run, err)
	}
	own.Board = fresh.Board()
	j.host, j.board = host, fresh.Board()
	j.board.Inside().KeepChanges(j.changed) // host and session share it
	j.mu.Lock()
	defer j.mu.Unlock()
	s, err := j.open(ctx, fresh, &own, opts.TakeOver)
	if errors.Is(err, ErrNoRun) && !opts.Existing {
		s, err = fresh, nil
	}
	if err != nil {
		j.release(ctx)
		return nil, fmt.Errorf("durable: open %q: %w", run, err)
	}
	return s, nil
}

// open takes the run, and makes the session that stands where its records end: fresh, where no round has begun. j.mu is held.
func (j *recorder) open(ctx context.Context, fresh *round.Session, opts *round.Options, takesOver bool) (s *round.Session, err error) {
	if err := j.drive(ctx, takesOver); err != nil {
		return nil, err
	}
	err = guard(func() (err error) {
		s, err = j.resume(ctx, fresh, opts)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case s.Round() != nil && s.Round().Result().Outcome.Ended():
		j.release(ctx) // nobody drives it any more
	case j.hold.Took():
		// Who had it may be alive, and must not record anything after what was read here.
		return s, j.resumed(ctx)
	}
	return s, nil
}

// resume makes the session that stands where the records end. j.mu is held.
func (j *recorder) resume(ctx context.Context, fresh *round.Session, opts *round.Options) (*round.Session, error) {
	b := newReader(&j.recording)
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	j.look = b.look
	j.start = b.start
	if b.bounds != nil {
		b.bounds.Set(opts)
	}
	if b.begin == nil {
		j.seq = b.scan.Seq
		fresh.Adjust(b.bounds.Set)
		return fresh, nil
	}
	if err := j.loadAgent(b.known.saved()); err != nil {
		return nil, err
	}
	c := b.checkpoint()
	s, err := round.Restore(ctx, j.host, c, opts)
	if err != nil {
		return nil, err
	}
	j.board.Inside().LogOps()
	j.begun, j.claim, j.seq, j.at, j.makers, j.known = true, true, b.scan.Seq, c.Stack, maps.Clone(c.Makers), b.known
	j.past.ops, j.spent, j.between = b.ops, b.spent, b.stopped || b.end != nil
	if b.stopped {
		j.stoppedAs(b.last)
	}
	return s, nil
}
