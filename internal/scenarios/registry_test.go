package scenarios_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

func newLeg(name fsm.Status) func() fsm.State[*runner] {
	return func() fsm.State[*runner] { return &leg{name: name} }
}

func TestScenario08_NoneState(t *testing.T) {
	m := fsm.NewManager[*runner]("Kind")
	require.NoError(t, m.Register("B", newLeg("B")))
	require.NoError(t, m.Register("A", newLeg("A")))
	var log []string
	r := &runner{name: "r", states: m, log: &log}

	none, bound := m.State("NOPE"), m.Bind("NOPE")
	require.NotNil(t, none)
	assert.False(t, bound.Known())
	for name, handle := range map[string]func() error{
		"state": func() error { return none.Handle(t.Context(), r) },
		"bound": func() error { return bound.Handle(t.Context(), r) },
	} {
		require.ErrorIs(t, handle(), fsm.ErrUnknownStatus, name)
		require.EqualError(t, handle(), `fsm: Kind has no state "NOPE", only A, B`, name)
	}
	assert.False(t, none.IsRoundEnd())
	assert.False(t, none.IsSubtaskEnd())
	assert.False(t, bound.Terminal())
	assert.Same(t, r, none.NextAgent(r))

	require.NoError(t, m.Register("NOPE", newLeg("NOPE")))
	assert.True(t, m.Bind("NOPE").Known(), "a later registration is found")
	assert.NoError(t, m.State("NOPE").Handle(t.Context(), r))
	require.NoError(t, m.AddState("NEITHER", &leg{name: "NEITHER"}))
	assert.True(t, m.Bind("NEITHER").Known())
}

func TestScenario08_UnknownNamesGrowNothing(t *testing.T) {
	m := hostagent.States().With()
	m.State(fsm.Continue)
	statuses, made := m.Statuses(), len(m.StateMap())
	heap := func() int64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before := heap()
	long := strings.Repeat("X", 2048)
	for i := range 10_000 {
		name := fsm.Status(fmt.Sprintf("%s%d", long, i))
		require.Equal(t, name, m.State(name).Name())
		require.False(t, m.Bind(name).Known())
	}
	grown := heap() - before
	assert.Less(t, grown, int64(5<<20), "the names alone have 20 MB")
	assert.Equal(t, statuses, m.Statuses())
	assert.Len(t, m.StateMap(), made)
	runtime.KeepAlive(m)
}

// A status that nobody registered ends no round as a success or in silence.
func TestScenario08_UnknownStatusInARound(t *testing.T) {
	nope := func(*runner) fsm.Status { return "NOPE" }
	for name, edges := range map[string][]fsm.Edge{
		"not in the table either":    nil,
		"in the table by a mistake":  {{From: fsm.Continue, To: "NOPE", By: fsm.BySystem}},
		"in the table for any agent": {{From: fsm.Continue, To: "NOPE", Kind: fsm.AnyKind, By: fsm.BySystem}},
	} {
		t.Run(name, func(t *testing.T) {
			var log []string
			m := runners(t, "Kind", []*leg{
				{name: fsm.Continue, to: nope},
				{name: fsm.Finish, ends: true, to: nope},
				{name: fsm.Error, ends: true, to: nope},
			}, append([]fsm.Edge{{To: fsm.Continue, By: fsm.BySystem}}, edges...)...)
			s := onStage(t)
			res, err := s.drive(&runner{name: "r", states: m, log: &log}, "go").Run(t.Context())
			require.ErrorIs(t, err, fsm.ErrUnknownStatus)
			require.ErrorContains(t, err, `has no state "NOPE"`)
			require.ErrorIs(t, err, round.ErrFault)
			assert.Equal(t, round.Faulted, res.Outcome)
			assert.Empty(t, res.Answer)
			assert.Equal(t, []string{"r:CONTINUE", "r:ERROR"}, s.positions())
		})
	}
	t.Run("at the start", func(t *testing.T) {
		var log []string
		m := runners(t, "Kind", nil, fsm.Edge{To: "NOPE", By: fsm.BySystem})
		_, err := round.New(&runner{name: "r", states: m, log: &log}, "go", nil)
		require.ErrorIs(t, err, fsm.ErrUnknownStatus)
	})
	t.Run("from the model", func(t *testing.T) {
		s := onStage(t, status("DANCE"), map[string]any{"Status": " finish ", "Comment": "done"})
		res, err := s.run("go")
		require.NoError(t, err)
		assert.Equal(t, 2, res.Calls)
		assert.Equal(t, 1, res.Transitions)
		assert.Contains(t, prompt[string](s, 1, "last_error"), `"DANCE"`)
	})
}

