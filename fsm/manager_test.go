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
	for name, c := range map[string]struct {
		call func(m *fsm.Manager[*agent]) error
		text string
	}{
		"register a duplicate": {func(m *fsm.Manager[*agent]) error { return m.Register("A", newPlain("A")) }, `fsm: register "A" in Kind: it is registered already`},
		"register nothing":     {func(m *fsm.Manager[*agent]) error { return m.Register("B", nil) }, `fsm: register "B" in Kind: the state is nil`},
		"the empty status":     {func(m *fsm.Manager[*agent]) error { return m.Register("", newPlain("")) }, "the status is empty"},
		"add the empty status": {func(m *fsm.Manager[*agent]) error { return m.AddState("", &plain{}) }, "the status is empty"},
		"add a nil pointer":    {func(m *fsm.Manager[*agent]) error { return m.AddState("B", (*plain)(nil)) }, "the state is nil"},
		"replace by nil":       {func(m *fsm.Manager[*agent]) error { return m.AddState("A", nil) }, "the state is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			m := fsm.NewManager[*agent]("Kind")
			register(t, m, "A")
			before := m.State("A")
			err := c.call(m)
			require.ErrorContains(t, err, c.text)
			require.ErrorIs(t, err, fsm.ErrTable)
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

// A status that nobody registered has a state that says so. It is not kept, whatever a model invents.
func TestNoneState(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind")
	register(t, m, "B", "A")
	a := &agent{states: m}
	for i := range 1000 {
		m.Bind(fsm.Status(fmt.Sprint("INVENTED ", i)))
	}
	assert.NotSame(t, m.Bind("INVENTED 1"), m.Bind("INVENTED 1"))

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
	assert.Equal(t, []fsm.Status{"A", "B"}, m.Statuses())

	b := m.Bind("NOPE")
	require.Error(t, b.Err())
	assert.False(t, b.Terminal())
	require.ErrorIs(t, b.Handle(t.Context(), a), fsm.ErrUnknownStatus)

	register(t, m, "NOPE")
	require.NoError(t, m.Bind("NOPE").Err(), "a later registration is found")
}

func TestWith(t *testing.T) {
	edge := func(from, to fsm.Status, by fsm.Cause) fsm.Edge { return fsm.Edge{From: from, To: to, By: by} }
	given := []fsm.Edge{edge("", "A", fsm.BySystem), edge("A", "B", fsm.ByUser)}
	m := fsm.NewManager[*agent]("Kind", given...)
	given[1].To = "CHANGED"
	m.Edges()[1].To = "CHANGED"
	register(t, m, "A", "B")
	added := &plain{name: "C"}
	require.NoError(t, m.AddState("C", added))
	original := m.State("A")

	c := m.With(edge("A", "B", fsm.ByModel), edge("B", "A", fsm.BySystem))

	assert.Equal(t, "Kind", c.Kind())
	assert.Equal(t, []fsm.Edge{edge("", "A", fsm.BySystem), edge("A", "B", fsm.ByUser|fsm.ByModel), edge("B", "A", fsm.BySystem)}, c.Edges())
	assert.Equal(t, []fsm.Edge{edge("", "A", fsm.BySystem), edge("A", "B", fsm.ByUser)}, m.Edges(), "edges are copied")
	assert.Equal(t, map[fsm.Status]fsm.State[*agent]{"C": added}, c.StateMap(), "it makes its own instances")
	assert.NotSame(t, original, c.State("A"))
	assert.Same(t, added, c.State("C"), "an instance stays the instance that it is")
	assert.True(t, c.Bind("B").Permits("A", "", 0))
	assert.False(t, m.Bind("B").Permits("A", "", 0))

	register(t, m, "ONLY-OLD")
	register(t, c, "ONLY-NEW")
	require.NoError(t, c.AddState("A", &plain{name: "A", end: true}))
	require.Error(t, c.Bind("ONLY-OLD").Err())
	require.Error(t, m.Bind("ONLY-NEW").Err())
	assert.Same(t, original, m.State("A"))
}

// A constructor that gives nothing leaves the status without a state, until it is put right.
func TestConstructorsThatGiveNothing(t *testing.T) {
	for name, newState := range map[string]func() fsm.State[*agent]{
		"interface": func() fsm.State[*agent] { return nil },
		"pointer":   func() fsm.State[*agent] { return (*plain)(nil) },
		"panic":     func() fsm.State[*agent] { panic("no") },
	} {
		t.Run(name, func(t *testing.T) {
			m := fsm.NewManager[*agent]("Kind")
			register(t, m, "B")
			require.NoError(t, m.Register("A", newState))
			if name == "panic" {
				assert.PanicsWithValue(t, "no", func() { m.State("A") })
			}
			require.Error(t, m.Bind("A").Err())
			assert.EqualError(t, m.State("A").Handle(t.Context(), &agent{}), `fsm: Kind has no state "A", only B`)
			assert.Equal(t, []fsm.Status{"A", "B"}, m.Statuses())
			assert.Empty(t, m.StateMap())
			require.NoError(t, m.AddState("A", &plain{name: "A"}))
			require.NoError(t, m.Bind("A").Err())
		})
	}
	m := fsm.NewManager[*agent]("Kind")
	assert.Panics(t, func() { _ = m.AddState("A", explosive{}) })
	assert.Empty(t, m.Statuses(), "nothing is half registered")
}

// explosive cannot even say whether it ends a round.
type explosive struct{ *plain }

func (explosive) IsRoundEnd() bool { panic("no") }

func TestTablePanics(t *testing.T) {
	rows := []fsm.Row[*agent]{{Status: "A", RoundEnd: true, Success: true}}
	start := fsm.Edge{To: "A", By: fsm.BySystem}
	assert.NotPanics(t, func() { fsm.Table("Kind", rows, start) })

	for text, c := range map[string]struct {
		rows  []fsm.Row[*agent]
		edges []fsm.Edge
	}{
		"it is registered already": {append(slices.Clone(rows), rows...), []fsm.Edge{start}},
		"fsm: Kind: ":              {rows, nil},
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok)
				assert.ErrorContains(t, err, text)
			}()
			fsm.Table("Kind", c.rows, c.edges...)
		}()
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
