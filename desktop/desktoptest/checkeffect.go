package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// findResults changes results and looks whether others change with them.
func findResults(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		first := s.execute(s.t.Context(), d, fresh(s.safe))
		second := s.execute(s.t.Context(), d, fresh(s.safe))
		if problem := first.problem + second.problem; problem != "" {
			return []string{problem}
		}
		was, kept := cloneResult(first.Result), cloneResult(second.Result)
		ruin(first.Result)
		if !reflect.DeepEqual(second.Result, kept) {
			return []string{fmt.Sprintf("two results of %q share memory: who changes one changes the other", s.safe.ToolName)}
		}
		third := s.execute(s.t.Context(), d, fresh(s.safe))
		same := reflect.DeepEqual(was, kept) // else it tells the time, or so
		if third.problem == "" && same && !reflect.DeepEqual(third.Result, was) {
			return []string{fmt.Sprintf("who changes a result of %q changes what it returns from then on: return a copy", s.safe.ToolName)}
		}
		return nil
	})
}

func ruin(res desktop.Result) {
	for i := range res.Content {
		c := &res.Content[i]
		clear(c.JSON)
		if c.Image != nil {
			clear(c.Image.Data)
			c.Image.MediaType = "ruined"
		}
		c.Text = "ruined"
	}
}

// findEffect counts what one execution changes.
func findEffect(s *subject) []string {
	if s.opts.Effects == nil {
		return nil
	}
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		before := s.opts.Effects(d)
		for i := range 2 {
			cmd := fresh(s.opts.Effect)
			cmd.CallID = fmt.Sprint(callID, i)
			r := s.execute(s.t.Context(), d, cmd)
			p = append(p, replyProblems(cmd, r)...)
			if len(p) == 0 && r.Status != desktop.Success {
				p.add("the command of Options.Effect, %q, ends with %v", cmd.ToolName, r)
			}
			if got := s.opts.Effects(d) - before; len(p) == 0 && got != i+1 {
				p.add("%q was executed %d times and had its effect %d times", cmd.ToolName, i+1, got)
			}
			if len(p) > 0 {
				return p
			}
		}
		return p
	})
}

// errStop is the cause of the contexts that the checks end.
var errStop = errors.New("desktoptest: stop")

// findUncancelled ends contexts before and during a call.
func findUncancelled(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		done, cancel := context.WithCancelCause(s.t.Context())
		cancel(errStop)
		_, problem, _ := bounded(s, "Tools under a context that is done", func() ([]desktop.Tool, error) { return d.Tools(done) })
		p.put(problem)
		cmd := fresh(s.safe)
		if s.opts.Effects != nil {
			cmd = fresh(s.opts.Effect)
			cmd.CallID = callID
		}
		effects := s.effects(d)
		r := s.execute(done, d, cmd)
		switch {
		case p.put(r.problem):
		case s.effects(d) != effects:
			p.add("%q had its effect under a context that was done before the call", cmd.ToolName)
		case r.err == nil:
			p.add("%q ends with %v under a context that was done before the call: return the context's error, and do nothing", cmd.ToolName, r)
		}
		if s.opts.Slow.ToolName != "" {
			p.put(s.cancelSlow(d, underway))
		}
		return p
	})
}

func (s *subject) effects(d desktop.Desktop) int {
	if s.opts.Effects == nil {
		return 0
	}
	return s.opts.Effects(d)
}

// underway is how long a slow command is left alone before it is cancelled.
const underway = 20 * time.Millisecond

func (s *subject) cancelSlow(d desktop.Desktop, after time.Duration) string {
	cmd := fresh(s.opts.Slow)
	cmd.CallID = callID
	ctx, cancel := context.WithCancelCause(s.t.Context())
	timer := time.AfterFunc(after, func() { cancel(errStop) })
	defer timer.Stop()
	r := s.execute(ctx, d, cmd)
	switch {
	case r.problem != "":
		return "cancelled while it was running: " + r.problem
	case ctx.Err() == nil:
		cancel(nil)
		return fmt.Sprintf("the command of Options.Slow, %q, ends at once with %v: name one that takes longer", cmd.ToolName, r)
	case r.err == nil:
		return fmt.Sprintf("%q was cancelled while it was running and ends with %v: return the context's error, since nobody knows what it did", cmd.ToolName, r)
	}
	return ""
}

const (
	goroutines = 8 // that use a desktop at once
	repeats    = 5 // how often each
)

// findMixedUp uses a desktop from several goroutines. With -race a race is
// found even where the answers are right.
func findMixedUp(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var all [goroutines]problems
		var done sync.WaitGroup
		for i := range all {
			done.Go(func() {
				for n := range repeats {
					cmd := fresh(s.safe)
					cmd.CallID = fmt.Sprintf("%s-%d-%d", callID, i, n)
					r := s.execute(s.t.Context(), d, cmd)
					all[i] = append(all[i], replyProblems(cmd, r)...)
					if len(all[i]) == 0 && r.Status != desktop.Success {
						all[i].add("%q ends with %v", cmd.ToolName, r)
					}
					if len(all[i]) > 0 {
						return
					}
				}
				_, problem := s.tools(d)
				all[i].put(problem)
			})
		}
		done.Wait()
		for _, found := range all {
			if len(found) > 0 {
				return []string{found[0] + " (with several goroutines at once)"}
			}
		}
		return nil
	})
}
