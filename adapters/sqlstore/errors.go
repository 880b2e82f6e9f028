package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
)

var (
	// ErrFull says that the disk, or the database by its own bounds, is full.
	ErrFull = errors.New("sqlstore: there is no space left")
	// ErrExists says that a run is in the queue already.
	ErrExists = errors.New("sqlstore: the run is in the queue already")
	// ErrNothing says that no run waits for a worker now.
	ErrNothing = errors.New("sqlstore: no run is ready")
	// ErrNoRun says that a run is not in the queue.
	ErrNoRun = errors.New("sqlstore: the run is not in the queue")
	// ErrLeaseLost says that a lease is no longer its holder's: it ran out and another
	// worker has the run, or it was given back.
	ErrLeaseLost = errors.New("sqlstore: the lease is lost")
	// ErrLeased says that a worker has the run, and its lease has not run out.
	ErrLeased = errors.New("sqlstore: a worker has the run")
	// ErrDeleted says that a run was deleted while it was read.
	ErrDeleted = errors.New("sqlstore: the run was deleted meanwhile")
	// ErrPutAside says that a run failed too often, and nobody claims it any more until
	// Wake is called.
	ErrPutAside = errors.New("sqlstore: the run was put aside")
	// ErrWorker says that a text cannot be the name of a worker.
	ErrWorker = errors.New("sqlstore: not the name of a worker")
	// ErrAfter says that the func of Work returned nothing that says what comes next.
	ErrAfter = errors.New("sqlstore: neither Done nor Wait nor Release")
)

// QueueError says for which run the queue could not do something. errors.Is finds
// what is behind it, such as ErrLeaseLost.
type QueueError struct {
	Op  string // such as "wake"
	Run string // "" when it is not about one
	// Uncertain says that it may have been done: the connection broke before the database
	// answered.
	Uncertain bool
	Err       error
}

func (e *QueueError) Error() string {
	what := e.Op
	if e.Run != "" {
		what += fmt.Sprintf(" run %q", e.Run)
	}
	if e.Uncertain {
		what += ", which may have been done"
	}
	return fmt.Sprintf("sqlstore: %s: %v", what, e.Err)
}

// Unwrap returns what went wrong.
func (e *QueueError) Unwrap() error { return e.Err }

// PanicError is a panic of the func of Work.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("sqlstore: panic: %v", e.Value) }

// ended returns the error of a call whose context is done, and nil before that.
func ended(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// explain puts the values before an error of a driver that our callers tell errors by. What
// fails under a context that is done failed because of it.
func (s *Store) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := ended(ctx); cause != nil {
		if errors.Is(err, cause) {
			return err
		}
		return fmt.Errorf("%w (%w)", cause, err)
	}
	switch {
	case isFull(err) && !errors.Is(err, ErrFull):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case isCorrupt(err) && !errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return err
}

// about wraps what is wrong with the whole database.
func (s *Store) about(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, store.ErrVersion) {
		return err
	}
	return fmt.Errorf("sqlstore: %s: %w", s.name, s.explain(ctx, err))
}

// inRun wraps what is wrong with a call for a run, where seq was to be the next record.
func (s *Store) inRun(ctx context.Context, run string, seq int64, err error) error {
	if _, typed := errors.AsType[*store.DamageError](err); err == nil || typed {
		return err
	}
	err = s.explain(ctx, err)
	if errors.Is(err, store.ErrDamaged) {
		return &store.DamageError{Run: run, Seq: seq, Reason: fmt.Sprintf("%s: %v", s.name, err)}
	}
	return fmt.Errorf("sqlstore: run %q: %w", run, err)
}

// discarded makes the pool close a connection in place of keeping it.
func discarded(any) error { return driver.ErrBadConn }
