package fsmtest

import (
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
		{"no end", endless, map[string]string{"ends": "from A no state that ends can be reached"}},
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
		})
		assert.Len(t, found["edges"], 2, "CONTINUE and PENDING")
	})
	t.Run("NextAgent always hands over", func(t *testing.T) {
		expect(t, inspect(m, with(m, nil, func(*clerk) fsm.Agent { return other })), map[string]string{
			"edges": "the edge CONTINUE → CONTINUE cannot be taken: NextAgent returns clerk, which makes this a hand-over",
		})
	})
	t.Run("a status that the agent does not take", func(t *testing.T) {
		expect(t, inspect(m, func() fsm.Agent { return &choosy{clerk{set: m}} }), map[string]string{
			"edges": `the edge ERROR → FINISH cannot be taken: SetStatus leaves the agent at "ERROR"`,
		})
	})
}

// choosy is a clerk that never finishes.
type choosy struct{ clerk }

func (c *choosy) SetStatus(s fsm.Status) {
	if s != fsm.Finish {
		c.clerk.SetStatus(s)
	}
}
