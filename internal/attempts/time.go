package attempts

import (
	"context"
	"time"
)

// callTime is the time of a call.
type callTime struct {
	*time.Timer
	all time.Duration
}

type callTimeKey struct{}

// WithTime returns a context that ends with the cause after d, in which a [Pause] does not count. It has no deadline of its own,
// by which a limiter would refuse to wait.
func WithTime(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &callTime{time.AfterFunc(d, func() { cancel(cause) }), d}
	return context.WithValue(ctx, callTimeKey{}, t), func() { t.Stop(); cancel(nil) }
}

// Pause stops the time of a call until resume is called. From then on the call has all of its time again.
func Pause(ctx context.Context) (resume func()) {
	t, ok := ctx.Value(callTimeKey{}).(*callTime)
	if !ok {
		return func() {}
	}
	t.Stop()
	return func() { t.Reset(t.all) }
}
