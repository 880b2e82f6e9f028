package desktop

import (
	"context"
	"sync"
	"time"
)

// deadline is the context of one call. Most calls are over long before their time is, and never
// ask when that will be: the timer is made when somebody does.
type deadline struct {
	context.Context //nolint:containedctx // of the caller: this is a context itself

	limit time.Duration
	at    time.Time

	mu     sync.Mutex
	over   bool            // the call is
	timed  context.Context //nolint:containedctx // nil: nobody needed it yet
	cancel context.CancelFunc
}

func newDeadline(ctx context.Context, limit time.Duration) *deadline {
	return &deadline{Context: ctx, limit: limit, at: time.Now().Add(limit)}
}

// withTimer is the context that ends by itself.
func (d *deadline) withTimer() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.cancel = context.WithDeadlineCause(d.Context, d.at, &lateError{after: d.limit})
		if d.over {
			d.cancel()
		}
	}
	return d.timed
}

// now is the context as it has to be asked now: without a timer while nothing has ended.
func (d *deadline) now() context.Context {
	d.mu.Lock()
	plain := d.timed == nil && !d.over && time.Now().Before(d.at)
	d.mu.Unlock()
	if plain {
		return d.Context
	}
	return d.withTimer()
}

// end ends the context, as a context.CancelFunc does.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over = true; d.cancel != nil {
		d.cancel()
	}
}

func (d *deadline) Deadline() (time.Time, bool) {
	if at, ok := d.Context.Deadline(); ok && at.Before(d.at) {
		return at, true
	}
	return d.at, true
}

func (d *deadline) Done() <-chan struct{} { return d.withTimer().Done() }
func (d *deadline) Err() error            { return d.now().Err() }

// Value is also how package context finds the cause of an end.
func (d *deadline) Value(key any) any { return d.now().Value(key) }
