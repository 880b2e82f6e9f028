package durable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
