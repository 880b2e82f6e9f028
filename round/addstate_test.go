package round_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// idler stays in CONTINUE. Each Handle writes down which instance it is of.
type idler struct {
	fsm.Position
	states *fsm.Manager[*idler]
	by     []string
	during func(n int) // called in the n-th Handle
}

func (i *idler) Name() string                          { return "idler" }
func (i *idler) States() fsm.Set                       { return i.states }
func (i *idler) Answer() string                        { return "" }
func (i *idler) Begin(context.Context, fsm.Task) error { return nil }

func idling(name string) fsm.Row[*idler] {
	return fsm.Row[*idler]{Status: fsm.Continue, Handle: func(i *idler, _ context.Context) error {
		i.by = append(i.by, name)
		if i.during != nil {
			i.during(len(i.by))
		}
		i.Decide(fsm.Continue, fsm.BySystem, "")
		return nil
	}}
}

func newIdler(t *testing.T) *idler {
	t.Helper()
	m := fsm.NewManager[*idler]("Idler",
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem})
	old := idling("old")
	require.NoError(t, m.Register(fsm.Continue, old.State))
	return &idler{states: m}
}

func driving(t *testing.T, i *idler, opts *round.Options) *round.Round {
	t.Helper()
	r, err := round.New(i, "go", opts)
	require.NoError(t, err)
	return r
}

// A state that AddState replaced is not handled any more, whoever stays in it. The
// class: whatever lies between AddState and the next step, no status changes.
func TestAddStateWhileAnAgentStays(t *testing.T) {
	add := func(t *testing.T, i *idler, row fsm.Row[*idler]) {
		t.Helper()
		require.NoError(t, i.states.AddState(fsm.Continue, row.State()))
	}
	five := []string{"old", "old", "old", "new", "new"}
	t.Run("within the third Handle, which nobody watches", func(t *testing.T) {
		i := newIdler(t)
		i.during = func(n int) {
			if n == 3 {
				add(t, i, idling("new"))
			}
		}
		_, err := driving(t, i, &round.Options{MaxTransitions: 5}).Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		assert.Equal(t, five, i.by)
	})
	t.Run("between two steps that are watched", func(t *testing.T) {
		i := newIdler(t)
		r := driving(t, i, &round.Options{MaxTransitions: 5})
		for s := range r.Steps(t.Context()) {
			if s.Seq == 3 {
				add(t, i, idling("new"))
			}
		}
		assert.Equal(t, five, i.by)
	})
	t.Run("between a stop and the next Run", func(t *testing.T) {
		i := newIdler(t)
		r := driving(t, i, &round.Options{MaxTransitions: 3})
		_, err := r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		add(t, i, idling("new"))
		r.Adjust(func(o *round.Options) { o.MaxTransitions = 5 })
		_, err = r.Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		assert.Equal(t, five, i.by)
	})
	t.Run("twice, the last one counts", func(t *testing.T) {
		i := newIdler(t)
		i.during = func(n int) {
			if n == 3 {
				add(t, i, idling("lost"))
				add(t, i, idling("new"))
			}
		}
		_, err := driving(t, i, &round.Options{MaxTransitions: 5}).Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		assert.Equal(t, five, i.by)
	})
	t.Run("by one that ends the round", func(t *testing.T) {
		i := newIdler(t)
		i.during = func(n int) {
			if n == 3 {
				add(t, i, fsm.Row[*idler]{Status: fsm.Continue, RoundEnd: true})
			}
		}
		_, err := driving(t, i, &round.Options{MaxTransitions: 5}).Run(t.Context())
		require.ErrorIs(t, err, round.ErrFailed)
		assert.Equal(t, five[:3], i.by)
	})
	t.Run("a copy keeps its own", func(t *testing.T) {
		i := newIdler(t)
		original := i.states
		i.states = original.With()
		i.during = func(n int) {
			if n == 3 {
				row := idling("new")
				require.NoError(t, original.AddState(fsm.Continue, row.State()))
			}
		}
		_, err := driving(t, i, &round.Options{MaxTransitions: 5}).Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		assert.Equal(t, []string{"old", "old", "old", "old", "old"}, i.by)
	})
}
