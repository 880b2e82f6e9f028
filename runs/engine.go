package runs

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/durable"
)

// local is the engine of a Service that has no other. The Service wakes what it finds in its store.
type local struct {
	max int // how many runs it drives at a time

	mu     sync.Mutex
	queue  queue
	driven map[string]*underWay
	due    map[string]*time.Timer // of runs that wait for a time that comes soon
	kick   chan struct{}          // there is something to do
}

// underWay is a drive of a run.
type underWay struct {
	cancel    context.CancelCauseFunc
	again     bool // it was woken meanwhile
	cancelled bool // and nobody has woken it since
}

func newLocal(most int) *local {
	return &local{max: most, queue: queue{known: map[string]bool{}}, driven: map[string]*underWay{}, due: map[string]*time.Timer{}, kick: make(chan struct{}, 1)}
}

// soon is for how long a process minds a time for which a run waits, without a look into the store.
const soon = time.Minute

// Work implements [Engine].
func (e *local) Work(ctx context.Context, drive func(context.Context, string) (Next, error)) error {
	var drives sync.WaitGroup
	defer func() {
		drives.Wait()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.queue = queue{known: map[string]bool{}}
		for run := range e.due {
			e.forget(run)
		}
	}()
	for {
		for run, placed, ok := e.begin(ctx); ok; run, placed, ok = e.begin(ctx) {
			drives.Go(func() {
				next, err := drive(placed, run)
				e.over(run, next, err) //nolint:contextcheck // Work records it when ctx has ended, too
			})
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-e.kick:
		}
	}
}

// begin takes the next run that waits; false: there is none, or no place.
func (e *local) begin(ctx context.Context) (run string, placed context.Context, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ctx.Err() != nil || len(e.driven) >= e.max {
		return "", nil, false
	}
	if run, ok = e.queue.next(); !ok {
		return "", nil, false
	}
	placed, cancel := context.WithCancelCause(ctx)
	e.driven[run] = &underWay{cancel: cancel}
	return run, placed, true
}

// over gives a place back.
func (e *local) over(run string, next Next, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := e.driven[run]
	p.cancel(nil)
	delete(e.driven, run)
	pause := time.Until(next.At)
	switch {
	case p.cancelled:
	case p.again:
		e.queue.add(run)
	case err != nil: // the Service finds it again
	case !next.Ended && !next.At.IsZero() && pause <= 0:
		e.queue.add(run)
	case !next.Ended && !next.At.IsZero() && pause < soon: // what comes later, the Service finds in the store
		e.due[run] = time.AfterFunc(pause, func() { _ = e.Wake(context.Background(), run) }) // it returns none
	}
	e.look()
}

// forget has no time come for a run. e.mu is held.
func (e *local) forget(run string) {
	if t := e.due[run]; t != nil {
		t.Stop()
		delete(e.due, run)
	}
}

// Wake implements [Engine]. Its error is nil.
func (e *local) Wake(_ context.Context, run string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(run)
	if p := e.driven[run]; p != nil {
		p.again, p.cancelled = true, false
		return nil
	}
	e.queue.add(run)
	e.look()
	return nil
}

// Cancel implements [Engine]. Its error is nil.
func (e *local) Cancel(_ context.Context, run string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(run)
	delete(e.queue.known, run)
	if p := e.driven[run]; p != nil {
		p.again, p.cancelled = false, true
		p.cancel(errStopped)
	}
	return nil
}

// look has Work look for what waits. e.mu is held.
func (e *local) look() {
	select {
	case e.kick <- struct{}{}:
	default:
	}
}

// idle reports whether a run is neither driven nor in the queue.
func (e *local) idle(run string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.driven[run] == nil && !e.queue.known[run]
}

// crowded reports whether a run waits for a place.
func (e *local) crowded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.queue.known) > 0
}

// queue has the runs that wait for a place, in the order in which they came.
type queue struct {
	runs  []string
	known map[string]bool
}

func (q *queue) add(run string) {
	if !q.known[run] {
		q.known[run] = true
		q.runs = append(q.runs, run)
	}
}

func (q *queue) next() (run string, there bool) {
	for len(q.runs) > 0 && !there {
		run, q.runs = q.runs[0], q.runs[1:]
		there = q.known[run]
		delete(q.known, run) // a run that was removed keeps its place until then
	}
	return run, there
}

// places bounds the drives of this process, whatever its engine does.
type places struct {
	taken   chan struct{} // has room for as many
	waiting atomic.Int64
}

// take waits for a place. It returns false if ctx is done or closed is closed before.
func (p *places) take(ctx context.Context, closed <-chan struct{}) bool {
	select {
	case p.taken <- struct{}{}:
		return true
	default:
	}
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	select {
	case p.taken <- struct{}{}:
		return true
	case <-ctx.Done():
	case <-closed:
	}
	return false
}

func (p *places) free() { <-p.taken }

// Engine decides when and where runs are driven. It keeps which runs wait for a place or a time; the journal keeps
// everything else. A Service has one of its own: see [Config.Engine]. [runs/runstest] tests an engine.
//
// An engine drives a run once at a time in all its processes. To drive a run once too often does no harm: a drive looks
// into the journal before it does anything.
type Engine interface {
	// Work calls drive for each run that is to be driven, for any number at a time, until ctx is done. Then it waits for
	// its drives and returns the cause of ctx. Other errors say why it cannot go on. The ctx of a drive ends with that of
	// Work, and by Cancel. A Service calls Work once at a time.
	//
	// If drive returns an error, this process cannot drive the run: the engine has it driven again, by another process if
	// there is one.
	Work(ctx context.Context, drive func(ctx context.Context, run string) (Next, error)) error

	// Wake has a run driven as soon as there is room, also an unknown one, and before its Next. If the run is being driven,
	// it is driven once more after that. Several Wakes before a drive are one.
	Wake(ctx context.Context, run string) error

	// Cancel forgets a run, and ends a drive of it that is under way.
	Cancel(ctx context.Context, run string) error
}

// Next says what follows a drive. The zero Next: the run is driven when it is woken.
type Next struct {
	// Ended says that the run has its result, or was cancelled.
	Ended bool `json:"ended,omitempty"`
	// At is when the run is driven again although nobody wakes it. A time that has passed: at once, behind those who wait.
	At time.Time `json:"at,omitzero"`
}

// follows is what follows a drive that left a run like this.
func follows(state durable.State) Next {
	switch {
	case state.Stage == durable.Ended:
		return Next{Ended: true}
	case state.Stage == durable.Aside:
		return Next{}
	case state.Ready():
		return Next{At: time.Now()}
	}
	return Next{At: state.Due}
}

// in is a drive after a pause.
func in(pause time.Duration) Next { return Next{At: time.Now().Add(pause)} }
