package scenarios_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

var (
	broken    = &llm.CallError{Kind: llm.ErrUnavailable, Model: "primary", Err: io.ErrUnexpectedEOF}
	limited   = llm.StatusError(429, 20*time.Second, "too many requests")
	failing   = llm.StatusError(500, 0, "internal error")
	overload  = llm.StatusError(529, 0, "overloaded")
	errBadKey = llm.StatusError(401, 0, "invalid key")
	errNever  = errors.New("it never answers")

	used       = llm.Usage{InputTokens: 10, OutputTokens: 5} // what every reply of a script costs
	emptyReply = &llm.Response{FinishReason: "stop", Usage: used}
	refusal    = &llm.Response{Text: "I would rather not: s3cret", FinishReason: "content_filter", Usage: used}
)

// a token costs 2, so that a cost is not taken for a number of tokens.
func price(_ string, u llm.Usage) float64 { return 2 * float64(u.Total()) }

// wholeBound is a Retry without luck: it waits as long as it may.
var wholeBound = &llm.RetryOptions{Random: func() float64 { return 1 }}

// twoModels is a stage whose host asks a primary model and, if need be, a
// secondary one. An error errNever is a call that ends with its context.
func twoModels(t *testing.T, primary, secondary []any) *stage {
	s := onStage(t)
	first, second := llmtest.Script(t, primary...), llmtest.Script(t, secondary...)
	slow := llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		resp, err := first.Complete(ctx, req)
		if errors.Is(err, errNever) {
			<-ctx.Done()
			err = ctx.Err()
		}
		return resp, err
	})
	s.Config.Model = llm.Fallback(
		llm.Retry(llm.Timeout(slow, 30*time.Second), wholeBound),
		llm.Retry(second, wholeBound),
	)
	s.Options.Price = price
	return s
}

func TestScenario28_RetriedThenTheFallback(t *testing.T) {
	const half = 500 * time.Millisecond
	for name, c := range map[string]struct {
		primary, secondary []any
		took               time.Duration
		tokens             int
	}{
		"transport":        {[]any{broken, finish("done")}, nil, half, 15},
		"429 with a wait":  {[]any{limited, finish("done")}, nil, 20 * time.Second, 15},
		"5xx":              {[]any{failing, overload, failing, finish("done")}, nil, 7 * half, 15},
		"slow":             {[]any{errNever, finish("done")}, nil, 30*time.Second + half, 15},
		"empty, then good": {[]any{emptyReply, finish("done")}, nil, half, 30},
		"fallback":         {[]any{failing, failing, failing, failing}, []any{finish("done")}, 7 * half, 15},
		"fallback, slowly": {[]any{errNever, errNever, errNever, errNever}, []any{overload, finish("done")}, 2*time.Minute + 8*half, 15},
		"a wait too long":  {[]any{llm.StatusError(429, time.Hour, "")}, []any{finish("done")}, 0, 15},
		"bad, then 5xx":    {[]any{"not yet", failing, finish("done")}, nil, half, 30},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := twoModels(t, c.primary, c.secondary)
				start := time.Now()
				res, err := s.run("do it")
				require.NoError(t, err)
				assert.Equal(t, "done", res.Answer)
				assert.Equal(t, c.took, time.Since(start))
				assert.Equal(t, 1, res.Steps)
				assert.Equal(t, c.tokens, res.Usage.Total(), "attempts that used something are in it")
				assert.InDelta(t, 2*c.tokens, res.Cost, 1e-9)
				assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:FINISH"}, s.positions())
			})
		})
	}
}

// What no middleware can mend reaches the round's error, and is known by its kind. A bound of the time that ends in
// a wait is the bound.
func TestScenario28_Typed(t *testing.T) {
	again := []any{failing, limited, broken, emptyReply}
	for name, c := range map[string]struct {
		primary, secondary []any
		within             time.Duration
		kinds              []error
		tokens             int
	}{
		"4xx":           {[]any{errBadKey}, nil, 0, []error{round.ErrFault, llm.ErrRejected}, 0},
		"refusal":       {[]any{refusal}, nil, 0, []error{round.ErrFault, llm.ErrRefused}, 15},
		"no kind":       {[]any{io.ErrClosedPipe}, nil, 0, []error{round.ErrFault, io.ErrClosedPipe}, 0},
		"both fail":     {again, slices.Repeat([]any{overload}, 4), 0, []error{round.ErrFault, llm.ErrEmpty, llm.ErrOverloaded}, 15},
		"a bound":       {again[:2], nil, 3 * time.Second, []error{round.ErrBudget}, 0},
		"a bound, slow": {[]any{errNever}, nil, 3 * time.Second, []error{round.ErrBudget}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := twoModels(t, c.primary, c.secondary)
				s.Options.MaxDuration = c.within
				res, err := s.run("do it")
				for _, kind := range c.kinds {
					require.ErrorIs(t, err, kind)
				}
				require.NotErrorIs(t, err, deciding.ErrReply, "it is no matter of re-asking")
				assert.Equal(t, 1, res.Calls, "to the round all attempts are one call")
				assert.Equal(t, c.tokens, res.Usage.Total())
				assert.InDelta(t, 2*c.tokens, res.Cost, 1e-9)
				assert.NotContains(t, err.Error(), "s3cret", "a reply is in no error text")
			})
		})
	}
}
