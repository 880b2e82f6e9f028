package llmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// ends are the ways in which a context ends.
var ends = []error{context.Canceled, context.DeadlineExceeded}

func (s *subject) early(o outcome) string {
	if problem := s.broken(o); problem != "" {
		return "a model of Backend.Slow: " + problem
	}
	return fmt.Sprintf("a model of Backend.Slow returns before its context has ended (error: %v)", o.err)
}

// misreported says what is wrong with the result of a call whose context ended.
func (s *subject) misreported(o outcome, end error) string {
	switch {
	case o.hung:
		return fmt.Sprintf("the call did not return within %v of the end of its context", s.patience)
	case s.broken(o) != "":
		return s.broken(o)
	case o.err == nil:
		return "the call returns a response, though its context has ended"
	case !errors.Is(o.err, end):
		return fmt.Sprintf("the error of the call is not the context's %q: %v", end, o.err)
	case llm.Retryable(o.err):
		return fmt.Sprintf("the error says that trying again may help, after the context has ended: %v", o.err)
	}
	return s.indiscreet(o.err)
}

func findDeafBefore(s *subject) (problems []string) {
	for _, newModel := range []string{"Good", "Slow"} {
		m := s.Slow(s.t)
		if newModel == "Good" {
			m = s.Good(s.t)
		}
		for _, end := range ends {
			ctx := newSteered(s.t.Context())
			ctx.end(end)
			if problem := s.misreported(s.call(ctx, m, question(30)), end); problem != "" {
				problems = append(problems, fmt.Sprintf("a model of Backend.%s, called after %v: %s", newModel, end, problem))
			}
		}
	}
	return problems
}

func findDeafDuring(s *subject) (problems []string) {
	m := s.Slow(s.t)
	for i, end := range ends {
		ctx := newSteered(s.t.Context())
		done := start(ctx, m, question(40+i))
		if early := s.inFlight(ctx, done); early != nil {
			ctx.end(end)
			return append(problems, s.early(*early))
		}
		ctx.end(end)
		if problem := s.misreported(s.wait(done), end); problem != "" {
			problems = append(problems, fmt.Sprintf("during a call, at %v: %s", end, problem))
		}
	}
	return problems
}

// leakLabel marks the goroutines that a check starts, and all that they start:
// those of a backend in the same process have been started before.
const leakLabel = "agentfsm-llmtest"

var leakChecks atomic.Int64

// findLeaks counts what calls leave behind. A few goroutines may stay, such as those of
// an idle connection, but not one for every call.
func findLeaks(s *subject) (problems []string) {
	const calls = 12
	good, slow := s.Good(s.t), s.Slow(s.t)
	succeed := func(ctx context.Context) outcome { return s.call(ctx, good, question(50)) }
	cancel := func(parent context.Context) outcome {
		ctx := newSteered(parent)
		done := start(ctx, slow, question(51)) //nolint:contextcheck // steered has its parent in it
		early := s.inFlight(ctx, done)
		ctx.end(context.Canceled)
		if early != nil {
			return *early
		}
		return s.wait(done)
	}
	for _, c := range []struct {
		name string
		one  func(context.Context) outcome
	}{{"calls that succeed", succeed}, {"calls that are cancelled", cancel}} {
		label, hung := strconv.FormatInt(leakChecks.Add(1), 10), false
		pprof.Do(s.t.Context(), pprof.Labels(leakLabel, label), func(ctx context.Context) {
			for i := 0; i < calls && !hung; i++ {
				hung = c.one(ctx).hung
			}
		})
		if hung {
			problems = append(problems, c.name+" do not return")
			continue
		}
		if left := s.settle(label, calls); left >= calls {
			problems = append(problems, fmt.Sprintf("%d %s leave %d goroutines behind", calls, c.name, left))
		}
	}
	return problems
}

// settle counts the goroutines with a label until they are few.
func (s *subject) settle(label string, many int) int {
	deadline := time.NewTimer(s.patience)
	defer deadline.Stop()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		left := labelled(label)
		if left < many {
			return left
		}
		select {
		case <-again.C:
		case <-deadline.C:
			return left
		}
	}
}

// labelled counts goroutines. The profile has groups: "3 @ 0x…" and, in one of the
// lines behind it, the labels that all three have.
func labelled(label string) (total int) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return 0 // a Buffer takes everything
	}
	mark := fmt.Sprintf("%q:%q", leakLabel, label)
	group := 0
	for line := range strings.Lines(b.String()) {
		if count, _, ok := strings.Cut(line, " @"); ok {
			if n, err := strconv.Atoi(count); err == nil {
				group = n
			}
		}
		if strings.HasPrefix(line, "# labels:") && strings.Contains(line, mark) {
			total += group
		}
	}
	return total
}
