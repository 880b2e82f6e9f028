package fsm_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// What was bound learns that AddState replaced it; a copy of the table does not, nor
// does whoever asked for a status that nobody had registered.
func TestCurrent(t *testing.T) {
	m := rowTable()
	copied := m.With()
	first, other, theirs, none := m.Bind("WORKS"), m.Bind("DEFAULTS"), copied.Bind("WORKS"), m.Bind("NOPE")
	require.NoError(t, m.AddState("WORKS", &plain{name: "WORKS"}))
	second := m.Bind("WORKS")
	require.NoError(t, m.AddState("WORKS", &plain{name: "WORKS"}))
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
