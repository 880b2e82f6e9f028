package scenarios_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// chooser is an agent that goes to FINISH at once, for whoever it says.
type chooser struct {
	fsm.Position
	by     fsm.Cause
	states *fsm.Manager[*chooser]
}

func (c *chooser) Name() string                          { return "chooser" }
func (c *chooser) States() fsm.Set                       { return c.states }
func (c *chooser) Answer() string                        { return "chosen" }
func (c *chooser) Begin(context.Context, fsm.Task) error { return nil }

func (c *chooser) choose(context.Context) error {
	c.Decide(fsm.Finish, c.by, "")
	return nil
}

// What a model writes needs an edge that a model may take, also in a kind that
// does not check its replies. Other causes are recorded, not limited.
func TestScenario02_TheModelNeedsAnEdgeOfItsOwn(t *testing.T) {
	states := fsm.Table("Chooser", []fsm.Row[*chooser]{
		{Status: fsm.Continue, Handle: (*chooser).choose},
		{Status: fsm.Finish, RoundEnd: true},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	)
	s := onStage(t)
	_, err := s.drive(&chooser{by: fsm.ByModel, states: states}, "choose").Run(t.Context())
	require.ErrorIs(t, err, fsm.ErrNotAllowed)
	require.ErrorContains(t, err, "by its model's word")
	require.ErrorIs(t, err, round.ErrFault)
	for _, by := range []fsm.Cause{fsm.BySystem, fsm.ByUser, 0} {
		_, err := s.drive(&chooser{by: by, states: states}, "choose").Run(t.Context())
		require.NoError(t, err, by)
	}
}
