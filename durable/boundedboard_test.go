package durable_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

func stored(t *testing.T, board *blackboard.Board) string {
	t.Helper()
	text, err := board.MarshalJSON()
	require.NoError(t, err)
	return string(text)
}

// Wherever a process dies around a drop, the next one goes on with the same blackboard. So is that of a replay.
func TestADropSurvivesACrashAtEachRecord(t *testing.T) {
	const steps, least = 12, 4
	does := func(y *tally) errand {
		return func(ctx context.Context, c *clerk) (fsm.Status, error) {
			if c.N == steps {
				return fsm.Finish, nil
			}
			if err := y.ask(ctx); err != nil {
				return "", err
			}
			ref, err := c.board.PutBlob("image/png", fmt.Append(nil, c.N/3)) // the same one for some steps
			if err != nil {
				return "", err
			}
			c.N++
			return fsm.Continue, c.board.Inside().AppendLast("steps", map[string]any{"n": c.N, "screenshot": ref}, least)
		}
	}
	calm := newTally(t)
	agent := newClerk(does(calm))
	want, err := calm.beginWith(agent).Run(t.Context(), "go")
	require.NoError(t, err)
	board := stored(t, agent.board)
	require.Contains(t, board, fmt.Sprintf(`"ops":[{"op":"append","name":"steps","n":%d,`, steps-least+1))
	require.Equal(t, 2, strings.Count(board, `"data"`), "pictures")
	_, text := (&world{t: t, store: calm.store}).records()
	require.Equal(t, (steps-least)/(least/2), strings.Count(text, `{"op":"drop"`))
	require.Equal(t, steps/3-2, strings.Count(text, `{"op":"delete_blob"`))
	for at := 2; at <= calm.store.count; at++ {
		for _, after := range []bool{false, true} {
			y := newTally(t)
			y.store.start(at, after)
			_, err := y.begin(does(y)).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrLost)
			agent := newClerk(does(y))
			res, err := y.resumeWith(agent).Continue(t.Context(), "go")
			require.NoError(t, err)
			require.Equal(t, want, res)
			require.Equal(t, board, stored(t, agent.board), "%d %t", at, after)

			again := newClerk(does(y))
			_, err = durable.Replay(t.Context(), again, y.store, "run", nil)
			require.NoError(t, err)
			require.Equal(t, board, stored(t, again.board), "%d %t", at, after)
		}
	}
}

// After thousands of steps a blackboard, and what it is stored as, is no larger than after hundreds.
func TestABoardStaysBounded(t *testing.T) {
	w := newWorld(t)
	w.words = sample.Of(5000, 450)
	agent := w.writer(t)
	var sizes, stores []int
	opts := unbounded()
	opts.MaxTransitions = -1
	opts.Observe = func(round.Step) {
		if sizes = append(sizes, agent.Board().Size()); len(sizes)%50 == 0 {
			stores = append(stores, len(stored(t, agent.Board())))
		}
	}
	s, err := durable.Open(t.Context(), agent, w.store, "run", &durable.Options{Round: opts})
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "write it again")
	require.NoError(t, err)
	require.Greater(t, len(sizes), w.words)

	const full = promptsize.Memory * 3 / 2 // as many steps as it ever has
	most, mostStored := slices.Max(sizes[:full]), slices.Max(stores[:full/50])
	assert.LessOrEqual(t, float64(slices.Max(sizes)), 1.1*float64(most))
	assert.LessOrEqual(t, float64(slices.Max(stores)), 1.1*float64(mostStored))
	assert.NotContains(t, stored(t, agent.Board()), `"name":"trajectories","n":1,`)

	again := w.writer(t)
	_, err = durable.Replay(t.Context(), again, w.store, "run", nil)
	require.NoError(t, err)
	assert.Equal(t, stored(t, agent.Board()), stored(t, again.Board()))
}
