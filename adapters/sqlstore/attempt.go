package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// keep extends a lease until do has finished, which ends ctx. It returns how the lease was
// lost, and then cancels do and goes on waiting for it.
func (w *worker) keep(ctx context.Context, l *Lease, begun time.Time, cancel context.CancelCauseFunc) error {
	// It began at the database after we asked: by our clock it lasts at least until then.
	until := begun.Add(w.opts.TTL)
	next := time.NewTimer(w.opts.TTL / 3)
	defer next.Stop()
	var lost error
	for {
		select {
		case <-ctx.Done():
			return lost
		case <-next.C:
		}
		begun := time.Now()
		limit, stop := context.WithDeadline(ctx, until)
		_, err := l.extend(limit, w.opts.TTL)
		stop()
		switch {
		case err == nil:
			until = begun.Add(w.opts.TTL)
			next.Reset(w.opts.TTL / 3)
			continue
		case ctx.Err() != nil: // it has finished meanwhile
			return nil
		case !errors.Is(err, ErrLeaseLost) && time.Now().Before(until):
			next.Reset(w.opts.TTL / 10)
			continue
		case !errors.Is(err, ErrLeaseLost):
			err = fmt.Errorf("%w: it could not be extended: %w", ErrLeaseLost, err)
		}
		lost = err
		cancel(err)
	}
}

// errExited is the failure of a func that ended its goroutine in place of returning.
var errExited = errors.New("sqlstore: the func ended its goroutine")

// guarded makes errors of a panic, and of an answer that is none.
func guarded(do func() (After, error)) (after After, err error) {
	returned := false
	defer func() {
		if v := recover(); !returned && v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	after, err = do()
	returned = true
	if err == nil && (after < Done || after > Release) {
		err = fmt.Errorf("%w: %d", ErrAfter, after)
	}
	return after, err
}
