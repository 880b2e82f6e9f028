package desktoptest

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// findScope narrows the desktop to each window, where it can be narrowed.
func findScope(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		scoper, ok := d.(desktop.Scoper)
		if !ok {
			return nil
		}
		var p problems
		windows, _, problem := s.windows(d)
		if p.put(problem) {
			return p
		}
		scoped, problem, err := s.scope(scoper, "an id that no window has")
		switch {
		case p.put(problem):
		case err == nil && !nilcheck.IsNil(scoped):
			p.add("Scope of a window that does not exist returns a desktop: commands would act on another window")
		case err == nil:
			p.add("Scope of a window that does not exist returns neither a desktop nor an error")
		}
		var ids []string
		if s.opts.Window != "" {
			ids = append(ids, s.opts.Window)
		}
		for _, w := range windows {
			if !slices.Contains(ids, w.ID) {
				ids = append(ids, w.ID)
			}
		}
		narrowed := map[string]desktop.Desktop{}
		for _, id := range ids {
			if scoped := s.narrow(&p, scoper, id); scoped != nil {
				narrowed[id] = scoped
			}
		}
		// Only now, when it has been narrowed to all of them: one must not narrow
		// another.
		for _, id := range ids {
			if scoped := narrowed[id]; scoped != nil {
				p = append(p, s.findInside(scoped, id)...)
			}
		}
		return p
	})
}

// narrow returns the desktop narrowed to a window, or nil and why not.
func (s *subject) narrow(p *problems, scoper desktop.Scoper, id string) (scoped desktop.Desktop) {
	for range 2 { // as when the same window is worked in again
		var problem string
		var err error
		scoped, problem, err = s.scope(scoper, id)
		switch {
		case p.put(problem):
			return nil
		case err != nil:
			p.add("Scope of the window %q, which is there, fails: %v", id, err)
			return nil
		case nilcheck.IsNil(scoped):
			p.add("Scope of the window %q returns neither a desktop nor an error", id)
			return nil
		}
	}
	return scoped
}

// findInside checks a desktop that is narrowed to a window.
func (s *subject) findInside(scoped desktop.Desktop, id string) []string {
	var p problems
	tools, problem := s.tools(scoped)
	if p.put(problem) {
		return p
	}
	for _, problem := range toolProblems(tools) {
		p.add("narrowed to the window %q: %s", id, problem)
	}
	p = append(p, s.inside(scoped, id)...)
	r := s.execute(s.t.Context(), scoped, desktop.Command{ToolName: "a_tool_that_nobody_has", CallID: callID})
	p.put(r.refusal("a command of a tool that does not exist, in the scope of a window,", desktop.ErrUnknownTool))
	return p
}

func (s *subject) scope(d desktop.Scoper, id string) (desktop.Desktop, string, error) {
	return bounded(s, fmt.Sprintf("Scope of %q", id), func() (desktop.Desktop, error) { return d.Scope(s.t.Context(), id) })
}

// findClose closes a desktop that is an io.Closer.
func findClose(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		closer, ok := d.(io.Closer)
		if !ok {
			return nil
		}
		var p problems
		shut := func(what string) (string, error) {
			_, problem, err := bounded(s, what, func() (struct{}, error) { return struct{}{}, closer.Close() })
			return problem, err
		}
		problem, err := shut("Close")
		if p.put(problem) {
			return p
		}
		if err != nil {
			p.add("Close fails: %v", err)
		}
		if problem, _ = shut("the second Close"); p.put(problem) {
			return p
		}
		r := s.execute(s.t.Context(), d, fresh(s.safe))
		switch {
		case r.problem != "":
			p.add("after Close: %s", r.problem)
		case r.err == nil && r.Status == desktop.Success:
			p.add("%q succeeds after Close", s.safe.ToolName)
		}
		return p
	})
}

const leakCalls = 8

// findLeaks counts goroutines around calls, and around the life of a desktop.
func findLeaks(s *subject) []string {
	before := steady()
	p := problems(s.with(func(d desktop.Desktop) []string {
		var p problems
		s.execute(s.t.Context(), d, fresh(s.safe)) // connections are made at the first call
		call := func(what string, f func()) {
			n := steady()
			for range leakCalls {
				f()
			}
			if left := s.settled(n+leakCalls/2) - n; left > leakCalls/2 {
				p.add("%d goroutines are left after %d calls %s", left, leakCalls, what)
			}
		}
		call("of a safe command", func() { s.execute(s.t.Context(), d, fresh(s.safe)) })
		if s.opts.Slow.ToolName != "" && s.cancelSlow(d, underway) == "" { // else that is reported, and leaves what it leaves
			call("that were cancelled", func() { s.cancelSlow(d, underway/20) })
		}
		return p
	}))
	if closed := s.settled(before); len(p) == 0 && closed > before {
		p.add("%d goroutines are left when the desktop has been closed: end them in Close or with t.Cleanup", closed-before)
	}
	return p
}

// steady counts goroutines when those that are about to end have ended.
func steady() int {
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	least := runtime.NumGoroutine()
	for range 5 {
		<-poll.C
		least = min(least, runtime.NumGoroutine())
	}
	return least
}

// settled waits until there are no more goroutines than that, at most for the
// time of grace, and returns how many there are.
func (s *subject) settled(limit int) int {
	late := time.NewTimer(s.grace)
	defer late.Stop()
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for {
		if n := runtime.NumGoroutine(); n <= limit {
			return n
		}
		select {
		case <-poll.C:
		case <-late.C:
			// In a bubble the time of grace took no time: a goroutine from outside, such
			// as one of the runtime, may still be about to end.
			for range 3 {
				runtime.GC()
				runtime.Gosched()
			}
			return runtime.NumGoroutine()
		}
	}
}
