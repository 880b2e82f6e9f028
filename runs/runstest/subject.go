package runstest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/runs"
)

// drive is what the drives of a check do: run is driven for the nth time, from 1.
type drive func(ctx context.Context, run string, n int) (runs.Next, error)

// waits is a drive after which the run waits until it is woken.
func waits(context.Context, string, int) (runs.Next, error) { return runs.Next{}, nil }

// subject is a check under way.
type subject struct {
	testing.TB
	b Backend

	mu      sync.Mutex
	began   map[string][]time.Time // the drives of a run
	ended   map[string][]time.Time
	changed chan struct{} // closed at the next change of began and ended
}

// work is a Work under way.
type work struct {
	cancel context.CancelCauseFunc
	over   chan struct{}
	err    error
}

var errStop = errors.New("runstest: the work is over")

// work begins the Work of an engine.
func (s *subject) work(e runs.Engine, do drive) *work {
	ctx, cancel := context.WithCancelCause(s.Context())
	w := &work{cancel: cancel, over: make(chan struct{})}
	s.Cleanup(func() { _ = s.stop(w) }) // "over" checks its error
	go func() {
		defer close(w.over)
		w.err = e.Work(ctx, func(ctx context.Context, run string) (runs.Next, error) {
			n := s.note(s.began, run)
			defer s.note(s.ended, run)
			return do(ctx, run, n)
		})
	}()
	return w
}

// note notes that a drive of a run began or ended, and returns how many have.
func (s *subject) note(list map[string][]time.Time, run string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	list[run] = append(list[run], time.Now())
	if len(s.began[run]) > len(s.ended[run])+1 {
		s.Errorf("run %q is driven twice at a time", run)
	}
	close(s.changed)
	s.changed = make(chan struct{})
	return len(list[run])
}

// drives returns when the drives of a run began.
func (s *subject) drives(run string) []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.began[run])
}

// stop ends a Work and returns its error.
func (s *subject) stop(w *work) error {
	w.cancel(errStop)
	if !s.happens(w.over) {
		s.Error("Work goes on although its context is done")
		return nil
	}
	return w.err
}

// happens reports whether a channel is closed while a check has patience.
func (s *subject) happens(closed <-chan struct{}) bool {
	select {
	case <-closed:
		return true
	case <-time.After(s.b.patience):
		return false
	}
}

func (s *subject) wake(e runs.Engine, list ...string) {
	for _, run := range list {
		assert.NoError(s, e.Wake(s.Context(), run), "Wake of run %q", run)
	}
}

// await waits until n drives of a run are over.
func (s *subject) await(run string, n int, why string) {
	s.Helper()
	require.True(s, s.until(func() bool { return len(s.ended[run]) >= n }), "run %q is not driven %d times %s", run, n, why)
}

// until waits until a condition holds. It reports whether it does while a check has patience.
func (s *subject) until(holds func() bool) bool {
	limit := time.After(s.b.patience)
	for {
		s.mu.Lock()
		ok, changed := holds(), s.changed
		s.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-limit:
			return false
		}
	}
}

// quiet waits for more than n drives of a run. None must come.
func (s *subject) quiet(run string, n int, why string) {
	s.Helper()
	<-time.After(s.b.Quiet)
	require.LessOrEqual(s, len(s.drives(run)), n, "the drives of run %q %s", run, why)
}
