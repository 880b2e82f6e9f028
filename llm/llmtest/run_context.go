package llmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// inFlight waits a moment, so that most models are in the middle of a call. It says
// what is wrong if the call is over.
func (s *subject) inFlight(done <-chan outcome) string {
	o, over := within(20*time.Millisecond, done)
	switch {
	case !over:
		return ""
	case s.broken(o) != "":
		return "a call that should last: " + s.broken(o)
	}
	return fmt.Sprintf("a call that should last returns before its context has ended (error: %v)", o.err)
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
	cancelled, cancel := context.WithCancel(s.t.Context())
	cancel()
	late, cancel := context.WithDeadline(s.t.Context(), time.Now())
	defer cancel()
	for name, m := range map[string]llm.Model{"Good": s.Good(s.t), "Slow": s.Slow(s.t)} {
		for _, ctx := range []context.Context{cancelled, late} {
			if problem := s.misreported(s.call(ctx, m, question(30)), ctx.Err()); problem != "" {
				problems = append(problems, fmt.Sprintf("a model of Backend.%s, called after %v: %s", name, ctx.Err(), problem))
			}
		}
	}
	return problems
}

func findDeafDuring(s *subject) (problems []string) {
	m := s.Slow(s.t)
	if problem := s.cancelled(s.t.Context(), m); problem != "" {
		problems = append(problems, fmt.Sprintf("during a call, at %v: %s", context.Canceled, problem))
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Millisecond)
	defer cancel()
	if problem := s.misreported(s.call(ctx, m, question(41)), context.DeadlineExceeded); problem != "" {
		problems = append(problems, fmt.Sprintf("during a call, at %v: %s", context.DeadlineExceeded, problem))
	}
	return problems
}

// cancelled cancels a call of a slow model, and says what is wrong.
func (s *subject) cancelled(ctx context.Context, m llm.Model) string {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := start(ctx, m, question(40))
	if problem := s.inFlight(done); problem != "" {
		return problem
	}
	cancel()
	return s.misreported(s.wait(done), context.Canceled)
}

var leakChecks atomic.Int64

// findLeaks counts what calls leave behind. A few goroutines may stay, such as those of
// an idle connection, but not one for every call.
func findLeaks(s *subject) (problems []string) {
	const calls = 12
	good, slow := s.Good(s.t), s.Slow(s.t)
	for _, c := range []struct {
		name string
		call func(context.Context)
	}{
		{"calls that succeed", func(ctx context.Context) { s.call(ctx, good, question(50)) }},
		{"calls that are cancelled", func(ctx context.Context) { s.cancelled(ctx, slow) }},
	} {
		// Goroutines inherit the label. Those of a backend in this process have started before.
		label := fmt.Sprint("llmtest ", leakChecks.Add(1))
		pprof.Do(s.t.Context(), pprof.Labels("check", label), func(ctx context.Context) {
			for range calls {
				c.call(ctx)
			}
		})
		if !s.until(func() bool { return labelled(label) < calls }) {
			problems = append(problems, fmt.Sprintf("%d %s leave %d goroutines behind", calls, c.name, labelled(label)))
		}
	}
	return problems
}

// until waits until a condition holds.
func (s *subject) until(holds func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.After(s.patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-end:
			return false
		case <-s.t.Context().Done():
			return false
		}
	}
	return true
}

// labelled counts goroutines. The profile has groups that begin with "3 @ 0x…", and their labels in the next line.
func labelled(label string) (total int) {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return 0 // a Buffer takes everything
	}
	groups := regexp.MustCompile(`(?m)^(\d+) @.*\n# labels: .*"check":` + regexp.QuoteMeta(strconv.Quote(label)))
	for _, group := range groups.FindAllStringSubmatch(b.String(), -1) {
		n, _ := strconv.Atoi(group[1]) // the pattern has digits only
		total += n
	}
	return total
}
