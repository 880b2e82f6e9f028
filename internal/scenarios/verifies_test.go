package scenarios_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
)

// claims keeps what Verify is asked. It says no once.
type claims []string

func (c *claims) verify(_ context.Context, claim proof.Claim) (proof.Finding, error) {
	*c = append(*c, claim.Request)
	if len(*c) == 1 {
		return proof.Finding{Verdict: proof.No, Evidence: "the table is empty"}, nil
	}
	return proof.Finding{Verdict: proof.Yes}, nil
}

// An AppAgent with a Verify asks it whoever gave the task: nobody, a host of another kind, which
// proves nothing, or a HostAgent whose NewApp gives it one.
func TestScenario57_VerifyIsNeverPassedOver(t *testing.T) {
	t.Run("alone", func(t *testing.T) {
		var asked claims
		s := onStage(t, finish("a"), finish("b"))
		s.Config.Verify = asked.verify
		res, err := s.drive(s.alone(), "fill it").Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, claims{"fill it", "fill it"}, asked)
		assert.Equal(t, proof.Yes, res.Verified.Verdict)
	})
	t.Run("for a host of another kind", func(t *testing.T) {
		var asked claims
		s := onStage(t, finish("a"), finish("b"))
		s.Config.Verify = asked.verify
		app := s.alone()
		host := &worker{name: "clerk", states: workerTable(fsm.Continue, usualEnds...).With(
			fsm.Edge{From: fsm.Continue, To: fsm.Continue, Kind: "AppAgent", By: fsm.BySystem},
		), script: []fsm.Status{fsm.Continue}}
		given := false
		host.next = func() fsm.Agent {
			if given {
				return host
			}
			given = true
			require.NoError(t, app.Begin(t.Context(), fsm.Task{Text: "fill it", From: host}))
			return app
		}
		_, err := s.drive(host, "go").Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, claims{"fill it", "fill it"}, asked)
		assert.Contains(t, prompt[string](s, 1, "last_error"), "the table is empty")
	})
	t.Run("for a host that has none", func(t *testing.T) {
		var asked claims
		s := onStage(t, assign("0", "fill it"), finish("a"), finish("b"), finish("done"))
		s.Config.NewApp = func(_ context.Context, cfg appagent.Config) (fsm.Worker, error) {
			cfg.Verify = asked.verify
			return appagent.New(cfg)
		}
		res, err := s.run("the whole request")
		require.NoError(t, err)
		assert.Equal(t, claims{"fill it", "fill it"}, asked, "it answers for its sub-task")
		assert.Nil(t, res.Verified, "nobody was asked about the request")
		assert.Equal(t, round.Finished, res.Outcome)
	})
}
