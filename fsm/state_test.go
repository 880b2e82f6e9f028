package fsm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// rowTable is a kind whose rows use each field of a Row once.
func rowTable() *fsm.Manager[*agent] {
	return fsm.Table("Kind", []fsm.Row[*agent]{
		{Status: "DEFAULTS"},
		{Status: "WORKS", Handle: (*agent).work, NextState: fsm.To[*agent]("SUBTASK")},
		{Status: "BREAKS", Handle: func(*agent, context.Context) error { return errBroken }},
		{Status: fsm.Continue, NextState: fsm.To[*agent]("HANDED"), NextAgent: func(a *agent) fsm.Agent { return a.other }},
		{Status: "ROUND", RoundEnd: true, Success: true},
		{Status: "SUBTASK", SubtaskEnd: true},
	},
		fsm.Edge{To: "DEFAULTS", By: fsm.BySystem},
		fsm.Edge{From: "DEFAULTS", To: "WORKS", By: fsm.ByModel | fsm.ByUser},
		fsm.Edge{From: "DEFAULTS", To: "BREAKS", By: fsm.BySystem},
		fsm.Edge{From: "DEFAULTS", To: "HANDED", Kind: "Other", By: fsm.ByModel},
		fsm.Edge{From: "WORKS", To: "SUBTASK", By: fsm.BySystem},
		fsm.Edge{From: "BREAKS", To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: "BREAKS", To: "ROUND", By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: "HANDED", Kind: fsm.AnyKind, By: fsm.BySystem},
	)
}

var errBroken = errors.New("broken")

// bystander is an agent of another kind.
type bystander struct {
	fsm.Position
	states fsm.Set
}

func (b *bystander) Name() string    { return "bystander" }
func (b *bystander) States() fsm.Set { return b.states }

func TestRowDefaults(t *testing.T) {
	m := rowTable()
	a := &agent{states: m, other: &bystander{}}
	a.Decide("WORKS", fsm.ByModel, "")

	s := m.State("DEFAULTS")
	assert.Equal(t, fsm.Status("DEFAULTS"), s.Name())
	require.NoError(t, s.Handle(t.Context(), a))
	assert.Equal(t, fsm.Status("WORKS"), s.NextState(a), "what Handle decided")
	assert.Same(t, a, s.NextAgent(a))
	assert.False(t, s.IsRoundEnd())
	assert.False(t, s.IsSubtaskEnd())

	s = m.State("WORKS")
	require.NoError(t, s.Handle(t.Context(), a))
	assert.Equal(t, 1, a.calls)
	assert.Equal(t, fsm.Status("SUBTASK"), s.NextState(a), "To wins over the decision")

	assert.Same(t, errBroken, m.State("BREAKS").Handle(t.Context(), a))
	assert.Same(t, a.other, m.State(fsm.Continue).NextAgent(a))
	assert.True(t, m.State("ROUND").IsRoundEnd())
	assert.False(t, m.State("ROUND").IsSubtaskEnd())
	assert.True(t, m.State("SUBTASK").IsSubtaskEnd())
	assert.False(t, m.State("SUBTASK").IsRoundEnd())

	_, _, next, err := m.Bind(fsm.Continue).Next(a)
	require.NoError(t, err)
	assert.Same(t, a.other, next)
	to, by, _, err := m.Bind("WORKS").Next(&agent{states: m})
	require.NoError(t, err)
	assert.Equal(t, fsm.Status("SUBTASK"), to)
	assert.Equal(t, fsm.BySystem, by, "nobody decided")
	for status, want := range map[fsm.Status]bool{"WORKS": false, "ROUND": true, "SUBTASK": true} {
		assert.Equal(t, want, m.Bind(status).Terminal(), status)
	}
}

