package scenarios_test

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

// byModel has a price for each model, and none for what has no name.
func byModel(model string, u llm.Usage) float64 {
	return map[string]float64{"big": 1e-4, "small": 1e-7}[model] * float64(u.Total())
}

// again is a model with one answer for every call.
func again(calls *int, text, name string, tokens int, err error) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		*calls++
		return &llm.Response{Text: text, Model: name, Usage: llm.Usage{InputTokens: tokens}}, err
	})
}

// What a dear model used before a cheap one answered has the price of the dear one.
func TestScenario28_EachModelHasItsPrice(t *testing.T) {
	const goOn = `{"Status": "CONTINUE"}`
	for name, c := range map[string]struct {
		text, small, model string // of the small one
		err, last          error
		moved, asked       int
		cost               float64
	}{
		"the small one answers":      {goOn, "small", "small", nil, nil, 1, 1, 40 + 1e-7},
		"it has no name":             {goOn, "", "", nil, nil, 1, 1, 40},
		"its reply is useless":       {"no JSON", "small", "small", nil, nil, 0, 1, 40 + 1e-7},
		"its reply is empty, too":    {"", "small", "small", nil, nil, 0, 1, 40 + 1e-7},
		"the big one breaks, paid":   {goOn, "small", "small", failing, nil, 1, 1, 40 + 1e-7},
		"the small one breaks, paid": {goOn, "small", "small", nil, failing, 0, 4, 40 + 4e-7},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var big, small int
				s := onStage(t)
				second := again(&small, c.text, c.small, 1, c.last)
				if c.last != nil {
					second = llm.Retry(second, nil)
				}
				s.Config.Model = llm.Fallback(llm.Retry(again(&big, "", "big", 100_000, c.err), nil), second)
				s.Options.Price, s.Options.MaxCost = byModel, 1
				res, err := s.run("do it")
				if c.last != nil { // a fault of the step comes first; the cost is known all the same
					require.ErrorIs(t, err, llm.ErrUnavailable)
				} else {
					var b *round.BudgetError
					require.ErrorAs(t, err, &b)
					assert.Equal(t, []string{"MaxCost", "1"}, []string{b.Bound, b.Limit})
					assert.Equal(t, fsm.Continue, res.Status)
					assert.Equal(t, c.moved, res.Transitions)
				}
				assert.Equal(t, []int{4, c.asked}, []int{big, small})
				assert.InDelta(t, c.cost, res.Cost, 1e-9)
				assert.Equal(t, 400_000+c.asked, res.Usage.Total())
				assert.Equal(t, 1, res.Calls)
				for _, step := range s.Steps {
					assert.Equal(t, c.model, step.Model)
					assert.InDelta(t, c.cost, step.Cost, 1e-9)
				}
			})
		})
	}
}

// A Retry that waits when the time of the round is over has not failed: it is the
// bound that ended the step, and with more time the round goes on.
func TestScenario28_TheTimeOfTheRoundEndsInAWait(t *testing.T) {
	always := llm.StatusError(503, 0, "busy")
	for name, stack := range map[string]func(primary, secondary llm.Model) llm.Model{
		"retry":          func(m, _ llm.Model) llm.Model { return llm.Retry(m, wholeBound) },
		"without end":    func(m, _ llm.Model) llm.Model { return llm.Retry(m, &llm.RetryOptions{MaxAttempts: -1}) },
		"with a timeout": func(m, _ llm.Model) llm.Model { return llm.Retry(llm.Timeout(m, time.Second), wholeBound) },
		"a fallback": func(m, n llm.Model) llm.Model {
			return llm.Fallback(llm.Retry(m, wholeBound), llm.Retry(n, wholeBound))
		},
		"in the fallback": func(m, n llm.Model) llm.Model { return llm.Fallback(n, llm.Retry(m, wholeBound)) },
		"around it":       func(m, n llm.Model) llm.Model { return llm.Retry(llm.Fallback(n, m), wholeBound) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := onStage(t, finish("done"))
				healthy := false
				model := llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
					if healthy {
						return s.Model.Complete(ctx, req)
					}
					return nil, always
				})
				s.Config.Model = stack(model, model)
				s.Options.MaxDuration = 3 * time.Second
				start := time.Now()
				r := s.round("do it")
				res, err := r.Run(t.Context())
				reached(t, res, err, "MaxDuration", "3s", "3s")
				assert.Equal(t, 3*time.Second, time.Since(start))
				assert.Equal(t, fsm.Continue, res.Status, "the position stays")
				assert.Zero(t, res.Transitions)

				healthy = true
				r.Adjust(func(o *round.Options) { o.MaxDuration = time.Minute })
				res, err = r.Run(t.Context())
				require.NoError(t, err)
				assert.Equal(t, "done", res.Answer)
				assert.Equal(t, []int{1, 2}, []int{res.Steps, res.Calls})
			})
		})
	}
}

// A provider that asks for more than MaxRetryAfter is not waited for, and a limit
// around a Retry leaves the next model its turn: neither uses up the round's time.
func TestScenario28_TheRoundHasTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onStage(t)
		s.Config.Model = llm.Retry(again(new(int), "", "big", 1, llm.StatusError(429, time.Hour, "")), nil)
		s.Options.MaxDuration = 3 * time.Second
		start := time.Now()
		_, err := s.run("do it")
		require.ErrorIs(t, err, round.ErrFault)
		require.ErrorIs(t, err, llm.ErrRateLimited)
		assert.Zero(t, time.Since(start))
	})
	synctest.Test(t, func(t *testing.T) {
		s := onStage(t, finish("done"))
		s.Config.Model = llm.Fallback(llm.Timeout(llm.Retry(again(new(int), "", "big", 1, overload), wholeBound), time.Second), s.Model)
		s.Options.MaxDuration = 3 * time.Second
		start := time.Now()
		res, err := s.run("do it")
		require.NoError(t, err)
		assert.Equal(t, "done", res.Answer)
		assert.Equal(t, time.Second, time.Since(start))
	})
}
