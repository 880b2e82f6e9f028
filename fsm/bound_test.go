package fsm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// A row and a state of one's own answer the same when they are erased, and Next
// is both of its halves.
func TestNextOfRowsAndOwnStates(t *testing.T) {
	states := map[string]*fsm.Bound{"own": custom.Bind("PLAIN")}
	rows := fsm.NewManager[*agent]("Rows")
	require.NoError(t, rows.Register("PLAIN", func() fsm.State[*agent] {
		return fsm.Table("Kind", []fsm.Row[*agent]{{Status: "PLAIN", RoundEnd: true, Success: true}}, fsm.Edge{To: "PLAIN", By: fsm.BySystem}).State("PLAIN")
	}))
	states["row"] = rows.Bind("PLAIN")
	for name, b := range states {
		t.Run(name, func(t *testing.T) {
			a := &agent{states: rows}
			a.Decide("WORKS", fsm.ByModel, "why")
			require.NoError(t, b.Handle(context.Background(), a))
			to, by, next, err := b.Next(a)
			require.NoError(t, err)
			assert.Equal(t, fsm.Status("WORKS"), to)
			assert.Equal(t, fsm.ByModel, by)
			assert.Same(t, a, next)

			stranger := &bystander{}
			require.ErrorIs(t, b.Handle(context.Background(), stranger), fsm.ErrAgentType)
			_, _, _, err = b.Next(stranger)
			require.ErrorIs(t, err, fsm.ErrAgentType)
			assert.ErrorContains(t, err, "was given a *fsm_test.bystander")
		})
	}
}
