package runstest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/runs"
)

// waits is a drive behind which the run waits until it is woken.
func waits(context.Context, string, int) (runs.Next, error) { return runs.Next{}, nil }

func findUnwoken(s *subject) []string {
	e := s.open(waits)
	s.work(e)
	s.wake(e, "run 1")
	if s.await("run 1", 1, "although it was woken") {
		s.quiet("run 1", 1, "for one Wake")
	}
	if s.wake(e, "run 1"); s.await("run 1", 2, "although it was woken again") {
		s.quiet("run 1", 2, "for two Wakes")
	}
	return s.found
}

func findUnwokenBefore(s *subject) []string {
	e := s.open(waits)
	for range 3 {
		s.wake(e, "run 1")
	}
	s.wake(e, "run 2")
	s.work(e)
	if s.await("run 1", 1, "although it was woken before Work") && s.await("run 2", 1, "although it was woken before Work") {
		s.quiet("run 1", 1, "for Wakes from before Work")
	}
	return s.found
}

func findUnwokenMeanwhile(s *subject) []string {
	var e runs.Engine
	e = s.open(func(_ context.Context, run string, n int) (runs.Next, error) {
		if n == 1 {
			s.wake(e, run)         //nolint:contextcheck // it has that of the suite
			s.wake(e, run)         //nolint:contextcheck // it has that of the suite
			s.pause(s.b.Quiet / 4) // the engine knows it by now
		}
		return runs.Next{}, nil
	})
	s.work(e)
	s.wake(e, "run 1")
	if s.await("run 1", 2, "although it was woken while it was driven") {
		s.quiet("run 1", 2, "for Wakes while it was driven")
	}
	return append(s.found, s.overlaps()...)
}

// overlaps finds drives of one run at a time.
func (s *subject) overlaps() (found []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for run, drives := range s.drives {
		for i := 1; i < len(drives); i++ {
			if before := drives[i-1]; before.ended.IsZero() || drives[i].began.Before(before.ended) {
				found = append(found, fmt.Sprintf("run %q is driven twice at a time", run))
				break
			}
		}
	}
	return found
}

func findUntimely(s *subject) []string {
	var at time.Time
	e := s.open(func(_ context.Context, run string, n int) (runs.Next, error) {
		switch {
		case run == "past" && n == 1:
			return runs.Next{At: time.Now().Add(-time.Hour)}, nil
		case run == "soon" && n == 1:
			at = time.Now().Add(s.b.Quiet / 2)
			return runs.Next{At: at}, nil
		case run == "later" && n == 1:
			return runs.Next{At: time.Now().Add(time.Hour)}, nil
		}
		return runs.Next{}, nil
	})
	s.work(e)
	s.wake(e, "past")
	s.wake(e, "soon")
	s.wake(e, "later")
	if s.await("past", 2, "although the time has come") {
		s.quiet("past", 2, "for a Wake and a time")
	}
	if s.await("soon", 2, "although the time has come") {
		s.mu.Lock()
		began := s.drives["soon"][1].began
		s.mu.Unlock()
		if began.Before(at.Add(-tick)) {
			s.problem("run %q is driven %v before its time", "soon", at.Sub(began))
		}
		s.quiet("soon", 2, "for a Wake and a time")
	}
	s.quiet("later", 1, "an hour before its time")
	return s.found
}

// tick is how much earlier than its time a drive may begin: databases keep times in milliseconds.
const tick = 2 * time.Millisecond

func findSleeper(s *subject) []string {
	e := s.open(func(_ context.Context, _ string, n int) (runs.Next, error) {
		if n == 1 {
			return runs.Next{At: time.Now().Add(time.Hour)}, nil
		}
		return runs.Next{}, nil
	})
	s.work(e)
	s.wake(e, "run 1")
	if s.await("run 1", 1, "although it was woken") {
		s.wake(e, "run 1")
		s.await("run 1", 2, "although it was woken, an hour before its time")
	}
	return s.found
}

