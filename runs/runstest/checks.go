package runstest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/runs"
)

func testWoken(s *subject) {
	e := s.b.New(s.TB)
	s.wake(e, "run 1", "run 1", "run 1", "run 2")
	s.work(e, waits)
	s.await("run 2", 1, "although it was woken before Work")
	s.await("run 1", 1, "although it was woken before Work")
	s.quiet("run 1", 1, "for Wakes before Work")
	s.wake(e, "run 1")
	s.await("run 1", 2, "although it was woken again")
	s.quiet("run 1", 2, "for one Wake more")
}

func testWokenMeanwhile(s *subject) {
	e := s.b.New(s.TB)
	s.work(e, func(_ context.Context, run string, n int) (runs.Next, error) {
		if n == 1 {
			s.wake(e, run, run)
			<-time.After(s.b.Quiet / 4) // the engine knows it by now
		}
		return runs.Next{}, nil
	})
	s.wake(e, "run 1")
	s.await("run 1", 2, "although it was woken while it was driven")
	s.quiet("run 1", 2, "for Wakes while it was driven")
}

// tick is how much earlier than its time a drive may begin: databases keep times in milliseconds.
const tick = 2 * time.Millisecond

func testAtATime(s *subject) {
	e := s.b.New(s.TB)
	now := time.Now()
	due := map[string]time.Time{"past": now.Add(-time.Hour), "soon": now.Add(s.b.Quiet / 2), "later": now.Add(time.Hour)}
	s.work(e, func(_ context.Context, run string, n int) (runs.Next, error) {
		if n == 1 {
			return runs.Next{At: due[run]}, nil
		}
		return runs.Next{}, nil
	})
	s.wake(e, "past", "soon", "later")
	for _, run := range []string{"past", "soon"} {
		s.await(run, 2, "although the time has come")
		s.quiet(run, 2, "for a Wake and a time")
	}
	assert.False(s, s.drives("soon")[1].Before(due["soon"].Add(-tick)), "a run is driven before its time")
	s.quiet("later", 1, "an hour before its time")
	s.wake(e, "later")
	s.await("later", 2, "although it was woken, an hour before its time")
}

func testEnded(s *subject) {
	e := s.b.New(s.TB)
	s.work(e, func(context.Context, string, int) (runs.Next, error) {
		return runs.Next{Ended: true, At: time.Now().Add(s.b.Quiet / 4)}, nil
	})
	s.wake(e, "run 1")
	s.await("run 1", 1, "although it was woken")
	s.quiet("run 1", 1, "although it has ended")
}

func testCancelled(s *subject) {
	e := s.b.New(s.TB)
	began, heard := make(chan struct{}), make(chan struct{})
	s.work(e, func(ctx context.Context, run string, n int) (runs.Next, error) {
		if run == "driven" && n == 1 {
			close(began)
			if s.happens(ctx.Done()) {
				close(heard)
			}
		}
		return runs.Next{At: time.Now().Add(s.b.Quiet / 2)}, nil // it does not know that it was cancelled
	})
	s.wake(e, "waiting", "driven")
	s.await("waiting", 1, "although it was woken")
	require.True(s, s.happens(began), "a run is not driven although it was woken")
	for _, run := range []string{"waiting", "driven", "unknown"} {
		require.NoError(s, e.Cancel(s.Context(), run), "Cancel")
	}
	waiting := len(s.drives("waiting")) // its time may have come before
	require.True(s, s.happens(heard), "the context of a drive is not done although the run was cancelled")
	s.quiet("driven", 1, "although it was cancelled while it was driven")
	s.quiet("waiting", waiting, "although it was cancelled")
}

func testOneAtATime(s *subject) {
	e := s.b.New(s.TB)
	engines := []runs.Engine{e, e}
	pause := func(context.Context, string, int) (runs.Next, error) {
		<-time.After(s.b.Quiet / 50)
		return runs.Next{}, nil
	}
	s.work(e, pause)
	if s.b.Another != nil {
		engines[1] = s.b.Another(s.TB, e)
		s.work(engines[1], pause)
	}
	const many = 4
	var wakers sync.WaitGroup
	for i := range 2 * many {
		wakers.Go(func() {
			for range 10 {
				<-time.After(s.b.Quiet / 20)
				s.wake(engines[i/many], fmt.Sprintf("run %d", i%many))
			}
		})
	}
	wakers.Wait()
	for i := range many {
		run, woken := fmt.Sprintf("run %d", i), time.Now()
		s.wake(e, run)
		require.True(s, s.until(func() bool {
			n := len(s.ended[run])
			return n > 0 && !s.began[run][n-1].Before(woken.Add(-tick))
		}), "run %q is not driven after its last Wake", run)
	}
}

