// Package wait waits, and ends with its context.
package wait

import (
	"context"
	"time"
)

// Sleep waits for some time.
func Sleep(ctx context.Context, t time.Duration) error {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Until asks again and again, and reports whether the answer was yes before the limit. Only the end of ctx and an error of ask
// are errors.
func Until(ctx context.Context, limit, pause time.Duration, ask func() (bool, error)) (bool, error) {
	end := time.Now().Add(limit)
	for {
		yes, err := ask()
		if yes || err != nil {
			return yes, err
		}
		if !time.Now().Add(pause).Before(end) {
			return false, context.Cause(ctx)
		}
		if err := Sleep(ctx, pause); err != nil {
			return false, err
		}
	}
}
