package scenarios_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
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
)

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

// What no middleware can mend reaches the round's error, and is known by its kind.
func TestScenario28_Typed(t *testing.T) {
	for name, c := range map[string]struct {
		primary, secondary []any
		kinds              []error
		tokens             int
	}{
		"4xx":           {[]any{errBadKey}, nil, []error{llm.ErrRejected}, 0},
		"5xx, then 4xx": {[]any{failing, errBadKey}, nil, []error{llm.ErrRejected}, 0},
		"refusal":       {[]any{refusal}, nil, []error{llm.ErrRefused}, 15},
		"no kind":       {[]any{io.ErrClosedPipe}, nil, []error{io.ErrClosedPipe}, 0},
		"both fail": {
			[]any{failing, limited, broken, emptyReply},
			[]any{overload, overload, overload, overload},
			[]error{llm.ErrEmpty, llm.ErrOverloaded}, 15,
		},
		"both fail, the second at once": {[]any{broken, broken, broken, broken}, []any{errBadKey}, []error{llm.ErrUnavailable, io.ErrUnexpectedEOF, llm.ErrRejected}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := twoModels(t, c.primary, c.secondary)
				res, err := s.run("do it")
				require.ErrorIs(t, err, round.ErrFault)
				for _, kind := range c.kinds {
					require.ErrorIs(t, err, kind)
				}
				if kind := c.kinds[len(c.kinds)-1]; !errors.Is(kind, io.ErrClosedPipe) {
					var call *llm.CallError
					require.ErrorAs(t, err, &call)
					assert.Equal(t, kind, call.Kind, "what ended it comes first")
				}
				require.NotErrorIs(t, err, deciding.ErrReply, "it is no matter of re-asking")
				assert.Equal(t, fsm.Error, res.Status)
				assert.Equal(t, []int{1, 1}, []int{res.Steps, res.Calls}, "to the round all attempts are one call")
				assert.Equal(t, c.tokens, res.Usage.Total())
				assert.InDelta(t, 2*c.tokens, res.Cost, 1e-9)
				assert.NotContains(t, err.Error(), "s3cret", "a reply is in no error text")
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
		"with a timeout": func(m, _ llm.Model) llm.Model { return llm.Retry(llm.Timeout(m, time.Second), wholeBound) },
		"a fallback": func(m, n llm.Model) llm.Model {
			return llm.Fallback(llm.Retry(m, wholeBound), llm.Retry(n, wholeBound))
		},
		"around it": func(m, n llm.Model) llm.Model { return llm.Retry(llm.Fallback(n, m), wholeBound) },
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
