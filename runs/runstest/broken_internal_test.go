package runstest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/runs"
)

// table is the storage of the engines of this test.
type table struct {
	mu      sync.Mutex
	runs    map[string]*row
	changed chan struct{} // closed at the next change

	fault string // what is broken in the engines over it
}

type row struct {
	wakes  int       // that no drive has heard of
	at     time.Time // zero: none
	driven int
	cancel context.CancelCauseFunc
}

// engine is a sound one, but for the fault of its table.
type engine struct{ t *table }

func (t *table) change() {
	close(t.changed)
	t.changed = make(chan struct{})
}

func (e *engine) has(fault string) bool { return e.t.fault == fault }

func (e *engine) row(run string) *row {
	if e.has("ids of any case") {
		run = strings.ToLower(run)
	}
	r := e.t.runs[run]
	if r == nil {
		r = &row{}
		e.t.runs[run] = r
	}
	return r
}

func (e *engine) Wake(ctx context.Context, run string) error {
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	r := e.row(run)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case e.has("no wakes"), e.has("a wake lost while it is driven") && r.driven > 0,
		e.has("a wake lost before a time") && !r.at.IsZero():
		return nil
	case e.has("a wake is an error"):
		return errors.New("no")
	case e.has("a wake twice"):
		r.wakes += 2
	default:
		r.wakes = 1
	}
	r.at = time.Time{}
	e.t.change()
	return nil
}

func (e *engine) Cancel(_ context.Context, run string) error {
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	r := e.row(run)
	if e.has("a cancellation forgotten") && r.driven == 0 {
		return nil
	}
	r.wakes, r.at = 0, time.Time{}
	if r.cancel != nil && !e.has("a cancellation that no drive hears") {
		r.cancel(errors.New("cancelled"))
	}
	return nil
}

// next takes a run that is to be driven.
func (e *engine) next() (run string, r *row, due time.Time) {
	for run, r := range e.t.runs {
		soonest := r.at
		if e.has("a time a day late") {
			soonest = soonest.Add(24 * time.Hour)
		}
		come := !r.at.IsZero() && !time.Now().Before(soonest)
		if e.has("a time too early") && !r.at.IsZero() {
			come = true
		}
		free := r.driven == 0 || e.has("two drives of one run at once")
		if free && (r.wakes > 0 || come) {
			return run, r, due
		}
		if !r.at.IsZero() && (due.IsZero() || soonest.Before(due)) {
			due = soonest
		}
	}
	return "", nil, due
}

func (e *engine) Work(ctx context.Context, drive func(context.Context, string) (runs.Next, error)) error {
	var drives sync.WaitGroup
	if !e.has("does not wait for its drives") {
		defer drives.Wait()
	}
	if e.has("begins with nothing") {
		e.t.mu.Lock()
		clear(e.t.runs)
		e.t.mu.Unlock()
	}
	for ctx.Err() == nil || e.has("goes on for ever") {
		e.t.mu.Lock()
		run, r, due := e.next()
		if r == nil {
			changed := e.t.changed
			e.t.mu.Unlock()
			wait := time.Hour
			if !due.IsZero() {
				wait = time.Until(due)
			}
			select {
			case <-ctx.Done():
				if e.has("goes on for ever") {
					time.Sleep(time.Millisecond)
				}
			case <-changed:
			case <-time.After(wait):
			}
			continue
		}
		if r.wakes > 0 {
			r.wakes--
		}
		r.at = time.Time{}
		r.driven++
		var placed context.Context
		placed, r.cancel = context.WithCancelCause(ctx)
		e.t.mu.Unlock()
		one := func() { e.drive(placed, run, r, drive) }
		if e.has("one after the other") {
			one()
			continue
		}
		drives.Go(one)
	}
	if e.has("no cause") {
		return nil
	}
	return context.Cause(ctx)
}

func (e *engine) drive(ctx context.Context, run string, r *row, drive func(context.Context, string) (runs.Next, error)) {
	next, err := drive(ctx, run)
	if e.has("a goroutine for each that waits") {
		go func() { <-time.After(3 * time.Second) }()
	}
	e.t.mu.Lock()
	defer e.t.mu.Unlock()
	r.driven--
	switch {
	case ctx.Err() != nil && err == nil && !e.has("a cancellation that the end of the drive forgets"):
	case err != nil:
		if !e.has("forgets what a process refused") {
			r.wakes = 1
		}
	case next.Ended && !e.has("a drive after the end"):
	default:
		if r.wakes == 0 {
			r.at = next.At
		}
	}
	e.t.change()
}

func backend(fault string) Backend {
	return Backend{
		New: func(testing.TB) runs.Engine {
			return &engine{&table{runs: map[string]*row{}, changed: make(chan struct{}), fault: fault}}
		},
		Another: func(_ testing.TB, e runs.Engine) runs.Engine { return &engine{e.(*engine).t} },
		Quiet:   150 * time.Millisecond,
	}
}

// recorder is a test that notes its failures.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	text strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.text, format, args...)
}

func (r *recorder) Error(args ...any) { r.Errorf("%s", fmt.Sprint(args...)) }
func (r *recorder) FailNow()          { runtime.Goexit() }

// failures makes a check and returns what it finds.
func failures(t *testing.T, name string, b Backend) string {
	at := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
	require.GreaterOrEqual(t, at, 0, name)
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.check(r, checks[at].test)
	}()
	<-done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func TestSoundEngine(t *testing.T) { RunEngine(t, backend("")) }

func TestSoundEngineAlone(t *testing.T) {
	b := backend("")
	b.Another = nil
	RunEngine(t, b)
}

func TestBrokenEngines(t *testing.T) {
	for fault, c := range map[string]struct{ check, want string }{
		"no wakes":                                         {"woken", "is not driven 1 times although it was woken"},
		"a wake twice":                                     {"woken", "for Wakes before Work"},
		"a wake is an error":                               {"woken", `Wake of run "run 1"`},
		"begins with nothing":                              {"woken", "although it was woken before Work"},
		"a wake lost while it is driven":                   {"woken meanwhile", "is not driven 2 times although it was woken while it was driven"},
		"two drives of one run at once":                    {"one at a time", "is driven twice at a time"},
		"a time a day late":                                {"at a time", "is not driven 2 times although the time has come"},
		"a time too early":                                 {"at a time", "before its time"},
		"a wake lost before a time":                        {"at a time", "although it was woken, an hour before its time"},
		"a drive after the end":                            {"ended", "although it has ended"},
		"a cancellation forgotten":                         {"cancelled", "although it was cancelled"},
		"a cancellation that the end of the drive forgets": {"cancelled", "although it was cancelled while it was driven"},
		"a cancellation that no drive hears":               {"cancelled", "the context of a drive is not done although the run was cancelled"},
		"one after the other":                              {"several at a time", "two runs are not driven at the same time"},
		"forgets what a process refused":                   {"another", "although the processes that drove it could not"},
		"does not wait for its drives":                     {"over", "Work returns while a run is being driven"},
		"no cause":                                         {"over", "the error of Work is the cause of its context"},
		"goes on for ever":                                 {"over", "Work goes on although its context is done"},
		"ids of any case":                                  {"ids", `run "A" is not driven 1 times`},
		"a goroutine for each that waits":                  {"waiting", "more runs that wait for a week"},
		"another storage":                                  {"another", "although another engine was told to"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			b := backend(fault)
			b.patience = time.Second
			if fault == "another storage" {
				b.Another = func(t testing.TB, _ runs.Engine) runs.Engine { return b.New(t) }
			}
			assert.Contains(t, failures(t, c.check, b), c.want)
		})
	}
}