func findUndead(s *subject) []string {
	e := s.open(func(context.Context, string, int) (runs.Next, error) {
		return runs.Next{Ended: true, At: time.Now().Add(s.b.Quiet / 4)}, nil
	})
	s.work(e)
	s.wake(e, "run 1")
	if s.await("run 1", 1, "although it was woken") {
		s.quiet("run 1", 1, "although it has ended")
	}
	return s.found
}

func findUncancelled(s *subject) []string {
	e := s.open(func(context.Context, string, int) (runs.Next, error) {
		return runs.Next{At: time.Now().Add(s.b.Quiet / 2)}, nil
	})
	s.work(e)
	s.wake(e, "run 1")
	if !s.await("run 1", 1, "although it was woken") {
		return s.found
	}
	s.cancel(e, "run 1")
	s.mu.Lock()
	many := len(s.drives["run 1"]) // its time may have come already
	s.mu.Unlock()
	s.quiet("run 1", many, "although it was cancelled")
	s.cancel(e, "unknown")
	return s.found
}

// cancel cancels a run, and notes an error.
func (s *subject) cancel(e runs.Engine, run string) {
	if err := e.Cancel(s.ctx(), run); err != nil {
		s.problem("Cancel of run %q fails: %v", run, err)
	}
}

func findDeaf(s *subject) []string {
	began := make(chan struct{})
	heard := make(chan struct{})
	e := s.open(func(ctx context.Context, _ string, n int) (runs.Next, error) {
		if n > 1 {
			return runs.Next{Ended: true}, nil
		}
		close(began)
		select {
		case <-ctx.Done():
			close(heard)
		case <-s.ctx().Done():
		}
		return runs.Next{At: time.Now().Add(s.b.Quiet / 4)}, nil // as one says that does not know why it has to stop
	})
	s.work(e)
	s.wake(e, "run 1")
	select {
	case <-began:
	case <-s.ctx().Done():
		return s.problem("run %q is not driven, although it was woken", "run 1")
	}
	s.cancel(e, "run 1")
	select {
	case <-heard:
	case <-s.ctx().Done():
		return s.problem("the ctx of a drive is not done, although the run was cancelled")
	}
	s.quiet("run 1", 1, "although it was cancelled while it was driven")
	return s.found
}

func findTwoDrives(s *subject) []string {
	e := s.open(func(context.Context, string, int) (runs.Next, error) {
		s.pause(s.b.Quiet / 50)
		return runs.Next{}, nil
	})
	other := s.another(e)
	s.work(e)
	if other != e {
		s.work(other)
	}
	const many = 4
	last := make([]time.Time, many)
	var wakers sync.WaitGroup
	for i := range 2 * many {
		wakers.Go(func() {
			engine := []runs.Engine{e, other}[i/many]
			run := fmt.Sprintf("run %d", i%many)
			for range 10 {
				s.pause(s.b.Quiet / 20)
				s.wake(engine, run)
			}
		})
	}
	wakers.Wait()
	for i := range last {
		last[i] = time.Now()
		s.wake(e, fmt.Sprintf("run %d", i))
	}
	for i, woken := range last {
		run := fmt.Sprintf("run %d", i)
		s.awaits(func() bool {
			n := len(s.drives[run])
			return n > 0 && !s.drives[run][n-1].began.Before(woken.Add(-tick))
		}, "run %q is not driven behind its last Wake", run)
	}
	return append(s.found, s.overlaps()...)
}

func findOneByOne(s *subject) []string {
	both := make(chan struct{})
	var here atomic.Int32
	e := s.open(func(ctx context.Context, _ string, n int) (runs.Next, error) {
		if n == 1 && here.Add(1) == 2 {
			close(both)
		}
		select {
		case <-both:
		case <-ctx.Done():
		}
		return runs.Next{}, nil
	})
	s.work(e)
	s.wake(e, "run 1")
	s.wake(e, "run 2")
	select {
	case <-both:
	case <-s.ctx().Done():
		s.problem("two runs are not driven at the same time")
	}
	return s.found
}

