package durable_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

// A bound stops the run in each of its steps, the one that executes what was approved
// among them.
func TestReplayOfABoundInEachStep(t *testing.T) {
	want, err := newWorld(t).life(true)
	require.NoError(t, err)
	for n := 1; n < want.Steps; n++ {
		if left := want.Steps - n; left > sample.Of(4, 2) && n%sample.Of(4, 20) != 0 {
			continue // most of them are alike
		}
		w, opts := newWorld(t), unbounded()
		opts.MaxSteps = n
		s, err := durable.Open(t.Context(), w.host(), w.store, "run", &durable.Options{Round: opts})
		require.NoError(t, err)
		_, err = s.Run(t.Context(), "make the report")
		require.ErrorIs(t, err, round.ErrBudget)
		s.Adjust(func(o *round.Options) { o.MaxSteps = -1 })
		res, err := s.Round().Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, want.Answer, res.Answer)
		w.requireOnce()
		again, err := w.replay(nil)
		require.NoError(t, err, n)
		require.Equal(t, res, again)
	}
}

// Processes die in the middle of a step, and others begin another round. What the broken
// step did, whose agents are gone, is not done by a replay.
func TestReplayOfBrokenSteps(t *testing.T) {
	for n := 1; n < 20; n += sample.Of(4, 12) {
		w := newWorld(t)
		armed := true
		w.desk.On("add_line", func(_ context.Context, c desktoptest.Call) (any, error) {
			w.lines = append(w.lines, fmt.Sprint(c.Params["text"]))
			w.word.ChangeControl("lines", func(now *desktop.Control) { now.Value = fmt.Sprint(len(w.lines)) })
			w.store.mu.Lock()
			defer w.store.mu.Unlock()
			if armed {
				w.store.dieAt, w.store.after = w.store.count+1, true // with the result
			}
			return "done", nil
		})
		_, err := w.life(true)
		require.ErrorIs(t, err, round.ErrLost)
		for range 2 { // dies in two rounds more
			w.store.start(0, false)
			_, err = w.resume().Run(t.Context(), "make it after all")
			require.ErrorIs(t, err, round.ErrLost)
		}
		w.store.start(0, false)
		armed = false
		r, err := w.resume().Start("make it after all")
		require.NoError(t, err)
		r.Adjust(func(o *round.Options) { o.MaxSteps = n }) // and the last one stops in between
		if _, err = r.Run(t.Context()); err != nil {
			require.ErrorIs(t, err, round.ErrBudget)
			r.Adjust(func(o *round.Options) { o.MaxSteps = -1 })
			_, err = r.Run(t.Context())
		}
		require.NoError(t, err)
		res, err := w.replay(nil)
		require.NoError(t, err, n)
		require.Equal(t, r.Result(), res)
	}
}
