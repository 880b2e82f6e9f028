package scenarios_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// A host that goes on and on in CONTINUE: the instance that AddState brings takes the
// next step, though the status does not change.
func TestScenario48_AddStateWhileAHostStays(t *testing.T) {
	finishing := fsm.Row[*hostagent.Agent]{Status: fsm.Continue, Handle: func(a *hostagent.Agent, _ context.Context) error {
		a.Decide(fsm.Finish, fsm.BySystem, "the new CONTINUE")
		return nil
	}}
	t.Run("between two steps", func(t *testing.T) {
		s := onStage(t, status("CONTINUE"), status("CONTINUE"))
		s.Config.States = hostagent.States().With()
		s.Options.Observe = func(step round.Step) {
			if step.Seq == 2 {
				require.NoError(t, s.Config.States.AddState(fsm.Continue, finishing.State()))
			}
		}
		res, err := s.run("go")
		require.NoError(t, err)
		assert.Equal(t, "the new CONTINUE", res.Reason)
		assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:FINISH"}, s.positions())
	})
	t.Run("over a stop and the next Run", func(t *testing.T) {
		s := onStage(t, status("CONTINUE"), status("CONTINUE"))
		s.Config.States = hostagent.States().With()
		s.Options.MaxTransitions = 2
		r := s.round("go")
		_, err := r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		require.NoError(t, s.Config.States.AddState(fsm.Continue, finishing.State()))
		r.Adjust(func(o *round.Options) { o.MaxTransitions = 3 })
		res, err := r.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "the new CONTINUE", res.Reason)
	})
}