func TestScenario09_RegistrationErrors(t *testing.T) {
	type manager = *fsm.Manager[*runner]
	uncalled := func() fsm.State[*runner] { panic("a refused constructor is not called") }
	for name, c := range map[string]struct {
		call   func(manager) error
		status fsm.Status
		want   string
	}{
		"register twice":            {func(m manager) error { return m.Register("A", uncalled) }, "A", "it is registered already"},
		"register what was added":   {func(m manager) error { return m.Register("ADDED", uncalled) }, "ADDED", "it is registered already"},
		"register the empty status": {func(m manager) error { return m.Register("", uncalled) }, "", "the status is empty"},
		"register nil":              {func(m manager) error { return m.Register("B", nil) }, "B", "the state is nil"},
		"add the empty status":      {func(m manager) error { return m.AddState("", &leg{}) }, "", "the status is empty"},
		"add nil":                   {func(m manager) error { return m.AddState("B", nil) }, "B", "the state is nil"},
		"add a nil pointer":         {func(m manager) error { return m.AddState("B", (*leg)(nil)) }, "B", "the state is nil"},
		"replace by nil":            {func(m manager) error { return m.AddState("A", nil) }, "A", "the state is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			m := fsm.NewManager[*runner]("Kind")
			require.NoError(t, m.Register("A", newLeg("A")))
			require.NoError(t, m.AddState("ADDED", &leg{name: "ADDED"}))
			a := m.State("A")

			err := c.call(m)

			require.EqualError(t, err, fmt.Sprintf("fsm: register %q in Kind: %s", c.status, c.want))
			assert.Equal(t, []fsm.Status{"A", "ADDED"}, m.Statuses())
			assert.Len(t, m.StateMap(), 2)
			assert.Same(t, a, m.State("A"))
			assert.False(t, m.Bind("B").Known())
		})
	}
}

func TestScenario09_AddStateReplaces(t *testing.T) {
	m := fsm.NewManager[*runner]("Kind", fsm.Edge{From: "A", To: "B", By: fsm.ByUser})
	require.NoError(t, m.Register("A", newLeg("A")))
	require.NoError(t, m.Register("B", func() fsm.State[*runner] { panic("it was replaced before it was needed") }))
	old, bound := m.State("A"), m.Bind("A")
	a, b := &leg{name: "A", ends: true}, &leg{name: "B"}
	require.NoError(t, m.AddState("A", a))
	require.NoError(t, m.AddState("B", b))
	assert.NotSame(t, old, m.State("A"))
	assert.Same(t, a, m.State("A"))
	assert.Same(t, b, m.State("B"))
	assert.Equal(t, map[fsm.Status]fsm.State[*runner]{"A": a, "B": b}, m.StateMap())
	assert.True(t, m.Bind("A").Terminal())
	assert.True(t, m.Bind("A").Permits("B", "", 0), "the edges stay")
	assert.False(t, bound.Terminal(), "a step that is under way ends with the old one")
}

func TestScenario10_ManagersShareNothing(t *testing.T) {
	m, n := fsm.NewManager[*runner]("Kind"), fsm.NewManager[*runner]("Kind")
	require.NoError(t, m.Register("A", newLeg("A")))
	assert.Empty(t, n.Statuses())
	require.NoError(t, n.Register("A", newLeg("A")))
	assert.NotSame(t, m.State("A"), n.State("A"))
	require.NoError(t, n.AddState("B", &leg{name: "B"}))
	assert.False(t, m.Bind("B").Known())
}

