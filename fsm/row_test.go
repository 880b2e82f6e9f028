package fsm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

func TestRowState(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind")
	row := fsm.Row[*agent]{
		Status:     "A",
		Handle:     func(a *agent, _ context.Context) error { a.Decide("B", fsm.ByUser, "handled"); return nil },
		SubtaskEnd: true,
	}
	require.NoError(t, m.Register("A", row.State))
	require.NoError(t, m.AddState("B", fsm.Row[*agent]{Status: "B", RoundEnd: true}.State()))

	a := &agent{}
	s := m.State("A")
	require.NoError(t, s.Handle(t.Context(), a))
	assert.Equal(t, fsm.Status("A"), s.Name())
	assert.Equal(t, fsm.Status("B"), s.NextState(a))
	assert.Same(t, a, s.NextAgent(a))
	assert.True(t, s.IsSubtaskEnd())
	assert.False(t, s.IsRoundEnd())
	assert.True(t, m.State("B").IsRoundEnd())
}
