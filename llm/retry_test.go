package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

var (
	overloaded = llm.StatusError(503, 0, "busy")
	rejected   = llm.StatusError(400, 0, "no such model")
	good       = &llm.Response{Text: "hi", Model: "m", Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}, FinishReason: "stop"}
)

// answers is a model that gives one after another, an error or a *llm.Response
// or both, and the last one for ever.
func answers(calls *int, list ...any) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		a := list[min(*calls, len(list)-1)]
		*calls++
		switch a := a.(type) {
		case error:
			return nil, a
		case *llm.Response:
			return a, nil
		}
		p := a.(paid)
		return &llm.Response{Text: p.text, Model: p.model, Usage: p.usage}, p.err
	})
}

// paid is an error that cost something.
type paid struct {
	text, model string
	usage       llm.Usage
	err         error
}

func whole() float64 { return 1 }

// waits runs one call and returns how long each wait was by the clock.
func waits(t *testing.T, opts llm.RetryOptions, list ...any) (took []time.Duration, calls int, resp *llm.Response, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		last := time.Now()
		inner := answers(&calls, list...)
		model := llm.Retry(llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			if calls > 0 {
				took = append(took, time.Since(last))
				last = time.Now()
			}
			return inner.Complete(ctx, req)
		}), &opts)
		resp, err = model.Complete(t.Context(), &llm.Request{})
		assert.Zero(t, time.Since(last), "nothing is waited for after the last attempt")
	})
	return took, calls, resp, err
}

const ms = time.Millisecond

