package durable_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

const rest fsm.Status = "REST"

var (
	restRow   = fsm.Row[*clerk]{Status: rest, Handle: func(*clerk, context.Context) error { return nil }, NextState: fsm.To[*clerk](fsm.Continue)}
	into      = fsm.Edge{From: fsm.Continue, To: rest, By: fsm.ByModel}
	back      = fsm.Edge{From: rest, To: fsm.Continue, By: fsm.BySystem}
	elsewhere = fsm.Edge{From: rest, To: fsm.Fail, By: fsm.BySystem} // which nobody takes
)

// withRest has a state more than a clerk of its kind, in which nothing is done.
func withRest(kind string, edges ...fsm.Edge) fsm.Set {
	return fsm.Table(kind, append(slices.Clone(clerkRows), restRow), slices.Concat(clerkEdges, edges)...)
}

// rests goes from CONTINUE to REST and back, and on to FINISH.
func rests(y *tally) errand {
	return func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N < 3 {
			return rest, y.ask(ctx)
		}
		return fsm.Finish, nil
	}
}

// A table that is another one by now is no difference to a replay, unless what it has not was needed. Nobody goes on
// where it does not have the position any more, nor an agent of another kind, under the same name.
func TestAnotherTable(t *testing.T) {
	with := func(y *tally, set fsm.Set) *clerk {
		c := newClerk(rests(y))
		c.set = set
		return c
	}
	same := withRest("Clerk", into, back, elsewhere)
	ended, stands, early := newTally(t), newTally(t), newTally(t)
	want, err := ended.beginWith(with(ended, same)).Run(t.Context(), "go")
	require.NoError(t, err)
	require.Equal(t, 5, want.Transitions)
	s := stands.beginWith(with(stands, same))
	_, err = s.Start("go")
	require.NoError(t, err)
	steps(t, s, 1) // to REST
	early.store.start(1, true)
	_, err = early.beginWith(with(early, same)).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	early.store.start(0, false)
	byUser := into
	byUser.By = fsm.ByUser
	for name, c := range map[string]struct {
		set     fsm.Set
		step    int // of the difference; 0: none
		refused string
	}{
		"the same":                 {set: same},
		"one edge more":            {set: withRest("Clerk", into, back, elsewhere, fsm.Edge{From: rest, To: fsm.Finish, By: fsm.BySystem})},
		"an edge that nobody took": {set: withRest("Clerk", into, back)},
		"an edge is gone":          {set: withRest("Clerk", into, elsewhere), step: 2},
		"a cause is gone":          {set: withRest("Clerk", byUser, back, elsewhere), step: 1},
		"a state is gone":          {set: clerkStates, step: 1, refused: `fsm: Clerk has no state "REST"`},
		"another kind":             {set: withRest("Porter", into, back, elsewhere), refused: `it is a "Porter" now, and was a "Clerk"`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, y := range []*tally{stands, early} {
				again := with(y, c.set)
				s, err := durable.Open(t.Context(), again, y.store, "run", nil)
				switch {
				case c.refused == "", y == early && c.step > 0: // it has not been there yet
					require.NoError(t, err)
					require.NoError(t, s.Close(t.Context()))
				default:
					require.ErrorContains(t, err, c.refused)
					assert.Equal(t, c.step > 0, errors.Is(err, fsm.ErrUnknownStatus))
					assert.Equal(t, c.step == 0, errors.Is(err, round.ErrNotResumable))
					assert.True(t, c.step > 0 || again.given == 0, "it is that of another kind")
				}
			}
			assert.Equal(t, []string{"round", "call", "step"}, stands.kinds())

			res, err := durable.Replay(t.Context(), with(ended, c.set), ended.store, "run", nil)
			var differs *durable.ReplayError
			switch {
			case errors.As(err, &differs):
				assert.Equal(t, c.step, differs.Step)
				assert.Regexp(t, "position: it was .*, and is .*clerk:ERROR", err.Error())
			case c.refused != "":
				require.ErrorContains(t, err, c.refused)
			default:
				require.NoError(t, err)
				assert.Zero(t, c.step)
				assert.Equal(t, want, res)
			}
		})
	}
}
