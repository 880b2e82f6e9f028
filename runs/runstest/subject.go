package runstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/runs"
)

// subject is what is checked.
type subject struct {
	t   testing.TB
	b   Backend
	ctx func() context.Context // one that ends when the check has taken too long

	noted sync.Mutex
	found []string

	mu      sync.Mutex
	works   []*work
	drives  map[string][]*drive // by run, in the order in which they began
	changed chan struct{}       // closed at the next change of drives
	does    func(ctx context.Context, run string, n int) (runs.Next, error)
}

// drive is one that an engine made.
type drive struct {
	began, ended time.Time // ended is zero while it is under way
	by           *work
}

// work is an engine whose Work is under way.
type work struct {
	engine runs.Engine
	cancel context.CancelFunc
	over   chan struct{}
	err    error
}

var errStop = errors.New("runstest: the work is over")

// open makes an engine, and what its drives do: run is driven for the nth time, from 1.
func (s *subject) open(does func(ctx context.Context, run string, n int) (runs.Next, error)) runs.Engine {
	s.does, s.drives, s.changed = does, map[string][]*drive{}, make(chan struct{})
	return sound(s.b.New(s.t), "New")
}

// another is an engine over the same storage, or the same engine.
func (s *subject) another(e runs.Engine) runs.Engine {
	if s.b.Another == nil {
		return e
	}
	return sound(s.b.Another(s.t, e), "Another")
}

// work begins the Work of an engine.
func (s *subject) work(e runs.Engine) *work {
	ctx, cancel := context.WithCancelCause(s.ctx())
	w := &work{engine: e, cancel: func() { cancel(errStop) }, over: make(chan struct{})}
	go func() {
		defer close(w.over)
		w.err = e.Work(ctx, func(ctx context.Context, run string) (runs.Next, error) { return s.drive(ctx, w, run) })
	}()
	s.works = append(s.works, w)
	return w
}

// stop ends a Work, and waits for it.
func (w *work) stop() error {
	w.cancel()
	<-w.over
	return w.err
}

func (s *subject) stopAll() {
	for _, w := range s.works {
		w.cancel()
	}
	for _, w := range s.works {
		<-w.over
	}
}

func (s *subject) drive(ctx context.Context, w *work, run string) (runs.Next, error) {
	d := &drive{began: time.Now(), by: w}
	s.mu.Lock()
	s.drives[run] = append(s.drives[run], d)
	n := len(s.drives[run])
	s.change()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		d.ended = time.Now()
		s.change()
	}()
	return s.does(ctx, run, n)
}

// change tells who waits. s.mu is held.
func (s *subject) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// problem notes what is wrong.
func (s *subject) problem(format string, args ...any) []string {
	s.noted.Lock()
	defer s.noted.Unlock()
	s.found = append(s.found, fmt.Sprintf(format, args...))
	return s.found
}

// wake wakes a run, and notes an error.
func (s *subject) wake(e runs.Engine, run string) {
	if err := e.Wake(s.ctx(), run); err != nil {
		s.problem("Wake of run %q fails: %v", run, err)
	}
}

// await waits until n drives of a run are over; false: that took too long, and is noted.
func (s *subject) await(run string, n int, when string) bool {
	return s.awaits(func() bool {
		over := slices.DeleteFunc(slices.Clone(s.drives[run]), func(d *drive) bool { return d.ended.IsZero() })
		return len(over) >= n
	}, "run %q is not driven %d times %s", run, n, when)
}

// awaits waits until something holds that is found under s.mu; false: that took too long, and is noted.
func (s *subject) awaits(holds func() bool, format string, args ...any) bool {
	for {
		s.mu.Lock()
		ok, changed := holds(), s.changed
		s.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-s.ctx().Done():
			s.problem(format, args...)
			return false
		}
	}
}

// pause waits for a moment.
func (s *subject) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.ctx().Done():
	}
}

// quiet waits whether more than n drives of a run come, and notes it.
func (s *subject) quiet(run string, n int, when string) {
	timer := time.NewTimer(s.b.Quiet)
	defer timer.Stop()
	for {
		s.mu.Lock()
		many, changed := len(s.drives[run]), s.changed
		s.mu.Unlock()
		if many > n {
			s.problem("run %q is driven %d times %s, and %d would do", run, many, when, n)
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			return
		}
	}
}
