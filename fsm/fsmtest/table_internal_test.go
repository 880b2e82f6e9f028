package fsmtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

func TestSoundKind(t *testing.T) {
	m := table()
	require.NoError(t, m.Validate())
	assert.Empty(t, inspect(m, func() fsm.Agent { return &clerk{set: m} }))
}

func TestBrokenTables(t *testing.T) {
	edge := func(from, to fsm.Status) fsm.Edge { return fsm.Edge{From: from, To: to, By: fsm.ByUser} }
	endless := table(edge(fsm.Pending, "A"), edge("A", "B"), edge("B", "A"))
	put(endless, "A", "B")
	misnamed := table()
	must(misnamed.AddState(fsm.Pending, state{name: "ANOTHER"}))
	explosive := table()
	must(explosive.Register("X", func() fsm.State[member] { panic("no such luck") }))

	tests := []struct {
		name string
		set  *fsm.Manager[member]
		want map[string]string
	}{
		{"nil", nil, map[string]string{"table": "the set is nil", "agent": "States returns nil"}},
		{"not valid", table(edge(fsm.Finish, fsm.Continue)), map[string]string{"table": "fsm: Clerk: FINISH: it ends, and yet an edge leads on to CONTINUE"}},
		{"misnamed state", misnamed, map[string]string{"table": `fsm: Clerk: PENDING: its state is named "ANOTHER"`}},
		{"constructor that panics", explosive, map[string]string{"table": "the code under test panicked: no such luck"}},
		{"no end", endless, map[string]string{"ends": "from A no state that ends can be reached", "walks": "it did not end within 206 steps: … → "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var set fsm.Set
			if test.set != nil {
				set = test.set
			}
			expect(t, inspect(set, func() fsm.Agent { return &clerk{set: set} }), test.want)
		})
	}
	assert.Equal(t, []string{"from A no state that ends can be reached", "from B no state that ends can be reached"},
		inspect(endless, func() fsm.Agent { return &clerk{set: endless} })["ends"])
}

func TestEdgesThatCannotBeTaken(t *testing.T) {
	m := table()
	other := &clerk{set: m}
	t.Run("NextState ignores the decision", func(t *testing.T) {
		found := inspect(m, with(m, func(*clerk) fsm.Status { return fsm.Finish }, nil))
		expect(t, found, map[string]string{
			"edges": `the edge CONTINUE → PENDING cannot be taken: with PENDING decided, NextState returns "FINISH"`,
			"walks": "NextState returns",
		})
		assert.Len(t, found["edges"], 2, "CONTINUE and PENDING")
	})
	t.Run("NextAgent always hands over", func(t *testing.T) {
		expect(t, inspect(m, with(m, nil, func(*clerk) fsm.Agent { return other })), map[string]string{
			"edges": "the edge CONTINUE → CONTINUE cannot be taken: NextAgent returns clerk, which makes this a hand-over",
			"walks": "the step CONTINUE → ",
		})
	})
	t.Run("a status that the agent does not take", func(t *testing.T) {
		expect(t, inspect(m, func() fsm.Agent { return &choosy{clerk{set: m}} }), map[string]string{
			"edges": `the edge ERROR → FINISH cannot be taken: SetStatus leaves the agent at "ERROR"`,
			"walks": "SetStatus leaves the agent at",
		})
	})
	t.Run("a Bound that refuses what the table has", func(t *testing.T) {
		e := fsm.Edge{From: fsm.Pending, To: fsm.Finish, By: fsm.ByUser}
		s := &subject{set: m, edges: []fsm.Edge{e}, newAgent: func() fsm.Agent { return &clerk{set: m} }}
		assert.Equal(t, []string{"the edge PENDING → FINISH cannot be taken: Permits refuses it, and yet it is in the table"}, findUntaken(s))
	})
}

// choosy is a clerk that never finishes.
type choosy struct{ clerk }

func (c *choosy) SetStatus(s fsm.Status) {
	if s != fsm.Finish {
		c.clerk.SetStatus(s)
	}
}

// The set and the table that it is checked against differ by one edge at a time.
func TestRefusals(t *testing.T) {
	m := table()
	without := func(drop fsm.Edge) *subject {
		s := &subject{set: m}
		for _, e := range m.Edges() {
			if e.From != drop.From || e.To != drop.To || e.Kind != drop.Kind {
				s.edges = append(s.edges, e)
			}
		}
		return s
	}
	tests := []struct {
		name string
		s    *subject
		want []string
	}{
		{"sound", &subject{set: m, edges: m.Edges()}, nil},
		{"permits too much", without(fsm.Edge{From: fsm.Pending, To: fsm.Continue}),
			[]string{"Permits allows PENDING → CONTINUE, which is not in the table"}},
		{"hands over to too many", without(fsm.Edge{From: fsm.Pending, To: fsm.Continue, Kind: fsm.AnyKind}),
			[]string{"Permits allows PENDING → any kind of agent at CONTINUE, which is not in the table", "Permits allows PENDING → Camera.CONTINUE, which is not in the table"}},
		{"permits too little", &subject{set: m, edges: append(m.Edges(), fsm.Edge{From: fsm.Finish, To: fsm.Error, By: fsm.ByModel})},
			[]string{"Permits refuses FINISH → ERROR, which is in the table"}},
		{"hands over to too few", &subject{set: m, edges: append(m.Edges(), fsm.Edge{From: fsm.Pending, To: "X", Kind: "Camera", By: fsm.ByModel})},
			[]string{"Permits refuses PENDING → Camera.X, which is in the table"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, findUnrefused(test.s)) })
	}
}

// Each state is right when it is looked at alone; what is wrong shows on the way.
func TestWalksThatLeaveTheTable(t *testing.T) {
	m := table()
	leaves := with(m, func(c *clerk) fsm.Status {
		if c.moves > 6 {
			return fsm.Finish
		}
		return c.Decision().To
	}, nil)
	found := inspect(m, leaves)
	expect(t, found, map[string]string{"walks": "NextState returns \"FINISH\""})
	assert.Regexp(t, `^random walk \d+: the step CONTINUE → \w+ failed: .*; the way there: CONTINUE → .*`, found["walks"][0])
	assert.Equal(t, found, inspect(m, leaves), "walks are the same at every run")
}

// A table that seldom ends by chance: a walk takes the short way in time.
func TestWalksEndOnASoundTable(t *testing.T) {
	const length = 300
	name := func(i int) fsm.Status { return fsm.Status(fmt.Sprintf("S%03d", i)) }
	rows := []fsm.Row[*clerk]{{Status: "END", RoundEnd: true, Success: true}}
	edges := []fsm.Edge{{To: name(0), By: fsm.BySystem}, {From: name(length - 1), To: "END", By: fsm.BySystem}}
	for i := range length {
		rows = append(rows, fsm.Row[*clerk]{Status: name(i)})
		edges = append(edges, fsm.Edge{From: name(i), To: name(0), By: fsm.BySystem})
		if i > 0 {
			edges = append(edges, fsm.Edge{From: name(i - 1), To: name(i), By: fsm.BySystem})
		}
	}
	m := fsm.Table("Long", rows, edges...)
	s := &subject{set: m, edges: m.Edges(), newAgent: func() fsm.Agent { return &clerk{set: m} }}
	assert.Empty(t, findEndless(s))
	assert.Empty(t, findLost(s))
}

func TestMessagesSayWhy(t *testing.T) {
	for _, c := range checks {
		assert.NotEmpty(t, c.why)
		assert.Contains(t, c.message("it is broken"), "it is broken\n\twhy it matters: "+c.why)
	}
}
