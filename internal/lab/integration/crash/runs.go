package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// together is how many runs are driven at the same time.
const together = 2

// each calls f for 0, 1, 2, … until there are n, two at a time; f returns false when
// there is nothing more to do. The first error ends it.
func each(ctx context.Context, n int, f func(ctx context.Context, i int) (more bool, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	next := 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= n && ctx.Err() == nil
	}
	var all sync.WaitGroup
	for range together {
		all.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				more, err := f(ctx, i)
				if err != nil {
					cancel(err)
				}
				if err != nil || !more {
					return
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// tell says with -v what became of a run.
func (s *settings) tell(store string, h, calm *history) {
	if s.verbose {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = fmt.Fprintf(s.out, "%s: %s: %s; %+d model calls\n", store, h.Run, h.killed(), h.extra(calm)) // the table is what counts
	}
}

// violation says in which run something was not as it should be.
type violation struct {
	Store string
	Seed  uint64
	Run   string
	Kills string
	Wrong []string
	Story []string
}

func (v *violation) Error() string {
	return fmt.Sprintf("crash: %s, seed %d, run %s (%s):\n  %s", v.Store, v.Seed, v.Run, v.Kills, strings.Join(slices.Concat(v.Wrong, v.Story), "\n  "))
}

// violated returns what is wrong with a run as an error; nil: nothing.
func (s *settings) violated(store string, h *history, wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return &violation{Store: store, Seed: s.seed, Run: h.Run, Kills: h.killed(), Wrong: wrong, Story: h.Story}
}
