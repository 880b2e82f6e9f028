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
		"no wait but the asked":  {llm.RetryOptions{MaxAttempts: 3, Base: -1}, []any{after(3 * time.Second), overloaded}, []time.Duration{3 * time.Second, 0}, llm.ErrOverloaded},
		"asked to wait longer":   {llm.RetryOptions{Random: whole}, []any{after(20 * time.Second), good}, []time.Duration{20 * time.Second}, nil},
		"asked to wait less":     {llm.RetryOptions{Random: whole}, []any{after(ms), good}, []time.Duration{500 * ms}, nil},
		"asked for the most":     {llm.RetryOptions{}, []any{after(time.Minute), good}, []time.Duration{time.Minute}, nil},
		"asked for too much":     {llm.RetryOptions{}, []any{after(time.Minute + 1), good}, nil, llm.ErrRateLimited},
		"asked, behind others":   {llm.RetryOptions{}, []any{errors.Join(io.EOF, after(20*time.Second)), good}, []time.Duration{20 * time.Second}, nil},
		"an empty reply":         {llm.RetryOptions{Random: whole}, []any{&llm.Response{}, good}, []time.Duration{500 * ms}, nil},
		"rejected":               {llm.RetryOptions{}, []any{rejected}, nil, llm.ErrRejected},
		"unknown":                {llm.RetryOptions{}, []any{io.EOF}, nil, io.EOF},
		"overloaded, then worse": {llm.RetryOptions{Random: whole}, []any{overloaded, rejected}, []time.Duration{500 * ms}, llm.ErrRejected},
		"no end": {
			llm.RetryOptions{MaxAttempts: -1, Base: time.Hour, Max: -1, Random: whole},
			[]any{overloaded, overloaded, overloaded, overloaded, overloaded, good},
			[]time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour}, nil,
		},
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

// A bound that a Duration cannot hold stays the longest Duration.
func TestRetryBoundDoesNotTurnOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var took []time.Duration
		calls := 0
		_, err := llm.Retry(answers(&calls, overloaded), &llm.RetryOptions{Base: 1<<62 + 1, Max: -1, Random: whole, OnRetry: func(n int, wait time.Duration, err error) {
			assert.Equal(t, calls, n)
			assert.Equal(t, overloaded, err)
			if took = append(took, wait); len(took) == 2 {
				cancel()
			}
		}}).Complete(ctx, &llm.Request{})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, []time.Duration{1<<62 + 1, math.MaxInt64}, took)
	})
}

// A wait that the caller's deadline cuts short ends with that deadline's cause, as
// a bound of time should look.
func TestRetryWaitsForTheDeadline(t *testing.T) {
	bound := errors.New("the bound of the caller")
	for limit, want := range map[time.Duration]int{1: 1, 499 * ms: 1, 501 * ms: 2, 1499 * ms: 2, 1501 * ms: 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, bound)
			defer cancel()
			start, calls := time.Now(), 0
			resp, err := llm.Retry(answers(&calls, paid{usage: tokens(3), err: overloaded}), &llm.RetryOptions{Random: whole}).Complete(ctx, &llm.Request{})
			require.Equal(t, bound, err, "it is no failure of the model")
			assert.Equal(t, want, calls)
			assert.Equal(t, 3*want, resp.Usage.Total())
			assert.Equal(t, limit, time.Since(start))
		})
	}
}

// What the provider asks for is known to be too long, so nobody waits for it.
func TestRetryGivesUpBeforeTheDeadlineWhenAskedForTooMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start, calls := time.Now(), 0
		_, err := llm.Retry(answers(&calls, llm.StatusError(429, time.Hour, "")), nil).Complete(ctx, &llm.Request{})
		require.ErrorIs(t, err, llm.ErrRateLimited)
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		assert.Zero(t, time.Since(start))
	})
}

func TestRetryEndsWithItsContext(t *testing.T) {
	reason := errors.New("the user left")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		start, calls := time.Now(), 0
		time.AfterFunc(700*ms, func() { cancel(reason) })
		model := llm.Retry(answers(&calls, paid{usage: tokens(3), err: overloaded}), &llm.RetryOptions{Random: whole})
		resp, err := model.Complete(ctx, &llm.Request{})
		require.ErrorIs(t, err, reason, "while it waits")
		assert.Equal(t, 700*ms, time.Since(start))
		assert.Equal(t, 2, calls)
		assert.Equal(t, 6, resp.Usage.Total(), "what was used stays used")

		calls = 0
		_, err = model.Complete(ctx, &llm.Request{})
		require.ErrorIs(t, err, reason)
		assert.Equal(t, 1, calls, "a context that is over is not retried under")
	})
}

// Retries in each other do not multiply: what one has given up on the next one
// leaves alone, also where a Fallback lies between them. Another rule may say else.
func TestRetryOfRetries(t *testing.T) {
	again := &llm.RetryOptions{Base: -1, If: llm.Retryable}
	for name, c := range map[string]struct {
		stack func(m llm.Model) llm.Model
		want  int
	}{
		"three":            {func(m llm.Model) llm.Model { return llm.Retry(llm.Retry(llm.Retry(m, atOnce), atOnce), atOnce) }, 4},
		"around a limit":   {func(m llm.Model) llm.Model { return llm.Retry(llm.Timeout(llm.Retry(m, atOnce), time.Hour), atOnce) }, 4},
		"around fallbacks": {func(m llm.Model) llm.Model { return llm.Retry(llm.Fallback(llm.Retry(m, atOnce), m), atOnce) }, 5},
		"no retry inside":  {func(m llm.Model) llm.Model { return llm.Retry(llm.Fallback(m, m), atOnce) }, 8},
		"a rule that does": {func(m llm.Model) llm.Model { return llm.Retry(llm.Retry(m, atOnce), again) }, 16},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			_, err := c.stack(answers(&calls, overloaded)).Complete(t.Context(), &llm.Request{})
			require.ErrorIs(t, err, llm.ErrOverloaded)
			assert.True(t, llm.Retryable(err), "a Fallback around it goes on")
			assert.Equal(t, c.want, calls)
		})
	}
}
