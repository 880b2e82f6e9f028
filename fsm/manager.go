package fsm

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Manager is the registry of a kind's states and the table of its edges.
// States are made when they are first looked up, once, and shared by every
// agent of the kind. A *Manager is a [Set].
//
// Look-ups take no lock and may run beside registrations. The edges are fixed
// when the Manager is made; [Manager.With] makes a copy with more of them.
// [NewManager] and [Table] make a Manager; its zero value cannot be used.
type Manager[A Agent] struct {
	kind  string
	edges []Edge
	from  map[Status][]Edge // edges by their From, so that a step scans only its own

	mu     sync.Mutex // serialises writers; readers take the map as it is
	states atomic.Pointer[map[Status]*entry[A]]
	right  atomic.Pointer[map[Status]*entry[A]] // the states with which Validate found nothing wrong
}

// entry is one registered status. Its state is made outside of every lock of
// the Manager, so that a constructor may look up other states.
type entry[A Agent] struct {
	newState func() State[A]
	row      *Row[A] // what Table knows of the state before it is made; nil: it did not register it
	given    bool    // AddState got the state as it is
	once     sync.Once
	made     atomic.Pointer[made[A]]
	replaced atomic.Bool // by AddState
}

type made[A Agent] struct {
	state State[A]
	bound *Bound
}

// NewManager returns an empty registry for agents of the named kind, such as
// "AppAgent". Register its states before a Round uses it. The start is an edge
// without From.
func NewManager[A Agent](kind string, edges ...Edge) *Manager[A] {
	m := &Manager[A]{kind: kind, edges: mergeEdges(nil, edges), from: map[Status][]Edge{}}
	for _, e := range m.edges {
		m.from[e.From] = append(m.from[e.From], e)
	}
	m.states.Store(&map[Status]*entry[A]{})
	return m
}

// Table returns a Manager with one state for each row. It is meant for
// package-level tables and panics when [Manager.Validate] finds something, as
// regexp.MustCompile does.
func Table[A Agent](kind string, rows []Row[A], edges ...Edge) *Manager[A] {
	m := NewManager[A](kind, edges...)
	for _, row := range rows {
		if err := m.register(row.Status, &entry[A]{newState: row.State, row: &row}); err != nil {
			panic(err)
		}
	}
	if err := m.Validate(); err != nil {
		panic(err)
	}
	return m
}

// Kind returns the name of the kind of agent.
func (m *Manager[A]) Kind() string { return m.kind }

// Edges returns a copy of the table, in the order in which it was written.
func (m *Manager[A]) Edges() []Edge { return slices.Clone(m.edges) }

// Register adds a state by its constructor, which is called once, when the
// state is first needed, and outside of any lock. It may look up other states,
// but not in a circle. One that returns nil or panics is not called again: the
// panic is the first caller's, and later look-ups find the none state.
// A duplicate, an empty status and a nil constructor are refused.
func (m *Manager[A]) Register(status Status, newState func() State[A]) error {
	return m.register(status, &entry[A]{newState: newState})
}

func (m *Manager[A]) register(status Status, e *entry[A]) error {
	switch {
	case status == "":
		return m.refuse(status, "the status is empty")
	case e.newState == nil:
		return m.refuse(status, "the state is nil")
	}
	return m.put(status, e, false)
}

// AddState registers an instance at run time, replacing what was there. A step
// that is under way finishes with the old one. The next step is the new one's, also
// of an agent that stays in that status, or that a Round left there when it stopped.
// An empty status and a nil state are refused.
func (m *Manager[A]) AddState(status Status, s State[A]) error {
	switch {
	case status == "":
		return m.refuse(status, "the status is empty")
	case nilcheck.IsNil(s):
		return m.refuse(status, "the state is nil")
	}
	e := &entry[A]{newState: func() State[A] { return s }, given: true}
	m.make(e, status)
	return m.put(status, e, true)
}

func (m *Manager[A]) refuse(status Status, problem string) error {
	return &kindError{ErrTable, fmt.Sprintf("fsm: register %q in %s: %s", status, m.kind, problem)}
}

