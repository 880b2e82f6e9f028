package scenarios_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// releaser goes from PLAN to one of its ends, each with a name of its own.
type releaser struct {
	fsm.Position
	name string
	end  fsm.Status
	done int // tasks
}

func (r *releaser) Name() string                          { return r.name }
func (r *releaser) States() fsm.Set                       { return releaserStates }
func (r *releaser) Begin(context.Context, fsm.Task) error { r.done++; return nil }
func (r *releaser) Answer() string                        { return "all deployed" }

func (r *releaser) plan(context.Context) error {
	r.Decide(r.end, fsm.BySystem, "as planned")
	return nil
}

var releaserStates = fsm.Table("Releaser",
	[]fsm.Row[*releaser]{
		{Status: "PLAN", Handle: (*releaser).plan},
		{Status: "DONE", RoundEnd: true, Success: true},
		{Status: "ROLLED_BACK", RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
	},
	fsm.Edge{To: "PLAN", By: fsm.BySystem},
	fsm.Edge{From: "PLAN", To: "DONE", By: fsm.BySystem},
	fsm.Edge{From: "PLAN", To: "ROLLED_BACK", By: fsm.BySystem},
	fsm.Edge{From: "PLAN", To: fsm.Fail, By: fsm.BySystem},
)

// The table says which of a kind's own ends are successes, not a name.
func TestScenario50_EndsOfAKindsOwn(t *testing.T) {
	for end, c := range map[fsm.Status]struct {
		outcome round.Outcome
		text    string // of the error
	}{
		"DONE":        {round.Finished, ""},
		"ROLLED_BACK": {round.Failed, "round: the task failed: r:ROLLED_BACK: as planned (a success would be DONE)"},
		fsm.Fail:      {round.Failed, "round: the task failed: r:FAIL: as planned"},
	} {
		t.Run(string(end), func(t *testing.T) {
			r, err := round.New(&releaser{name: "r", end: end}, "release", nil)
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			assert.Equal(t, c.outcome, res.Outcome)
			assert.Equal(t, end, res.Status)
			if c.text != "" {
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Equal(t, c.text, err.Error())
				assert.Empty(t, res.Answer)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "all deployed", res.Answer)
		})
	}
	t.Run("a table without a success is a finding", func(t *testing.T) {
		m := fsm.NewManager[*releaser]("Releaser", fsm.Edge{To: "PLAN", By: fsm.BySystem}, fsm.Edge{From: "PLAN", To: "DONE", By: fsm.BySystem})
		for _, row := range []fsm.Row[*releaser]{{Status: "PLAN"}, {Status: "DONE", RoundEnd: true}} {
			require.NoError(t, m.Register(row.Status, row.State))
		}
		assert.ErrorContains(t, m.Validate(), "no end is a success: register FINISH, or set Success")
	})
}
