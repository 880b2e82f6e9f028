package durable_test

import (
	"context"
	"fmt"
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

// A replay with another table: one edge more is no difference, an edge or a state less is
// one, where it was needed.
func TestReplayWithAnotherTable(t *testing.T) {
	y := newTally(t)
	c := newClerk(rests(y))
	c.set = withRest("Clerk", into, back, elsewhere)
	want, err := y.beginWith(c).Run(t.Context(), "go")
	require.NoError(t, err)
	require.Equal(t, 5, want.Transitions)
	byUser := into
	byUser.By = fsm.ByUser
	for name, c := range map[string]struct {
		set  fsm.Set
		step int // of the difference; 0: none
	}{
		"the same":                 {withRest("Clerk", into, back, elsewhere), 0},
		"one edge more":            {withRest("Clerk", into, back, elsewhere, fsm.Edge{From: rest, To: fsm.Finish, By: fsm.BySystem}), 0},
		"an edge that nobody took": {withRest("Clerk", into, back), 0},
		"an edge is gone":          {withRest("Clerk", into, elsewhere), 2},
		"a cause is gone":          {withRest("Clerk", byUser, back, elsewhere), 1},
		"a state is gone":          {clerkStates, 1},
	} {
		t.Run(name, func(t *testing.T) {
			again := newClerk(rests(y))
			again.set = c.set
			res, err := durable.Replay(t.Context(), again, y.store, "run", nil)
			assert.Equal(t, 2, y.calls)
			if c.step == 0 {
				require.NoError(t, err)
				assert.Equal(t, want, res)
				return
			}
			var differs *durable.ReplayError
			require.ErrorAs(t, err, &differs)
			assert.Equal(t, c.step, differs.Step)
			assert.Regexp(t, "position: it was .*, and is .*clerk:ERROR", differs.Error())
		})
	}
}

// A table that does not have the position any more is refused before anything runs, and
// so is an agent of another kind, under the same name.
func TestResumeWithAnotherTable(t *testing.T) {
	y := newTally(t)
	begun := func() *tally {
		y = newTally(t)
		c := newClerk(rests(y))
		c.set = withRest("Clerk", into, back, elsewhere)
		y.store.start(3, true) // round, call, step: it stands in REST
		_, err := y.beginWith(c).Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrLost)
		y.store.start(0, false)
		return y
	}
	for name, c := range map[string]struct {
		set   fsm.Set
		check func(t *testing.T, err error)
	}{
		"a state is gone": {clerkStates, func(t *testing.T, err error) {
			require.ErrorIs(t, err, fsm.ErrUnknownStatus)
			require.ErrorContains(t, err, fmt.Sprintf("fsm: Clerk has no state %q", rest))
		}},
		"another kind": {withRest("Porter", into, back, elsewhere), func(t *testing.T, err error) {
			require.ErrorIs(t, err, round.ErrNotResumable)
			assert.Contains(t, err.Error(), `it is a "Porter" now, and was a "Clerk"`)
			early := newTally(t) // where it has taken no step yet
			early.dies(1, rests(early))
			porter := newClerk(rests(early))
			porter.set = withRest("Porter", into, back, elsewhere)
			_, err = durable.Open(t.Context(), porter, early.store, "run", &durable.Options{Existing: true})
			require.ErrorIs(t, err, round.ErrNotResumable)
			assert.Zero(t, porter.given, "it is that of another kind")
		}},
		"an edge less": {withRest("Clerk", into, back), func(t *testing.T, err error) { require.NoError(t, err) }},
	} {
		t.Run(name, func(t *testing.T) {
			y := begun()
			again := newClerk(rests(y))
			again.set = c.set
			_, err := durable.Open(t.Context(), again, y.store, "run", &durable.Options{Existing: true})
			c.check(t, err)
			assert.Equal(t, 1, y.calls)
			assert.Equal(t, []string{"round", "call", "step"}, y.kinds())
		})
	}
}