func TestPermits(t *testing.T) {
	m := rowTable()
	tests := []struct {
		from, to fsm.Status
		kind     string
		want     bool
	}{
		{"DEFAULTS", "WORKS", "", true},
		{"DEFAULTS", "WORKS", "Other", false},
		{"DEFAULTS", "ROUND", "", false},
		{"DEFAULTS", "", "", false},
		{"DEFAULTS", "HANDED", "Other", true},
		{"DEFAULTS", "HANDED", "Another", false},
		{"DEFAULTS", "HANDED", "", false},
		{fsm.Continue, "HANDED", "Other", true},
		{fsm.Continue, "HANDED", "", false},
		{"ROUND", "DEFAULTS", "", false},
		{"NOPE", "DEFAULTS", "", false},
		{"", "DEFAULTS", "", true},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, m.Bind(test.from).Permits(test.to, test.kind, 0), "%+v", test)
	}
}

// A step needs an edge for its cause, whatever the cause is.
func TestPermitsBy(t *testing.T) {
	b := rowTable().Bind("DEFAULTS")
	for _, test := range []struct {
		to   fsm.Status
		by   fsm.Cause
		want bool
	}{
		{"WORKS", fsm.ByModel, true},
		{"WORKS", fsm.BySystem, false},
		{"WORKS", fsm.ByUser, true},
		{"WORKS", fsm.ByModel | fsm.ByUser, true},
		{"BREAKS", fsm.ByModel, false},
		{"BREAKS", fsm.ByModel | fsm.ByUser, false},
		{"BREAKS", fsm.ByUser, false},
		{"BREAKS", fsm.BySystem, true},
		{"BREAKS", fsm.ByFault, false},
		{"BREAKS", 0, true},
		{"ROUND", fsm.BySystem, false},
	} {
		assert.Equal(t, test.want, b.Permits(test.to, "", test.by), "%+v", test)
	}
}

func TestTargets(t *testing.T) {
	b := rowTable().Bind("DEFAULTS")
	assert.Equal(t, []fsm.Status{"WORKS"}, b.Targets(fsm.ByModel), "hand-overs are no targets")
	assert.Equal(t, []fsm.Status{"WORKS"}, b.Targets(fsm.ByUser))
	assert.Equal(t, []fsm.Status{"WORKS", "BREAKS"}, b.Targets(fsm.ByModel|fsm.BySystem))
	assert.Empty(t, b.Targets(fsm.ByTimeout))
	assert.Empty(t, b.Targets(0))
	assert.Empty(t, rowTable().Bind("ROUND").Targets(fsm.ByModel))
}

func TestRefuse(t *testing.T) {
	m := rowTable()
	a := &agent{states: m}
	other := &bystander{states: fsm.Table("Other", []fsm.Row[*bystander]{{Status: "HANDED", RoundEnd: true, Success: true}}, fsm.Edge{To: "HANDED", By: fsm.BySystem})}
	tests := []struct {
		name     string
		from, to fsm.Status
		next     fsm.Agent
		want     error
		text     string
	}{
		{"same agent", "DEFAULTS", "ROUND", a,
			fsm.ErrNotAllowed,
			"fsm: agent may not go from DEFAULTS to ROUND; its table allows WORKS, BREAKS, Other.HANDED"},
		{"nothing decided", "WORKS", "", a,
			fsm.ErrNotAllowed,
			"fsm: agent may not go from WORKS to nowhere (nothing was decided); its table allows SUBTASK"},
		{"no edges", "ROUND", "WORKS", a,
			fsm.ErrNotAllowed,
			"fsm: agent may not go from ROUND to WORKS; its table allows nothing"},
		{"another agent", "WORKS", "HANDED", other,
			fsm.ErrNotAllowed,
			"fsm: agent may not go from WORKS to Other.HANDED; its table allows SUBTASK"},
		{"unknown status", "DEFAULTS", "NOPE", a,
			fsm.ErrUnknownStatus,
			`fsm: Kind has no state "NOPE", only BREAKS, CONTINUE, DEFAULTS, ROUND, SUBTASK, WORKS`},
		{"unknown in the other kind", "DEFAULTS", "WORKS", other,
			fsm.ErrUnknownStatus,
			`fsm: Other has no state "WORKS", only HANDED`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := m.Bind(test.from).Refuse(a, test.to, test.next)
			require.ErrorIs(t, err, test.want)
			assert.EqualError(t, err, test.text)
		})
	}
	a.Decide("BREAKS", fsm.ByModel, "")
	assert.EqualError(t, m.Bind("DEFAULTS").Refuse(a, "BREAKS", a),
		"fsm: agent may not go from DEFAULTS to BREAKS by its model's word; its table allows WORKS, BREAKS by the system, Other.HANDED")
}

