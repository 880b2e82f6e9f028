package round_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Every attempt behind a call is priced by its own model, also where the call
// failed, and what the list leaves out by the model that the response names.
func TestPriceOfEachAttempt(t *testing.T) {
	in := func(n int) llm.Usage { return llm.Usage{InputTokens: n} }
	by := func(model string, n int) llm.ModelUsage { return llm.ModelUsage{Model: model, Usage: in(n)} }
	for name, c := range map[string]struct {
		resp   *llm.Response
		err    error
		priced []string
		tokens int
		cost   float64
	}{
		"plain":          {&llm.Response{Text: "hi", Model: "small", Usage: in(2)}, nil, []string{"small 2"}, 2, 2},
		"nothing used":   {&llm.Response{Text: "hi", Model: "small"}, nil, []string{"small 0"}, 0, 0},
		"no response":    {nil, errBang, nil, 0, 0},
		"failed, paid":   {&llm.Response{Model: "big", Usage: in(3)}, errBang, []string{"big 3"}, 3, 3000},
		"two models":     {&llm.Response{Text: "hi", Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("big", 3), by("small", 2)}}, nil, []string{"big 3", "small 2"}, 5, 3002},
		"two that fail":  {&llm.Response{Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("big", 3), by("small", 2)}}, errBang, []string{"big 3", "small 2"}, 5, 3002},
		"a rest":         {&llm.Response{Text: "hi", Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("big", 3)}}, nil, []string{"big 3", "small 2"}, 5, 3002},
		"an empty sum":   {&llm.Response{Text: "hi", Model: "small", Spent: []llm.ModelUsage{by("big", 3)}}, nil, []string{"big 3"}, 3, 3000},
		"minus is none":  {&llm.Response{Text: "hi", Model: "small", Usage: in(-9), Spent: []llm.ModelUsage{by("big", 3), by("small", -3)}}, nil, []string{"big 3", "small 0"}, 3, 3000},
		"without a name": {&llm.Response{Text: "hi", Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("", 3), by("small", 2)}}, nil, []string{" 3", "small 2"}, 5, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var priced []string
			p := newPuppet("A")
			p.do = func(ctx context.Context) error {
				_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return c.resp, c.err }), &llm.Request{})
				assert.Equal(t, c.err, err)
				return nil
			}
			_, res, err := path(t, p, &round.Options{Price: func(model string, used llm.Usage) float64 {
				priced = append(priced, fmt.Sprint(model, " ", used.Total()))
				return map[string]float64{"big": 1000, "small": 1}[model] * float64(used.Total())
			}})
			require.NoError(t, err)
			assert.Equal(t, c.priced, priced)
			assert.Equal(t, c.tokens, res.Usage.Total())
			assert.InDelta(t, c.cost, res.Cost, 1e-9)
			assert.Equal(t, 1, res.Calls)
		})
	}
}

// A step shows the last name that a model gave, in calls that failed as well.
func TestStepKeepsTheLastNameOfAModel(t *testing.T) {
	var steps []round.Step
	p := newPuppet("A")
	p.do = func(ctx context.Context) error {
		for _, name := range []string{"big", "small", ""} {
			_, _ = llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				return &llm.Response{Model: name}, errBang
			}), &llm.Request{})
		}
		return nil
	}
	_, _, err := path(t, p, &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
	require.NoError(t, err)
	assert.Equal(t, "small", steps[0].Model)
	assert.Equal(t, 3, steps[0].Calls)
}

// The bounds of a session hold with the price of each model, too.
func TestSessionCostOfEachAttempt(t *testing.T) {
	spent := []llm.ModelUsage{{Model: "big", Usage: llm.Usage{InputTokens: 9}}, {Model: "small"}}
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: "hi", Model: "small", Usage: llm.Usage{InputTokens: 9}, Spent: spent}, nil
	})
	p := newPuppet("A")
	p.do = func(ctx context.Context) error {
		_, err := llm.Complete(ctx, model, &llm.Request{})
		return err
	}
	s, err := round.NewSession(p, &round.Options{MaxSessionCost: 5, Price: func(name string, used llm.Usage) float64 {
		if name == "big" {
			return float64(used.Total())
		}
		return 0
	}})
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "one")
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "two")
	b := bound(t, err)
	assert.Equal(t, []string{"MaxSessionCost", "9"}, []string{b.Bound, b.Used})
}
