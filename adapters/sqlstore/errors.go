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
	// ErrDeleted says that a run was deleted while it was read.
	ErrDeleted = errors.New("sqlstore: the run was deleted meanwhile")
)

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