func TestUnknownStatusIsClipped(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind")
	none := m.Bind(fsm.Status(make([]byte, 1<<20))).Err()
	assert.Less(t, len(none.Error()), 400)
	assert.Contains(t, none.Error(), "only none", "nothing is registered")

	none = m.Bind("x" + fsm.Status(strings.Repeat("é", 64))).Err()
	assert.EqualError(t, none, `fsm: Kind has no state "(129 bytes)", only none`, "no part of it: a secret may be in it")
	register(t, m, "A")
	assert.NoError(t, m.Bind("A").Err())
}

// A row and a state of one's own answer the same when they are erased, Next is both of its
// halves, and an agent of another type is an error, such as one that embeds another and so
// inherits its table.
func TestNextOfRowsAndOwnStates(t *testing.T) {
	for name, b := range map[string]*fsm.Bound{
		"own": custom.Bind("PLAIN"),
		"row": fsm.Table("Kind", []fsm.Row[*agent]{{Status: "PLAIN", RoundEnd: true, Success: true}}, fsm.Edge{To: "PLAIN", By: fsm.BySystem}).Bind("PLAIN"),
	} {
		t.Run(name, func(t *testing.T) {
			a := &agent{}
			a.Decide("WORKS", fsm.ByModel, "why")
			require.NoError(t, b.Handle(context.Background(), a))
			to, by, next, err := b.Next(a)
			require.NoError(t, err)
			assert.Equal(t, fsm.Status("WORKS"), to)
			assert.Equal(t, fsm.ByModel, by)
			assert.Same(t, a, next)

			d := &derived{a}
			_, _, _, err = b.Next(d)
			for _, err := range []error{err, b.Handle(context.Background(), d)} {
				require.ErrorContains(t, err, "and was given a")
				assert.ErrorContains(t, err, "handles a *fsm_test.agent and was given a *fsm_test.derived")
			}
			require.ErrorContains(t, b.Handle(t.Context(), nil), "was given a <nil>")
		})
	}
	require.ErrorContains(t, custom.Bind("NOPE").Handle(t.Context(), &derived{}), "and was given a", "the none state as well")
}

type derived struct{ *agent }

// AddState replaces a state in its table, and not in a copy of that. What was bound learns of
// it; a step under way finishes with the old one.
func TestCurrent(t *testing.T) {
	m := rowTable()
	copied := m.With()
	first, other, theirs, none := m.Bind("WORKS"), m.Bind("DEFAULTS"), copied.Bind("WORKS"), m.Bind("NOPE")
	require.NoError(t, m.AddState("WORKS", &plain{name: "WORKS"}))
	second, replaced := m.Bind("WORKS"), &plain{name: "WORKS", end: true}
	require.NoError(t, m.AddState("WORKS", replaced))
	assert.Same(t, replaced, m.State("WORKS"))
	assert.True(t, m.Bind("WORKS").Terminal())
	assert.True(t, m.Bind("WORKS").Permits("SUBTASK", "", 0), "the edges are those of the table")
	assert.False(t, first.Terminal())
	for name, c := range map[string]struct {
		bound *fsm.Bound
		want  bool
	}{
		"registered, then replaced": {first, false},
		"added, then replaced":      {second, false},
		"what is there now":         {m.Bind("WORKS"), true},
		"another status":            {other, true},
		"the same one of a copy":    {theirs, true},
		"none":                      {none, true},
	} {
		assert.Equal(t, c.want, c.bound.Current(), name)
	}
}