func testSeveralAtATime(s *subject) {
	e := s.b.New(s.TB)
	both := func() bool { return len(s.began) == 2 }
	s.work(e, func(context.Context, string, int) (runs.Next, error) {
		s.until(both)
		return runs.Next{}, nil
	})
	s.wake(e, "run 1", "run 2")
	require.True(s, s.until(both), "two runs are not driven at the same time")
}

func testOver(s *subject) {
	began, let := make(chan struct{}), make(chan struct{})
	e := s.b.New(s.TB)
	w := s.work(e, func(ctx context.Context, run string, n int) (runs.Next, error) {
		if run == "run 1" && n == 1 {
			close(began)
			<-ctx.Done()
			<-let
		}
		return runs.Next{}, context.Cause(ctx)
	})
	s.wake(e, "run 1")
	driven := s.happens(began)
	w.cancel(errStop)
	select {
	case <-w.over:
		s.Error("Work returns while a run is being driven")
	case <-time.After(s.b.Quiet / 4):
	}
	close(let)
	require.True(s, driven, "a run is not driven although it was woken")
	require.ErrorIs(s, s.stop(w), errStop, "the error of Work is the cause of its context")
	_ = e.Wake(s.Context(), "run 2") // it may refuse: its Work is over
	s.quiet("run 2", 0, "although Work has returned")
}

func testIDs(s *subject) {
	e := s.b.New(s.TB)
	s.work(e, waits)
	ids := []string{"a", "A", "a/b", "a b", "a%2Fb", "a/", "ä", "a\\b", `"a"`, "a:b", strings.Repeat("x", 200), strings.Repeat("x", 199)}
	s.wake(e, ids...)
	for _, id := range ids {
		s.await(id, 1, "although it was woken")
	}
	s.quiet("a", 1, "for one Wake")
	require.True(s, s.until(func() bool { return len(s.began) == len(ids) }), "not each run is driven as itself")
}

func testWaiting(s *subject) {
	e := s.b.New(s.TB)
	s.work(e, func(context.Context, string, int) (runs.Next, error) {
		return runs.Next{At: time.Now().Add(7 * 24 * time.Hour)}, nil
	})
	const many = 100
	var goroutines [2]int
	for i := range goroutines { // at first it may make what it makes once
		var list []string
		for j := range many {
			list = append(list, fmt.Sprintf("run %d of %d", j, i))
		}
		s.wake(e, list...)
		for _, run := range list {
			s.await(run, 1, "although it was woken")
		}
		<-time.After(s.b.Quiet / 2)
		goroutines[i] = runtime.NumGoroutine()
	}
	require.LessOrEqual(s, goroutines[1], goroutines[0]+many/4, "the goroutines with %d more runs that wait for a week", many)
}

func testAnother(s *subject) {
	e := s.b.New(s.TB)
	do := func(_ context.Context, run string, n int) (runs.Next, error) {
		switch {
		case run == "refused" && n <= 2:
			return runs.Next{}, errors.New("this process closes")
		case run == "due" && n == 1:
			return runs.Next{At: time.Now().Add(s.b.Quiet / 2)}, nil
		}
		return runs.Next{}, nil
	}
	w := s.work(e, do)
	s.wake(e, "due", "refused")
	s.await("due", 1, "although it was woken")
	s.await("refused", 1, "although it was woken")
	_ = s.stop(w) // "over" checks it
	s.wake(s.b.Another(s.TB, e), "woken")
	s.work(s.b.Another(s.TB, e), do)
	s.await("woken", 1, "although another engine was told to")
	s.await("due", 2, "although its time has come, and another engine knows it")
	s.await("refused", 3, "although the processes that drove it could not")
}
