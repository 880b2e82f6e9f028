package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// findEffect counts what one execution changes.
func findEffect(s *subject, d desktop.Desktop) {
	before := s.opts.Effects(d)
	for i := 1; i <= 2 && len(s.problems) == 0; i++ {
		cmd := s.opts.Effect
		cmd.CallID = fmt.Sprint(callID, i)
		s.ends(d, cmd, desktop.Success)
		if got := s.opts.Effects(d) - before; got != i {
			s.add("%q was executed %d times and had its effect %d times", cmd.ToolName, i, got)
		}
	}
}

// errStop is the cause of the contexts that the checks end.
var errStop = errors.New("desktoptest: stop")

// findUncancelled ends contexts before and during a call.
func findUncancelled(s *subject, d desktop.Desktop) {
	done, cancel := context.WithCancelCause(s.t.Context())
	cancel(errStop)
	_, _ = bounded(s, "Tools under a context that is done", func() ([]desktop.Tool, error) { return d.Tools(done) })
	cmd, effects := s.safe, func() int { return 0 }
	if s.opts.Effects != nil {
		cmd, effects = s.opts.Effect, func() int { return s.opts.Effects(d) }
	}
	before := effects()
	r := s.execute(done, d, cmd)
	switch {
	case effects() != before:
		s.add("%q had its effect under a context that was done before the call", cmd.ToolName)
	case r.err == nil:
		s.add("%q ends with %v under a context that was done before the call: return the context's error, and do nothing", cmd.ToolName, r)
	}
	if s.opts.Slow.ToolName == "" {
		return
	}
	s.during(func() {
		if problem := s.cancelSlow(d, underway); problem != "" {
			s.add("%s", problem)
		}
	}, "cancelled while it was running: ")
}

// underway is how long a slow command is left alone before it is cancelled.
const underway = 20 * time.Millisecond

func (s *subject) cancelSlow(d desktop.Desktop, after time.Duration) (problem string) {
	cmd := s.opts.Slow
	ctx, cancel := context.WithCancelCause(s.t.Context())
	timer := time.AfterFunc(after, func() { cancel(errStop) })
	defer timer.Stop()
	r := s.execute(ctx, d, cmd)
	switch {
	case ctx.Err() == nil:
		cancel(nil)
		return fmt.Sprintf("the command of Options.Slow, %q, ends at once with %v: name one that takes longer", cmd.ToolName, r)
	case r.err == nil:
		return fmt.Sprintf("%q ends with %v: return the context's error, since nobody knows what it did", cmd.ToolName, r)
	}
	return ""
}

const (
	goroutines = 8 // that use a desktop at once
	repeats    = 5 // how often each
)

// findMixedUp uses a desktop from several goroutines. With -race a race is
// found even where the answers are right.
func findMixedUp(s *subject, d desktop.Desktop) {
	use := func(i int) {
		for n := range repeats {
			cmd := s.safe
			cmd.CallID = fmt.Sprintf("%s-%d-%d", callID, i, n)
			s.ends(d, cmd, desktop.Success)
		}
		s.tools(d)
	}
	s.during(func() {
		var done sync.WaitGroup
		for i := range goroutines {
			done.Go(func() { s.attempt(func() { use(i) }) })
		}
		done.Wait()
	}, "with several goroutines at once: ")
}

// findClose closes a desktop that is an io.Closer.
func findClose(s *subject, d desktop.Desktop) {
	closer, ok := d.(io.Closer)
	if !ok {
		return
	}
	for i, what := range []string{"Close", "the second Close"} {
		_, err := bounded(s, what, func() (struct{}, error) { return struct{}{}, closer.Close() })
		if err != nil && i == 0 {
			s.add("Close fails: %v", err)
		}
	}
	s.during(func() {
		if r := s.execute(s.t.Context(), d, s.safe); r.err == nil && r.Status == desktop.Success {
			s.add("%q succeeds", s.safe.ToolName)
		}
	}, "after Close: ")
}

const leakCalls = 8

// findLeaks counts goroutines around calls, and around the life of a desktop.
func findLeaks(s *subject) {
	before := s.steady()
	s.with(func(d desktop.Desktop) {
		safe := func() { s.execute(s.t.Context(), d, s.safe) }
		safe() // connections are made at the first call
		call := func(what string, f func()) {
			n := s.steady()
			for range leakCalls {
				f()
			}
			if left := s.settled(n+leakCalls/2) - n; left > leakCalls/2 {
				s.add("%d goroutines are left after %d calls %s", left, leakCalls, what)
			}
		}
		call("of a safe command", safe)
		if s.opts.Slow.ToolName != "" && s.cancelSlow(d, underway) == "" { // else that is reported, and leaves what it leaves
			call("that were cancelled", func() { s.cancelSlow(d, underway/20) })
		}
	})
	if closed := s.settled(before); len(s.problems) == 0 && closed > before {
		s.add("%d goroutines are left when the desktop has been closed: end them in Close or with t.Cleanup", closed-before)
	}
}

// steady counts goroutines when those that are about to end have ended.
func (s *subject) steady() int {
	least := runtime.NumGoroutine()
	for range 5 {
		_ = sleep(s.t.Context(), time.Millisecond)
		least = min(least, runtime.NumGoroutine())
	}
	return least
}

// settled waits until there are no more goroutines than that, at most for the
// time of grace, and returns how many there are.
func (s *subject) settled(limit int) int {
	for late := time.Now().Add(s.grace); runtime.NumGoroutine() > limit && time.Now().Before(late); {
		_ = sleep(s.t.Context(), time.Millisecond)
	}
	for i := 0; i < 3 && runtime.NumGoroutine() > limit; i++ {
		// In a bubble the time of grace took no time: a goroutine from outside, such
		// as one of the runtime, may still be about to end.
		runtime.GC()
		runtime.Gosched()
	}
	return runtime.NumGoroutine()
}