func (m *Manager[A]) put(status Status, e *entry[A], replace bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := *m.states.Load()
	before, there := old[status]
	if there && !replace {
		return m.refuse(status, "it is registered already")
	}
	states := maps.Clone(old)
	states[status] = e
	m.states.Store(&states)
	if there {
		before.replaced.Store(true) // only now, so that whoever looks again finds the new one
	}
	return nil
}

// State returns the state of that status: the same instance at every call. For
// a status that is not registered it returns the none state, whose Handle
// reports [ErrUnknownStatus] and which ends nothing.
func (m *Manager[A]) State(status Status) State[A] {
	if got := m.get(status); got != nil {
		return got.state
	}
	return m.none(status)
}

// Bind returns the state of that status with its type erased and its edges at
// hand, for a Round. It is never nil.
func (m *Manager[A]) Bind(status Status) *Bound {
	if got := m.get(status); got != nil {
		return got.bound
	}
	none := m.none(status)
	b := m.bind(status, none)
	b.unknown = none.err()
	return b
}

// peek is Bind for a look at the table: it makes no state. known is false where only a
// state that is not made yet could say whether it ends.
func (m *Manager[A]) peek(status Status) (b *Bound, name Status, known bool) {
	e := (*m.states.Load())[status]
	b = &Bound{kind: m.kind, status: status, edges: m.from[status]}
	if e == nil {
		return m.Bind(status), status, true
	}
	switch got := e.made.Load(); {
	case got != nil && got.state != nil:
		return got.bound, got.state.Name(), true
	case got != nil:
		return m.Bind(status), status, true
	case e.row != nil:
		b.roundEnd, b.subtaskEnd, b.claims = e.row.RoundEnd, e.row.SubtaskEnd, e.row.Success
		return b, status, true
	}
	return b, status, false
}

// get returns nil for an unknown status and for a constructor that returned nil.
func (m *Manager[A]) get(status Status) *made[A] {
	e := (*m.states.Load())[status]
	if e == nil {
		return nil
	}
	got := e.made.Load()
	if got == nil {
		got = m.make(e, status)
	}
	if got.state == nil {
		return nil
	}
	return got
}

func (m *Manager[A]) make(e *entry[A], status Status) *made[A] {
	e.once.Do(func() {
		// A constructor that panics must not leave its entry half made: later
		// look-ups find no state instead of a nil one.
		got := &made[A]{}
		defer func() { e.made.Store(got) }()
		if s := e.newState(); !nilcheck.IsNil(s) {
			got = &made[A]{state: s, bound: m.bind(status, s)}
			got.bound.replaced = &e.replaced
		}
	})
	return e.made.Load()
}

func (m *Manager[A]) none(status Status) noneState[A] {
	known := slices.DeleteFunc(m.Statuses(), func(s Status) bool { return s == status }) // its constructor gave nothing
	return noneState[A]{kind: m.kind, status: status, known: known}
}

// StateMap returns a copy of what has been instantiated so far.
func (m *Manager[A]) StateMap() map[Status]State[A] {
	all := map[Status]State[A]{}
	for status, e := range *m.states.Load() {
		if got := e.made.Load(); got != nil && got.state != nil {
			all[status] = got.state
		}
	}
	return all
}

// Statuses returns what is registered, sorted.
func (m *Manager[A]) Statuses() []Status {
	return slices.Sorted(maps.Keys(*m.states.Load()))
}

// With returns a copy with more edges. An edge that is there already gains the
// causes. The copy has the same states and shares no later change. It calls
// their constructors again for instances of its own; what AddState put in is
// an instance, and both have that one. Validate the copy when the edges come
// from elsewhere.
func (m *Manager[A]) With(edges ...Edge) *Manager[A] {
	c := NewManager[A](m.kind, mergeEdges(m.Edges(), edges)...)
	old := *m.states.Load()
	states := make(map[Status]*entry[A], len(old))
	for status, e := range old {
		states[status] = &entry[A]{newState: e.newState, row: e.row, given: e.given}
		if e.given {
			c.make(states[status], status)
		}
	}
	c.states.Store(&states)
	return c
}