func TestRetryWaits(t *testing.T) {
	after := func(d time.Duration) error { return llm.StatusError(429, d, "") }
	random := func(list ...float64) func() float64 {
		i := -1
		return func() float64 { i++; return list[i] }
	}
	for name, c := range map[string]struct {
		opts llm.RetryOptions
		list []any
		want []time.Duration
		err  error
	}{
		"no failure":            {llm.RetryOptions{}, []any{good}, nil, nil},
		"one":                   {llm.RetryOptions{Random: whole}, []any{overloaded, good}, []time.Duration{500 * ms}, nil},
		"the bound doubles":     {llm.RetryOptions{Random: whole}, []any{overloaded, overloaded, overloaded, good}, []time.Duration{500 * ms, 1000 * ms, 2000 * ms}, nil},
		"four attempts":         {llm.RetryOptions{Random: whole}, []any{overloaded}, []time.Duration{500 * ms, 1000 * ms, 2000 * ms}, llm.ErrOverloaded},
		"a part of the bound":   {llm.RetryOptions{Random: random(0.5, 0, 0.25)}, []any{overloaded}, []time.Duration{250 * ms, 0, 500 * ms}, llm.ErrOverloaded},
		"a random that is none": {llm.RetryOptions{Random: random(-1, math.NaN(), 7)}, []any{overloaded}, []time.Duration{0, 0, 2000 * ms}, llm.ErrOverloaded},
		"own numbers": {
			llm.RetryOptions{MaxAttempts: 6, Base: time.Second, Max: 3 * time.Second, Random: whole},
			[]any{overloaded},
			[]time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second, 3 * time.Second}, llm.ErrOverloaded,
		},
		"the default end": {
			llm.RetryOptions{MaxAttempts: 9, Random: whole}, []any{overloaded},
			[]time.Duration{500 * ms, 1000 * ms, 2000 * ms, 4000 * ms, 8000 * ms, 16000 * ms, 30000 * ms, 30000 * ms}, llm.ErrOverloaded,
		},
		"a base above the end":   {llm.RetryOptions{Base: time.Minute, Max: time.Second, Random: whole}, []any{overloaded, good}, []time.Duration{time.Second}, nil},
		"no wait":                {llm.RetryOptions{MaxAttempts: 3, Base: -1}, []any{overloaded}, []time.Duration{0, 0}, llm.ErrOverloaded},
		"no wait but the asked":  {llm.RetryOptions{MaxAttempts: 3, Base: -1}, []any{after(3 * time.Second), overloaded}, []time.Duration{3 * time.Second, 0}, llm.ErrOverloaded},
		"asked to wait longer":   {llm.RetryOptions{Random: whole}, []any{after(20 * time.Second), good}, []time.Duration{20 * time.Second}, nil},
		"asked to wait less":     {llm.RetryOptions{Random: whole}, []any{after(ms), good}, []time.Duration{500 * ms}, nil},
		"asked for the most":     {llm.RetryOptions{}, []any{after(time.Minute), good}, []time.Duration{time.Minute}, nil},
		"asked for too much":     {llm.RetryOptions{}, []any{after(time.Minute + 1), good}, nil, llm.ErrRateLimited},
		"asked for an hour":      {llm.RetryOptions{MaxRetryAfter: -1}, []any{after(time.Hour), good}, []time.Duration{time.Hour}, nil},
		"asked, behind others":   {llm.RetryOptions{}, []any{errors.Join(io.EOF, after(20*time.Second)), good}, []time.Duration{20 * time.Second}, nil},
		"an empty reply":         {llm.RetryOptions{Random: whole}, []any{&llm.Response{}, good}, []time.Duration{500 * ms}, nil},
		"rejected":               {llm.RetryOptions{}, []any{rejected}, nil, llm.ErrRejected},
		"refused":                {llm.RetryOptions{}, []any{&llm.Response{FinishReason: "refusal"}}, nil, llm.ErrRefused},
		"cut":                    {llm.RetryOptions{}, []any{&llm.Response{Text: "{", FinishReason: "length"}}, nil, llm.ErrCut},
		"unknown":                {llm.RetryOptions{}, []any{io.EOF}, nil, io.EOF},
		"nothing at all":         {llm.RetryOptions{}, []any{(*llm.Response)(nil)}, nil, llm.ErrNoResponse},
		"overloaded, then worse": {llm.RetryOptions{Random: whole}, []any{overloaded, rejected}, []time.Duration{500 * ms}, llm.ErrRejected},
		"one attempt":            {llm.RetryOptions{MaxAttempts: 1}, []any{overloaded}, nil, llm.ErrOverloaded},
		"another rule": {
			llm.RetryOptions{MaxAttempts: 2, Random: whole, If: func(err error) bool { return errors.Is(err, io.EOF) }},
			[]any{io.EOF, overloaded},
			[]time.Duration{500 * ms}, llm.ErrOverloaded,
		},
	} {
		t.Run(name, func(t *testing.T) {
			took, calls, resp, err := waits(t, c.opts, c.list...)
			assert.Equal(t, c.want, took)
			assert.Equal(t, len(c.want)+1, calls)
			if c.err == nil {
				require.NoError(t, err)
				assert.Equal(t, "hi", resp.Text)
				return
			}
			require.ErrorIs(t, err, c.err)
			if calls == 1 {
				assert.NotContains(t, err.Error(), "attempts", "one attempt is not several")
				return
			}
			assert.Equal(t, fmt.Sprintf("llm: no success in %d attempts; the last: %v", calls, errors.Unwrap(err)), err.Error())
		})
	}
}

func TestRetryWithoutEnd(t *testing.T) {
	list := make([]any, 12, 13)
	for i := range list {
		list[i] = overloaded
	}
	took, calls, _, err := waits(t, llm.RetryOptions{MaxAttempts: -1, Base: time.Hour, Max: -1, Random: whole}, append(list, good)...)
	require.NoError(t, err)
	assert.Equal(t, 13, calls)
	assert.Equal(t, 2048*time.Hour, took[11])
}