func findRefused(s *subject) []string {
	e := s.open(func(_ context.Context, _ string, n int) (runs.Next, error) {
		if n <= 2 {
			return runs.Next{}, errors.New("this process closes")
		}
		return runs.Next{}, nil
	})
	w := s.work(e)
	s.wake(e, "run 1")
	if s.b.Another == nil {
		// Nobody else is there. Whoever works next with this engine is told again, by who knows the run.
		s.await("run 1", 1, "although it was woken")
		s.wake(e, "run 1")
		s.await("run 1", 2, "although it was woken again")
		s.wake(e, "run 1")
	} else if s.await("run 1", 1, "although it was woken") {
		_ = w.stop() // what it returns is checked elsewhere
		s.work(s.another(e))
	}
	s.await("run 1", 3, "although the processes that drove it could not")
	return s.found
}

func findUnended(s *subject) []string {
	began, let := make(chan struct{}), make(chan struct{})
	e := s.open(func(ctx context.Context, run string, n int) (runs.Next, error) {
		if run != "run 1" || n > 1 {
			return runs.Next{}, nil
		}
		close(began)
		<-ctx.Done()
		<-let
		return runs.Next{}, context.Cause(ctx)
	})
	w := s.work(e)
	s.wake(e, "run 1")
	select {
	case <-began:
	case <-s.ctx().Done():
		close(let)
		return s.problem("run %q is not driven, although it was woken", "run 1")
	}
	w.cancel()
	select {
	case <-w.over:
		s.problem("Work returns while a run is being driven")
	case <-time.After(s.b.Quiet / 4):
	}
	close(let)
	if err := w.stop(); !errors.Is(err, errStop) {
		s.problem("Work returns %v, and not the cause of its ctx, which is %v", err, errStop)
	}
	_ = e.Wake(s.ctx(), "run 2") // it may refuse: its Work is over
	s.quiet("run 2", 0, "although Work has returned")
	return s.found
}

func findMixed(s *subject) []string {
	e := s.open(waits)
	s.work(e)
	ids := []string{"a", "A", "a/b", "a b", "a%2Fb", "a/", "ä", "a\\b", `"a"`, "a:b", strings.Repeat("x", 200), strings.Repeat("x", 199)}
	for _, id := range ids {
		s.wake(e, id)
	}
	for _, id := range ids {
		s.await(id, 1, "although it was woken")
	}
	s.quiet("a", 1, "for one Wake")
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.drives) != len(ids) {
		s.problem("%d runs are driven where %d were woken", len(s.drives), len(ids))
	}
	return s.found
}

func findBusy(s *subject) []string {
	e := s.open(func(context.Context, string, int) (runs.Next, error) {
		return runs.Next{At: time.Now().Add(7 * 24 * time.Hour)}, nil
	})
	s.work(e)
	const many = 100
	wake := func(from int) bool {
		for i := range many {
			s.wake(e, fmt.Sprintf("run %d", from+i))
		}
		for i := range many {
			if !s.await(fmt.Sprintf("run %d", from+i), 1, "although it was woken") {
				return false
			}
		}
		s.pause(s.b.Quiet / 2)
		return true
	}
	if !wake(0) { // whatever is made once
		return s.found
	}
	before := runtime.NumGoroutine()
	if wake(many) && runtime.NumGoroutine() > before+many/4 {
		s.problem("%d runs that wait for a week have %d goroutines", many, runtime.NumGoroutine()-before)
	}
	return s.found
}

func findForgotten(s *subject) []string {
	e := s.open(func(_ context.Context, run string, n int) (runs.Next, error) {
		if run == "due" && n == 1 {
			return runs.Next{At: time.Now().Add(s.b.Quiet / 2)}, nil
		}
		return runs.Next{}, nil
	})
	w := s.work(e)
	s.wake(e, "due")
	s.await("due", 1, "although it was woken")
	_ = w.stop() // what it returns is checked elsewhere
	other := s.another(e)
	s.wake(other, "woken")
	s.work(s.another(e))
	s.await("woken", 1, "although another engine was told to")
	s.await("due", 2, "although its time has come, and another engine knows it")
	return s.found
}
