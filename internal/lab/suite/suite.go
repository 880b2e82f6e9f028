// Package suite has what suites of checks have in common.
package suite

import (
	"context"
	"fmt"
	"time"
)

// Bounded calls find for the suite of that name, and waits for it for as long as limit says. What it returns are problems, a sentence each. A problem
// is also a panic, or that find does not come back soon after its context has ended.
func Bounded(ctx context.Context, name string, limit time.Duration, find func(context.Context) []string) []string {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%s: it took more than %v", name, limit))
	defer cancel()
	var found []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				found = append(found, fmt.Sprintf("the code under test panicked: %v", v))
			}
		}()
		found = find(ctx)
	}()
	select {
	case <-done:
		return found
	case <-ctx.Done():
	}
	grace := time.NewTimer(limit / 4) // calls that honour their context return now
	defer grace.Stop()
	select {
	case <-done:
		return found
	case <-grace.C:
		return []string{fmt.Sprintf("a call has not come back after %v, and did not heed its context", limit)}
	}
}
