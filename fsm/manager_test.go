package fsm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

func TestRegistrationErrors(t *testing.T) {
	add := func(s fsm.Status, state fsm.State[*agent]) func(*fsm.Manager[*agent]) error {
		return func(m *fsm.Manager[*agent]) error { return m.AddState(s, state) }
	}
	reg := func(s fsm.Status, f func() fsm.State[*agent]) func(*fsm.Manager[*agent]) error {
		return func(m *fsm.Manager[*agent]) error { return m.Register(s, f) }
	}
	tests := []struct {
		name string
		call func(*fsm.Manager[*agent]) error
		text string
	}{
		{"register a duplicate", reg("A", newPlain("A")), `fsm: register "A" in Kind: it is registered already`},
		{"register the empty status", reg("", newPlain("")), `fsm: register "" in Kind: the status is empty`},
		{"register nothing", reg("B", nil), `fsm: register "B" in Kind: the state is nil`},
		{"add the empty status", add("", &plain{}), "the status is empty"},
		{"add nil", add("B", nil), "the state is nil"},
		{"add a nil pointer", add("B", (*plain)(nil)), "the state is nil"},
		{"replace by nil", add("A", nil), "the state is nil"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := fsm.NewManager[*agent]("Kind")
			register(t, m, "A")
			before := m.State("A")

			err := test.call(m)

			require.ErrorContains(t, err, test.text)
			assert.Equal(t, []fsm.Status{"A"}, m.Statuses(), "nothing is half registered")
			assert.Same(t, before, m.State("A"))
		})
	}
}

func TestStatesAreMadeOnceWhenNeeded(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind")
	made := 0
	require.NoError(t, m.Register("A", func() fsm.State[*agent] { made++; return &plain{name: "A"} }))
	register(t, m, "B")
	assert.Equal(t, []fsm.Status{"A", "B"}, m.Statuses())
	assert.Empty(t, m.StateMap())
	assert.Zero(t, made, "a registration makes nothing")

	first := m.State("A")
	assert.Same(t, first, m.State("A"))
	assert.Same(t, m.Bind("A"), m.Bind("A"))
	assert.Equal(t, 1, made)

	all := m.StateMap()
	assert.Equal(t, map[fsm.Status]fsm.State[*agent]{"A": first}, all)
	delete(all, "A")
	assert.Len(t, m.StateMap(), 1, "StateMap is a copy")
}

func TestNoneState(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind")
	register(t, m, "B", "A")
	a := &agent{states: m}

	none := m.State("NOPE")
	assert.Equal(t, fsm.Status("NOPE"), none.Name())
	assert.Equal(t, fsm.Error, none.NextState(a))
	assert.Same(t, a, none.NextAgent(a))
	assert.False(t, none.IsRoundEnd())
	assert.False(t, none.IsSubtaskEnd())
	err := none.Handle(t.Context(), a)
	require.ErrorIs(t, err, fsm.ErrUnknownStatus)
	require.EqualError(t, err, `fsm: Kind has no state "NOPE", only A, B`)
	assert.Empty(t, m.StateMap())

	b := m.Bind("NOPE")
	require.NotNil(t, b)
	assert.False(t, b.Known())
	assert.False(t, b.Terminal())
	require.ErrorIs(t, b.Handle(t.Context(), a), fsm.ErrUnknownStatus)

	register(t, m, "NOPE")
	assert.True(t, m.Bind("NOPE").Known(), "a later registration is found")
}

func TestUnknownNamesAreNotKept(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind")
	register(t, m, "A")
	for i := range 10_000 {
		name := fsm.Status(fmt.Sprintf("INVENTED %d", i))
		require.False(t, m.Bind(name).Known())
		require.Equal(t, name, m.State(name).Name())
	}
	assert.Equal(t, []fsm.Status{"A"}, m.Statuses())
	assert.Empty(t, m.StateMap())
	assert.NotSame(t, m.Bind("INVENTED 1"), m.Bind("INVENTED 1"))
}

func TestAddStateReplaces(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind", fsm.Edge{From: "A", To: "B", By: fsm.ByUser})
	register(t, m, "A", "B")
	old, bound := m.State("A"), m.Bind("A")

	replaced := &plain{name: "A", end: true}
	require.NoError(t, m.AddState("A", replaced))

	assert.Same(t, replaced, m.State("A"))
	assert.NotSame(t, old, m.State("A"))
	assert.True(t, m.Bind("A").Terminal())
	assert.True(t, m.Bind("A").Permits("B", "", 0), "the edges are those of the table")
	assert.False(t, bound.Terminal(), "a step under way finishes with the old one")
	assert.Contains(t, m.StateMap(), fsm.Status("A"))
	assert.ErrorContains(t, m.Register("A", newPlain("A")), "registered already")
}

