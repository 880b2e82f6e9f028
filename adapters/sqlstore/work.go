package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

// After says what comes after a run was worked on.
type After int

// What comes after a run was worked on.
const (
	Done    After = iota + 1 // it has ended
	Wait                     // it waits for Wake
	Release                  // another worker may have it, or this one again
)

// WorkOptions are options of [Store.Work]. The zero value has the defaults.
type WorkOptions struct {
	Worker string        // its name; "": the host's and the number of the process
	TTL    time.Duration // of leases, which are extended three times in it; 0: DefaultTTL
	Poll   time.Duration // how long it waits when no run is ready; 0: 1 s
	// Parallel is how many runs it works on at once; 0: 1.
	Parallel int
	// Pause is how long a run is left alone that has failed for the first time; twice as long
	// after the second time, and so on up to MaxPause. 0: 1 s and 5 min.
	Pause, MaxPause time.Duration
	// MaxTries is how often a run is claimed in a row without coming to Wait or Release.
	// When the last try has failed, the run is put aside: see [Aside]. A try whose
	// worker died counts, too, so that a run that kills its workers does not kill
	// them for ever. 0: DefaultMaxTries; negative: no bound.
	MaxTries int
	// Report is told what went wrong: what the func returned for a run, in vain, with
	// [ErrPutAside] before it when that was the last try, and with
	// "" for a run that the queue could not be asked, which is tried again after a pause. Several
	// goroutines may call it. Nil: Queue shows why runs failed, and Work ends with the
	// first error of the database.
	Report func(run string, err error)
}

// DefaultMaxTries is how often a run is tried where nothing else is said. With the default
// pauses that takes about an hour, so that most outages are over before.
const DefaultMaxTries = 20

// settle gives a call that has to be made after the end of the context a while.
const settle = 10 * time.Second

// Work claims runs, one after another or Parallel at once, and calls do for each until ctx ends. It
// returns the cause of that, after all calls of do have returned.
//
// While do runs the lease is extended. When it is lost, or could not be extended for as long as
// it lasts, the context of do is cancelled with [ErrLeaseLost] as its cause, and what do
// returns is reported and changes nothing in the queue: another worker has the run.
//
// An error, a panic, or something else than Done, Wait and Release is a failure: the
// run is put off, longer each time, and after MaxTries it is put aside. When ctx ends, that of do does, with its cause; a
// run whose do then returns an error is released at once.
func (s *Store) Work(ctx context.Context, opts WorkOptions, do func(ctx context.Context, l *Lease) (After, error)) error {
	w := &worker{store: s, opts: opts, do: do}
	if err := w.defaults(); err != nil {
		return err
	}
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for range w.opts.Parallel {
		all.Go(func() {
			if err := w.loop(inner); err != nil {
				stop(err)
			}
		})
	}
	all.Wait()
	return context.Cause(inner)
}

// worker is one call of Work.
type worker struct {
	store *Store
	opts  WorkOptions
	do    func(context.Context, *Lease) (After, error)
}

func (w *worker) defaults() error {
	o := &w.opts
	if o.Worker == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "worker" // a name is for people, and the number of the process tells much
		}
		o.Worker = fmt.Sprintf("%.60s:%d", host, os.Getpid())
	}
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{{&o.TTL, DefaultTTL}, {&o.Poll, time.Second}, {&o.Pause, time.Second}, {&o.MaxPause, 5 * time.Minute}} {
		if *d.value <= 0 {
			*d.value = d.standard
		}
	}
	o.Parallel = max(1, o.Parallel)
	if o.MaxTries == 0 {
		o.MaxTries = DefaultMaxTries
	}
	if w.do == nil {
		return &QueueError{Op: "work", Err: errors.New("there is no func for the runs")}
	}
	return nil
}

// report tells of an error of a run, or of the database.
func (w *worker) report(run string, err error) {
	if w.opts.Report != nil && err != nil {
		w.opts.Report(run, err)
	}
}

// loop works on one run after another until ctx ends. It returns what is to end Work.
func (w *worker) loop(ctx context.Context) error {
	pause := w.opts.Poll
	for ctx.Err() == nil {
		begun := time.Now()
		l, err := w.store.Claim(ctx, w.opts.Worker, w.opts.TTL)
		if err == nil {
			err = w.work(ctx, l, begun)
		}
		switch {
		case err == nil:
			pause = w.opts.Poll
			continue
		case errors.Is(err, ErrNothing):
			pause = w.opts.Poll
		case errors.Is(err, ErrWorker), w.opts.Report == nil:
			return err
		case ctx.Err() == nil:
			w.report("", err)
			pause = min(2*pause, max(w.opts.Poll, 30*time.Second))
		}
		timer := time.NewTimer(pause/2 + rand.N(pause)) // not all at once
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	return nil
}

// work calls do for a run that was claimed after begun, and settles what comes after. It
// returns errors of the database.
func (w *worker) work(ctx context.Context, l *Lease, begun time.Time) error {
	if w.opts.MaxTries > 0 && l.Tries > w.opts.MaxTries { // whoever had the last try has not said how it went
		return w.unlessLost(l, w.putAside(ctx, l, l.Tries-1, errUnheard))
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	beat, finished := context.WithCancel(context.WithoutCancel(ctx)) // also while do comes to its end
	defer finished()
	after, failure := After(0), errExited
	go func() {
		defer finished()
		after, failure = guarded(func() (After, error) { return w.do(inner, l) })
	}()
	lost := w.keep(beat, l, begun, cancel)
	settled, done := context.WithTimeout(context.WithoutCancel(ctx), settle)
	defer done()
	var err error
	switch {
	case lost != nil:
		w.report(l.Run, errors.Join(lost, failure))
		return nil
	case failure != nil && ctx.Err() != nil:
		err = l.Release(settled)
	case failure != nil && l.Tries == w.opts.MaxTries:
		err = w.putAside(settled, l, l.Tries, failure)
	case failure != nil:
		w.report(l.Run, failure)
		err = l.Fail(settled, failure, w.pause(l.Tries))
	case after == Done:
		err = l.Done(settled)
	case after == Wait:
		err = l.Wait(settled)
	default:
		err = l.Release(settled)
	}
	return w.unlessLost(l, err)
}

// unlessLost returns an error of the database, and reports that of a lease that was lost.
func (w *worker) unlessLost(l *Lease, err error) error {
	if errors.Is(err, ErrLeaseLost) {
		w.report(l.Run, err)
		return nil
	}
	return err
}

// errUnheard is the failure of a last try that nobody has told of.
var errUnheard = errors.New("sqlstore: its last worker was not heard of again")

// putAside ends the tries of a run.
func (w *worker) putAside(ctx context.Context, l *Lease, tries int, failure error) error {
	err := l.PutAside(ctx, failure)
	if err == nil {
		failure = fmt.Errorf("%w after %d tries: %w", ErrPutAside, tries, failure)
	}
	w.report(l.Run, failure)
	return err
}

// pause is how long a run is left alone after its tries.
func (w *worker) pause(tries int) time.Duration {
	pause := w.opts.Pause
	for ; tries > 1 && pause < w.opts.MaxPause; tries-- {
		pause *= 2
	}
	return min(pause, w.opts.MaxPause)
}