// A bound that a Duration cannot hold stays the longest Duration.
func TestRetryBoundDoesNotTurnOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var took []time.Duration
		calls := 0
		_, err := llm.Retry(answers(&calls, overloaded), &llm.RetryOptions{Base: 1<<62 + 1, Max: -1, Random: whole, OnRetry: func(_ int, wait time.Duration, _ error) {
			if took = append(took, wait); len(took) == 2 {
				cancel()
			}
		}}).Complete(ctx, &llm.Request{})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, []time.Duration{1<<62 + 1, math.MaxInt64}, took)
	})
}

func TestOnRetry(t *testing.T) {
	type told struct {
		attempt int
		wait    time.Duration
		err     error
	}
	var log []told
	_, _, _, err := waits(t, llm.RetryOptions{Random: whole, OnRetry: func(attempt int, wait time.Duration, err error) {
		log = append(log, told{attempt, wait, err})
	}}, overloaded, llm.ErrSlow, good)
	require.NoError(t, err)
	assert.Equal(t, []told{{1, 500 * ms, overloaded}, {2, 1000 * ms, llm.ErrSlow}}, log)
}

// Every attempt that used something counts, however the call ends.
func TestRetryAddsUpUsage(t *testing.T) {
	cost := func(n int) llm.Usage { return llm.Usage{InputTokens: n, OutputTokens: 1} }
	broken := paid{"half a rep", "m", cost(100), overloaded}
	empty := &llm.Response{Model: "m", Usage: cost(10)}
	less := paid{"", "m", cost(-100), overloaded}
	no := &llm.Response{Text: "no", Model: "m", FinishReason: "refusal", Usage: cost(1)}
	hi := func(used llm.Usage) *llm.Response {
		return &llm.Response{Text: "hi", Model: "m", FinishReason: "stop", Usage: used} // of one model: there is no list
	}
	for name, c := range map[string]struct {
		list []any
		want *llm.Response
	}{
		"at once":             {[]any{good}, good},
		"after nothing":       {[]any{overloaded, &llm.Response{}, good}, good},
		"after an empty one":  {[]any{empty, good}, hi(llm.Usage{InputTokens: 20, OutputTokens: 6})},
		"after a broken one":  {[]any{broken, overloaded, good}, hi(llm.Usage{InputTokens: 110, OutputTokens: 6})},
		"never":               {[]any{broken, empty, overloaded, rejected}, &llm.Response{Model: "m", Usage: llm.Usage{InputTokens: 110, OutputTokens: 2}}},
		"never, once paid":    {[]any{overloaded, broken, rejected}, &llm.Response{Model: "m", Usage: cost(100)}},
		"never, nothing used": {[]any{overloaded}, nil},
		"less than nothing":   {[]any{less, good}, hi(llm.Usage{InputTokens: 10, OutputTokens: 6})},
		"the last was refused": {
			[]any{empty, no},
			&llm.Response{Text: "no", Model: "m", FinishReason: "refusal", Usage: llm.Usage{InputTokens: 11, OutputTokens: 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, resp, _ := waits(t, llm.RetryOptions{}, c.list...)
			assert.Equal(t, c.want, resp)
		})
	}
	assert.Equal(t, 15, good.Usage.Total(), "a response of the model is not changed")
}

func TestRetryOfNothing(t *testing.T) {
	var typed *nilModel
	for _, m := range []llm.Model{nil, typed, llm.ModelFunc(nil)} {
		_, err := llm.Complete(t.Context(), llm.Retry(m, nil), &llm.Request{})
		require.ErrorIs(t, err, llm.ErrNoModel)
	}
}

type nilModel struct{}

func (*nilModel) Complete(context.Context, *llm.Request) (*llm.Response, error) { return good, nil }

func TestRetryCopiesItsOptions(t *testing.T) {
	calls, opts := 0, &llm.RetryOptions{MaxAttempts: 1}
	model := llm.Retry(answers(&calls, overloaded), opts)
	opts.MaxAttempts = 3
	_, err := model.Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrOverloaded)
	assert.Equal(t, 1, calls)
	assert.Equal(t, llm.RetryOptions{MaxAttempts: 3}, *opts, "and leaves them alone")
}
