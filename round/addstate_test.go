package round_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// A state that AddState replaced is not handled any more, whoever stays in it. The
// class: whatever lies between AddState and the next step, no status changes.
func TestAddStateWhileAnAgentStays(t *testing.T) {
	row := func(name fsm.Status) fsm.Row[*puppet] { // writes its name down, and stays
		return fsm.Row[*puppet]{Status: fsm.Continue, Handle: func(p *puppet, ctx context.Context) error {
			p.seen = append(p.seen, name)
			p.Decide(fsm.Continue, fsm.BySystem, "")
			return p.do(ctx)
		}}
	}
	for name, c := range map[string]struct {
		rows   []fsm.Row[*puppet]
		stop   int // the bound at which the round stops before AddState; 0: the third Handle calls it
		copied bool
		want   []fsm.Status
		is     error
	}{
		"within a Handle, twice":        {[]fsm.Row[*puppet]{row("lost"), row("new")}, 0, false, []fsm.Status{"old", "old", "old", "new", "new"}, round.ErrBudget},
		"between a stop and a Run":      {[]fsm.Row[*puppet]{row("new")}, 3, false, []fsm.Status{"old", "old", "old", "new", "new"}, round.ErrBudget},
		"a state that ends the round":   {[]fsm.Row[*puppet]{{Status: fsm.Continue, RoundEnd: true}}, 0, false, []fsm.Status{"old", "old", "old"}, round.ErrFailed},
		"of the table that was copied":  {[]fsm.Row[*puppet]{row("new")}, 0, true, slices.Repeat([]fsm.Status{"old"}, 5), round.ErrBudget},
		"of that, at a stop in between": {[]fsm.Row[*puppet]{row("new")}, 3, true, slices.Repeat([]fsm.Status{"old"}, 5), round.ErrBudget},
	} {
		t.Run(name, func(t *testing.T) {
			states := fsm.NewManager[*puppet]("Idler", fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
				fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem})
			old := row("old")
			require.NoError(t, states.Register(fsm.Continue, old.State))
			add := func() {
				for _, row := range c.rows {
					require.NoError(t, states.AddState(fsm.Continue, row.State()))
				}
			}
			p := newPuppet("A")
			if p.set = states; c.copied {
				p.set = states.With()
			}
			p.do = func(context.Context) error {
				if c.stop == 0 && len(p.seen) == 3 {
					add()
				}
				return nil
			}
			limit := 5
			if c.stop > 0 {
				limit = c.stop
			}
			r, err := round.New(p, "go", &round.Options{MaxTransitions: limit})
			require.NoError(t, err)
			_, err = r.Run(t.Context())
			if c.stop > 0 {
				require.ErrorIs(t, err, round.ErrBudget)
				add()
				r.Adjust(func(o *round.Options) { o.MaxTransitions = 5 })
				_, err = r.Run(t.Context())
			}
			require.ErrorIs(t, err, c.is)
			assert.Equal(t, c.want, p.seen)
		})
	}
}