func TestScenario10_WithSharesNoLaterChange(t *testing.T) {
	edge := fsm.Edge{From: "A", To: "B", By: fsm.ByUser}
	m := fsm.NewManager[*runner]("Kind", edge)
	require.NoError(t, m.Register("A", newLeg("A")))
	require.NoError(t, m.Register("B", newLeg("B")))
	more := fsm.Edge{From: "B", To: "A", By: fsm.BySystem}
	c := m.With(fsm.Edge{From: "A", To: "B", By: fsm.ByTimeout}, more)
	assert.Equal(t, "Kind", c.Kind())
	assert.Equal(t, []fsm.Status{"A", "B"}, c.Statuses())
	assert.Equal(t, []fsm.Edge{edge}, m.Edges())
	assert.Equal(t, []fsm.Edge{{From: "A", To: "B", By: fsm.ByUser | fsm.ByTimeout}, more}, c.Edges())
	assert.False(t, m.Bind("B").Permits("A", "", 0))
	assert.True(t, c.Bind("B").Permits("A", "", 0))

	kept := m.State("A")
	require.NoError(t, c.AddState("A", &leg{name: "A", ends: true}))
	require.NoError(t, c.Register("IN COPY", newLeg("IN COPY")))
	require.NoError(t, m.Register("IN ORIGINAL", newLeg("IN ORIGINAL")))
	require.NoError(t, m.AddState("B", &leg{name: "B", ends: true}))
	assert.Same(t, kept, m.State("A"))
	assert.False(t, c.Bind("B").Terminal())
	assert.Equal(t, []fsm.Status{"A", "B", "IN ORIGINAL"}, m.Statuses())
	assert.Equal(t, []fsm.Status{"A", "B", "IN COPY"}, c.Statuses())
	m.Edges()[0].To = "X"
	assert.Equal(t, edge, m.Edges()[0], "what is handed out is a copy")
	assert.True(t, c.Bind("A").Permits("B", "", 0))
}

func TestScenario10_SharedRegistriesStayAsTheyAre(t *testing.T) {
	registry, before := hostagent.States(), hostagent.States().Edges()
	unattended := registry.With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
	assert.Same(t, registry, hostagent.States())
	assert.Equal(t, before, hostagent.States().Edges())

	own := onStage(t, status(fsm.Fail))
	own.Config.States = unattended
	_, err := own.run("give up")
	require.ErrorIs(t, err, round.ErrFailed)
	shared := onStage(t, status(fsm.Fail), finish("done"))
	shared.Config.User = &person{}
	_, err = shared.run("give up")
	require.NoError(t, err, "a host that was given no table of its own may not write FAIL")
}

func TestScenario10_ManyGoroutines(t *testing.T) {
	const goroutines, chain = 64, 12
	m := fsm.NewManager[*runner]("Kind", fsm.Edge{To: "S00", By: fsm.BySystem})
	name := func(i int) fsm.Status { return fsm.Status(fmt.Sprintf("S%02d", i)) }
	var made [chain + goroutines]atomic.Int32
	var came atomic.Int32
	constructor := func(i int) func() fsm.State[*runner] {
		return func() fsm.State[*runner] {
			made[i].Add(1)
			switch {
			case i == chain-1:
				// The first of all: it takes until everybody wants what it makes.
				for came.Load() < goroutines {
					runtime.Gosched()
				}
				for range 1000 {
					runtime.Gosched()
				}
				fallthrough
			case 0 < i && i < chain:
				m.State(name(i - 1)) // the last one makes them all
			}
			return &leg{name: name(i)}
		}
	}
	for i := range chain {
		require.NoError(t, m.Register(name(i), constructor(i)))
	}
	var seen [goroutines][chain]fsm.State[*runner]
	var done sync.WaitGroup
	for g := range goroutines {
		done.Go(func() {
			came.Add(1)
			m.State(name(chain - 1))
			own := chain + g
			assert.NoError(t, m.Register(name(own), constructor(own)))
			for i := range chain {
				at := (i*5 + g) % chain // each in an order of its own
				seen[g][at] = m.State(name(at))
			}
			assert.True(t, m.Bind(name(own)).Known())
			m.Statuses()
			m.StateMap()
			m.With(fsm.Edge{From: name(own), To: "S00", By: fsm.ByUser})
		})
	}
	done.Wait()
	for i := range made {
		assert.EqualValues(t, 1, made[i].Load(), name(i))
	}
	for i := range chain {
		for g := range goroutines {
			assert.Same(t, m.State(name(i)), seen[g][i])
		}
	}
	assert.Len(t, m.Statuses(), chain+goroutines)
}
