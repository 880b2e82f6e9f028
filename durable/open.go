package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// Options say how a run is opened. Nil is the zero value.
type Options struct {
	// Round has the options of the session's rounds, which are not recorded. Its Recorder is not
	// read. Nil: the defaults.
	Round *round.Options
	// Meta is any JSON that a program needs to make its agents again. [Look] returns it.
	Meta json.RawMessage
	// Existing says that there must be such a run. Else the error is [ErrNoRun].
	Existing bool
	// TakeOver takes the run from a process that drives it, such as one that hangs. That process does nothing more than
	// finish what it had begun. After a mere store.ErrDriven do not set it: the driver is alive.
	TakeOver bool
}

// Open opens a run, or begins a new one. The session stands where the records of the run end: the agents with their
// memory, the blackboard, the position, and what was used of each bound. host is a new agent of the same kind and name as
// the first one, and a [fsm.Saver].
//
// If a step that is handled again differs from its records, it goes on without them. A record of kind drop says so.
//
// [round.Session.Continue] goes on with the last round, or begins the first one. One session at a time drives a run;
// others get a store.ErrDriven until the round ends or stops, or [round.Session.Close].
//
// The bounds that [Start] or [Retry] recorded replace those of Options.Round.
//
// Errors are [ErrNoRun]; [ErrCancelled]; store.ErrDriven; round.ErrNotResumable for another host, or an agent that
// cannot be made again; fsm.ErrUnknownStatus; store.ErrVersion and store.ErrDamaged; those of agents and blackboard
// that do not fit the records; and those of the store. After an error host cannot be used.
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
	j.rounds, j.steps = b.rounds, b.steps
	j.past.ops, j.spent, j.between = b.ops, b.spent, b.stopped || b.end != nil
	if b.stopped {
		j.stoppedAs(b.last)
	}
	return s, nil
}

// checkpoint is where the record stands.
func (b *reader) checkpoint() *round.Checkpoint {
	c := b.begin.Checkpoint
	if b.last != nil {
		c = b.last.Checkpoint
		if c.Final {
			c.Fault = recorded(b.last.Err)
		}
		if c.Session == (checkpoint.Used{}) {
			c.Session = checkpoint.Used{Steps: c.Used.Steps, Usage: c.Used.Usage, Cost: c.Used.Cost}
		}
	}
	c.Event, c.Request, c.First, c.Round = checkpoint.Resumed, b.begin.Request, b.begin.First, b.rounds
	c.Makers, c.Repeats, c.History, c.Secrets = b.makers, slices.Collect(maps.Values(b.repeats)), b.history, b.secrets
	if c.Result == nil {
		return &c
	}
	res := *c.Result
	switch {
	case b.end != nil:
		res.Err = recorded(b.end.Err)
	case res.Outcome == round.Suspended:
		for _, a := range b.j.asked {
			res.Waits = append(res.Waits, a.Legible())
		}
		res.Wakes = b.j.effects.wakes()
		res.Err = &recordedError{text: res.Reason, errs: []error{fsm.ErrSuspend}}
	}
	if !b.stopped && b.end == nil {
		c.Result = nil
		return &c
	}
	c.Result = &res
	return &c
}

func otherKind(agent, was, is string) error {
	return misfit(agent, fmt.Sprintf("it is a %q now, and was a %q", is, was))
}

// misfit is the error of an agent that is not that of the run.
func misfit(agent, text string) error {
	return fmt.Errorf("agent %q: %w: %s", agent, round.ErrNotResumable, text)
}

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

// release gives the run back. It ignores an error: the store then finds within five seconds that the run is free. j.mu is
// held.
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

var errUnderWay = errors.New("durable: a step of the run was interrupted: go on with it first")

// changed does a change of the agents, such as a Drop, and records it. During a Run and before the first one the next
// record has it. Between two Runs it is a record of its own: this process may never write another one.
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