func TestWith(t *testing.T) {
	edge := func(from, to fsm.Status, by fsm.Cause) fsm.Edge { return fsm.Edge{From: from, To: to, By: by} }
	m := fsm.NewManager[*agent]("Kind", edge("", "A", fsm.BySystem), edge("A", "B", fsm.ByUser))
	register(t, m, "A", "B")
	added := &plain{name: "C"}
	require.NoError(t, m.AddState("C", added))
	original := m.State("A")

	c := m.With(edge("A", "B", fsm.ByModel), edge("B", "A", fsm.BySystem))

	assert.Equal(t, "Kind", c.Kind())
	assert.Equal(t, []fsm.Edge{edge("", "A", fsm.BySystem), edge("A", "B", fsm.ByUser|fsm.ByModel), edge("B", "A", fsm.BySystem)}, c.Edges())
	assert.Equal(t, []fsm.Edge{edge("", "A", fsm.BySystem), edge("A", "B", fsm.ByUser)}, m.Edges())
	assert.Empty(t, c.StateMap(), "it makes its own instances")
	assert.NotSame(t, original, c.State("A"))
	assert.Same(t, added, c.State("C"), "an instance stays the instance that it is")
	assert.True(t, c.Bind("B").Permits("A", "", 0))
	assert.False(t, m.Bind("B").Permits("A", "", 0))

	register(t, m, "ONLY-OLD")
	register(t, c, "ONLY-NEW")
	require.NoError(t, c.AddState("A", &plain{name: "A", end: true}))
	assert.False(t, c.Bind("ONLY-OLD").Known())
	assert.False(t, m.Bind("ONLY-NEW").Known())
	assert.Same(t, original, m.State("A"))
}

func TestEdgesAreCopies(t *testing.T) {
	given := []fsm.Edge{{To: "A", By: fsm.BySystem}, {From: "A", To: "A", By: fsm.ByModel}, {From: "A", To: "A", By: fsm.ByUser}}
	m := fsm.NewManager[*agent]("Kind", given...)
	register(t, m, "A")
	given[1].To = "CHANGED"
	want := []fsm.Edge{{To: "A", By: fsm.BySystem}, {From: "A", To: "A", By: fsm.ByModel | fsm.ByUser}}
	assert.Equal(t, want, m.Edges(), "an edge that is written twice gains the causes of both")

	m.Edges()[1].To = "CHANGED"
	assert.Equal(t, want, m.Edges())
}

func TestConstructorsThatGiveNothing(t *testing.T) {
	t.Run("nil", func(t *testing.T) {
		for name, newState := range map[string]func() fsm.State[*agent]{
			"interface": func() fsm.State[*agent] { return nil },
			"pointer":   func() fsm.State[*agent] { return (*plain)(nil) },
		} {
			t.Run(name, func(t *testing.T) {
				m := fsm.NewManager[*agent]("Kind")
				register(t, m, "B")
				require.NoError(t, m.Register("A", newState))
				assert.False(t, m.Bind("A").Known())
				assert.EqualError(t, m.State("A").Handle(t.Context(), &agent{}), `fsm: Kind has no state "A", only B`)
				assert.Equal(t, []fsm.Status{"A", "B"}, m.Statuses())
				assert.Empty(t, m.StateMap())
			})
		}
	})
	t.Run("panic", func(t *testing.T) {
		m := fsm.NewManager[*agent]("Kind")
		calls := 0
		require.NoError(t, m.Register("A", func() fsm.State[*agent] { calls++; panic("no") }))
		assert.PanicsWithValue(t, "no", func() { m.State("A") })
		assert.False(t, m.Bind("A").Known())
		assert.ErrorIs(t, m.State("A").Handle(t.Context(), &agent{}), fsm.ErrUnknownStatus)
		assert.Empty(t, m.StateMap())
		assert.Equal(t, 1, calls)

		require.NoError(t, m.AddState("A", &plain{name: "A"}))
		assert.True(t, m.Bind("A").Known(), "it can be put right at run time")
	})
	t.Run("panic while it is added", func(t *testing.T) {
		m := fsm.NewManager[*agent]("Kind")
		assert.Panics(t, func() { _ = m.AddState("A", explosive{}) })
		assert.Empty(t, m.Statuses(), "nothing is half registered")
	})
}

// explosive cannot even say whether it ends a round.
type explosive struct{ *plain }

func (explosive) IsRoundEnd() bool { panic("no") }

func TestTablePanics(t *testing.T) {
	rows := []fsm.Row[*agent]{{Status: "A", RoundEnd: true, Success: true}}
	start := fsm.Edge{To: "A", By: fsm.BySystem}
	assert.NotPanics(t, func() { fsm.Table("Kind", rows, start) })

	tests := []struct {
		name  string
		rows  []fsm.Row[*agent]
		edges []fsm.Edge
		text  string
	}{
		{"two rows of one status", append(slices.Clone(rows), rows...), []fsm.Edge{start}, "fsm: register "},
		{"a row without status", []fsm.Row[*agent]{{}}, []fsm.Edge{start}, "fsm: register "},
		{"a table that is not valid", rows, nil, "fsm: Kind: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok)
				assert.ErrorContains(t, err, test.text)
			}()
			fsm.Table("Kind", test.rows, test.edges...)
		})
	}
}

func TestStart(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind",
		fsm.Edge{From: "A", To: "B", By: fsm.BySystem}, fsm.Edge{To: "B", By: fsm.BySystem}, fsm.Edge{To: "A", By: fsm.BySystem})
	got, ok := fsm.Start(m)
	assert.True(t, ok)
	assert.Equal(t, fsm.Status("B"), got, "the first start counts")

	_, ok = fsm.Start(fsm.NewManager[*agent]("Kind"))
	assert.False(t, ok)
}
