package durable_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// once calls the model, and is done.
func (y *tally) once(ctx context.Context, _ *clerk) (fsm.Status, error) {
	return fsm.Finish, y.ask(ctx)
}

// priced are options under which a call costs 2.
func priced() *round.Options {
	return &round.Options{Price: func(string, llm.Usage) float64 { return 2 }}
}

// What a session has used in its rounds is known in every process, whenever the one before
// died: in a round, or between two.
func TestASessionCountsOverProcesses(t *testing.T) {
	for bound, tight := range map[string]func(*round.Options){
		"MaxSessionSteps":  func(o *round.Options) { o.MaxSessionSteps = 2 },
		"MaxSessionTokens": func(o *round.Options) { o.MaxSessionTokens = 20 },
		"MaxSessionCost":   func(o *round.Options) { o.MaxSessionCost = 4 },
	} {
		for name, c := range map[string]struct {
			rounds int // that ended
			dies   int // in the next one, at that Append; 0: there is none
		}{
			"at the beginning of a round": {2, 1},
			"within a round":              {1, 3}, // round, call, step
			"between two":                 {2, 0},
		} {
			t.Run(bound+" "+name, func(t *testing.T) {
				y := newTally(t)
				s := y.begin(y.once, priced())
				for range c.rounds {
					_, err := s.Run(t.Context(), "go")
					require.NoError(t, err)
				}
				if c.dies > 0 {
					y.store.start(c.dies, true)
					_, err := s.Run(t.Context(), "go")
					require.ErrorIs(t, err, round.ErrLost)
				}
				opts := priced()
				tight(opts)
				s = y.resume(y.once, opts)
				var err error
				if c.dies == 1 {
					_, err = s.Round().Run(t.Context())
				} else {
					_, err = s.Run(t.Context(), "go")
				}
				var budget *round.BudgetError
				require.ErrorAs(t, err, &budget)
				assert.Equal(t, bound, budget.Bound)
				assert.Equal(t, 2, y.calls)
			})
		}
	}
}

// The time of a round is that of all its processes together.
func TestTimeCountsOverProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newTally(t)
		do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
			select {
			case <-time.After(40 * time.Second):
			case <-ctx.Done():
				return "", ctx.Err()
			}
			if c.N++; c.N == 3 {
				return fsm.Finish, nil
			}
			return fsm.Continue, nil
		}
		opts := &round.Options{MaxDuration: time.Minute}
		y.store.start(2, true) // round, step
		_, err := y.begin(do, opts).Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrLost)
		time.Sleep(time.Hour) // of a bubble: nobody has the run
		began := time.Now()
		_, err = y.resume(do, opts).Round().Run(t.Context())
		var budget *round.BudgetError
		require.ErrorAs(t, err, &budget)
		assert.Equal(t, "MaxDuration", budget.Bound)
		assert.Equal(t, 20*time.Second, time.Since(began))
		_, err = y.resume(do, opts).Round().Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget)
		assert.Equal(t, 20*time.Second, time.Since(began), "no time is left")
		_, err = y.resume(do, &round.Options{MaxDuration: 5 * time.Minute}).Round().Run(t.Context())
		require.NoError(t, err)
	})
}

// Calls are paid for although their replies are of no use: those that a step drops, and
// those that came back when the run was cancelled.
func TestCallsThatNobodyHasAreCounted(t *testing.T) {
	t.Run("dropped", func(t *testing.T) {
		y, n := newTally(t), 3
		do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			for range n {
				if err := y.ask(ctx); err != nil {
					return "", err
				}
			}
			return fsm.Finish, nil
		}
		y.dies(5, false, do)
		require.Equal(t, 3, y.calls)
		n = 1 // the code is another one now
		res, err := y.resume(do, priced()).Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 3, res.Calls)
		assert.Equal(t, 30, res.Usage.Total())
		assert.InDelta(t, 6, res.Cost, 0.001)
		assert.Equal(t, res, y.resume(do, priced()).Round().Result())
	})
	t.Run("dropped with its round", func(t *testing.T) {
		y := newTally(t)
		do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
			if c.N++; c.N > 1 {
				return fsm.Finish, nil
			}
			_ = y.ask(ctx)
			return fsm.Continue, y.ask(ctx)
		}
		y.dies(3, true, do) // round, call, call
		s := y.resume(do, priced())
		s.Adjust(func(o *round.Options) { o.MaxSessionTokens = 20 })
		_, err := s.Run(t.Context(), "another one")
		var budget *round.BudgetError
		require.ErrorAs(t, err, &budget)
		assert.Equal(t, "MaxSessionTokens", budget.Bound)
		assert.Equal(t, 2, y.calls)
		_, err = y.resume(do, &round.Options{MaxSessionTokens: 20}).Round().Run(t.Context())
		require.ErrorIs(t, err, round.ErrBudget, "the next process knows it as well")
	})
	t.Run("cancelled", func(t *testing.T) {
		y := newTally(t)
		ctx, cancel := context.WithCancel(t.Context())
		first := true
		model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			resp := &llm.Response{Text: "x", Model: "m", Usage: llm.Usage{InputTokens: 10}}
			if !first {
				return resp, nil
			}
			first = false
			cancel()
			return resp, context.Canceled
		})
		do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			_, err := llm.Complete(ctx, model, &llm.Request{})
			return fsm.Finish, err
		}
		y.store.start(3, false) // round, call, and no stop
		_, err := y.begin(do, priced()).Run(ctx, "go")
		require.ErrorIs(t, err, round.ErrLost)
		res, err := y.resume(do, priced()).Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 2, res.Calls)
		assert.Equal(t, 20, res.Usage.Total())
		assert.InDelta(t, 4, res.Cost, 0.001)
	})
}
