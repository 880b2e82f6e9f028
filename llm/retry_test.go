package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
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

// Options, what the model answers, how long each wait is, and what comes of it.
func TestRetryWaits(t *testing.T) {
	words := map[string]any{
		"good": good, "overloaded": overloaded, "rejected": rejected, "unknown": io.EOF, "empty": &llm.Response{},
		"among others": errors.Join(io.EOF, llm.StatusError(429, 20*time.Second, "")),
	}
	golden.Cases(t, "retry.txt", func(text string) string {
		set, said, _ := strings.Cut(text, ": ")
		opts := llm.RetryOptions{Random: whole}
		for option := range strings.SplitSeq(set, ", ") {
			name, value, _ := strings.Cut(option, " ")
			long, _ := time.ParseDuration(value)
			switch name {
			case "attempts":
				opts.MaxAttempts, _ = strconv.Atoi(value)
			case "base":
				opts.Base = long
			case "max":
				opts.Max = long
			case "random":
				numbers := strings.Fields(value)
				opts.Random = func() float64 {
					f, err := strconv.ParseFloat(numbers[0], 64)
					require.NoError(t, err)
					numbers = numbers[1:]
					return f
				}
			}
		}
		var list []any
		for word := range strings.SplitSeq(said, ", ") {
			if after, ok := strings.CutPrefix(word, "again in "); ok {
				long, err := time.ParseDuration(after)
				require.NoError(t, err)
				words[word] = llm.StatusError(429, long, "")
			}
			list = append(list, words[word])
		}
		took, calls, resp, err := waits(t, opts, list...)
		assert.Len(t, took, calls-1)
		if err != nil {
			return fmt.Sprintf("%v %v", took, err)
		}
		return fmt.Sprintf("%v %q", took, resp.Text)
	})
	_, _, _, err := waits(t, llm.RetryOptions{}, overloaded, rejected)
	require.ErrorIs(t, err, llm.ErrRejected)
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
// leaves alone, also where a Fallback lies between them.
func TestRetryOfRetries(t *testing.T) {
	for name, c := range map[string]struct {
		stack func(m llm.Model) llm.Model
		want  int
	}{
		"three":            {func(m llm.Model) llm.Model { return llm.Retry(llm.Retry(llm.Retry(m, atOnce), atOnce), atOnce) }, 4},
		"around a limit":   {func(m llm.Model) llm.Model { return llm.Retry(llm.Timeout(llm.Retry(m, atOnce), time.Hour), atOnce) }, 4},
		"around fallbacks": {func(m llm.Model) llm.Model { return llm.Retry(llm.Fallback(llm.Retry(m, atOnce), m), atOnce) }, 5},
		"no retry inside":  {func(m llm.Model) llm.Model { return llm.Retry(llm.Fallback(m, m), atOnce) }, 8},
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

// Each attempt passes the interceptors, unless a middleware stands around the Retry.
func TestInterceptorsSeeEachAttempt(t *testing.T) {
	retry := func(list ...any) llm.Model { return llm.Retry(answers(new(int), list...), atOnce) }
	around := func(m llm.Model) llm.Model { return llm.ModelFunc(m.Complete) }
	for name, c := range map[string]struct {
		model llm.Model
		seen  int
	}{
		"one model":               {answers(new(int), good), 1},
		"a Retry":                 {retry(overloaded, overloaded, good), 3},
		"a Fallback":              {llm.Fallback(answers(new(int), overloaded), answers(new(int), good)), 2},
		"a Fallback of Retries":   {llm.Fallback(retry(overloaded), retry(overloaded, good)), 6},
		"a Retry of a Retry":      {llm.Retry(retry(overloaded, good), atOnce), 2},
		"a middleware inside":     {llm.Retry(around(answers(new(int), overloaded, good)), atOnce), 2},
		"a middleware around it":  {around(retry(overloaded, good)), 1},
		"a middleware in between": {llm.Fallback(around(retry(overloaded)), retry(overloaded, good)), 3},
	} {
		t.Run(name, func(t *testing.T) {
			seen, cost := 0, 0
			ctx := llm.WithInterceptor(t.Context(), func(m llm.Model) llm.Model {
				return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
					seen++
					resp, err := m.Complete(ctx, req)
					if resp != nil {
						cost += resp.Usage.Total()
					}
					return resp, err
				})
			})
			resp, err := llm.Complete(ctx, c.model, &llm.Request{})
			require.NoError(t, err)
			assert.Equal(t, c.seen, seen)
			assert.Equal(t, good.Usage.Total(), cost, "what was used is seen once")
			assert.Equal(t, good.Usage, resp.Usage)
		})
	}
}

// A script is no provider that must be given time.
func TestRetryDoesNotWaitForAScript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		later := llm.StatusError(429, 20*time.Second, "")
		var waits []time.Duration
		opts := &llm.RetryOptions{OnRetry: func(_ int, wait time.Duration, _ error) { waits = append(waits, wait) }}
		resp, err := llm.Retry(llm.Timeout(llmtest.Script(t, later, overloaded, "hi"), time.Minute), opts).Complete(t.Context(), &llm.Request{})
		require.NoError(t, err)
		assert.Equal(t, "hi", resp.Text)
		assert.Zero(t, time.Since(start))
		assert.Equal(t, []time.Duration{0, 0}, waits)

		// Of several models it is the last that counts.
		calls := 0
		_, err = llm.Retry(llm.Fallback(llmtest.Script(t, overloaded), answers(&calls, overloaded)), &llm.RetryOptions{MaxAttempts: 1}).Complete(t.Context(), &llm.Request{})
		require.ErrorIs(t, err, llm.ErrOverloaded)
		resp, err = llm.Retry(llm.Fallback(llmtest.Script(t, overloaded, overloaded), answers(&calls, overloaded, overloaded, good)), &llm.RetryOptions{Random: whole}).Complete(t.Context(), &llm.Request{})
		require.NoError(t, err)
		assert.Equal(t, "hi", resp.Text)
		assert.Equal(t, 500*ms, time.Since(start))
	})
}

// Who knows better than Retryable says so.
func TestRetryWhen(t *testing.T) {
	calls := 0
	opts := &llm.RetryOptions{Base: -1, When: func(err error) bool { return errors.Is(err, llm.ErrRejected) }}
	_, err := llm.Retry(answers(&calls, rejected, overloaded, good), opts).Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrOverloaded)
	assert.Equal(t, 2, calls)

	calls = 0
	_, err = llm.Retry(llm.Retry(answers(&calls, rejected), opts), opts).Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrRejected)
	assert.Equal(t, 4, calls, "what another Retry gave up on is not tried again")
}
