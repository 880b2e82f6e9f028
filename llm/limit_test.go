package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// tokenPerSecond lets one call through each second, and none whose context would end before.
type tokenPerSecond struct{ next time.Time }

var errTooLate = errors.New("the context would end before")

func (l *tokenPerSecond) WaitN(ctx context.Context, n int) error {
	wait := max(0, time.Until(l.next))
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		return errTooLate
	}
	l.next = time.Now().Add(wait + time.Duration(n)*time.Second)
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Each attempt waits for the limiter.
func TestLimitWaitsBeforeEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		var at []time.Duration
		inner := answers(&calls, overloaded, overloaded, good)
		model := llm.Retry(llm.Limit(llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			at = append(at, time.Since(start))
			return inner.Complete(ctx, req)
		}), &tokenPerSecond{}), atOnce)
		resp, err := model.Complete(t.Context(), &llm.Request{})
		require.NoError(t, err)
		assert.Equal(t, "hi", resp.Text)
		assert.Equal(t, []time.Duration{0, time.Second, 2 * time.Second}, at)
	})
}

// A wait ends with its context, and no call is made then.
func TestLimitEndsWithItsContext(t *testing.T) {
	reason := errors.New("the user left")
	for name, limiter := range map[string]waitFunc{
		"it honours ctx": func(ctx context.Context, _ int) error {
			<-ctx.Done()
			return errors.New("no more")
		},
		"it does not": func(ctx context.Context, _ int) error {
			<-ctx.Done()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(reason)
			calls := 0
			_, err := llm.Retry(llm.Limit(answers(&calls, good), limiter), atOnce).Complete(ctx, &llm.Request{})
			require.ErrorIs(t, err, reason)
			assert.Zero(t, calls)
		})
	}
}

type waitFunc func(context.Context, int) error

func (f waitFunc) WaitN(ctx context.Context, n int) error { return f(ctx, n) }

// Another model may have room where the limiter of the first has none.
func TestLimitThatRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		first, second := 0, 0
		limited := llm.Limit(answers(&first, good), &tokenPerSecond{})
		model := llm.Fallback(limited, answers(&second, good))
		for range 2 {
			_, err := model.Complete(ctx, &llm.Request{})
			require.NoError(t, err)
		}
		assert.Equal(t, 1, first)
		assert.Equal(t, 1, second)
		_, err := limited.Complete(ctx, &llm.Request{})
		require.ErrorIs(t, err, llm.ErrRateLimited)
		require.ErrorIs(t, err, errTooLate)
		require.EqualError(t, err, "llm: rate limited: the limiter refused: the context would end before")
	})
}

// A limiter that has no room now may never have any. What it refuses is not tried again, and the calls before it count.
func TestARefusalOfALimiterIsNotTriedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		outer func(limited, other llm.Model) llm.Model
		room  int // calls that the limiter lets through
		asked []int
		again bool
	}{
		"alone":             {func(limited, _ llm.Model) llm.Model { return llm.Retry(limited, atOnce) }, 0, []int{1, 0, 0}, false},
		"a Retry of two":    {func(limited, _ llm.Model) llm.Model { return llm.Retry(llm.Retry(limited, atOnce), atOnce) }, 0, []int{1, 0, 0}, false},
		"after an attempt":  {func(limited, _ llm.Model) llm.Model { return llm.Retry(limited, atOnce) }, 1, []int{2, 1, 0}, false},
		"another model":     {func(limited, other llm.Model) llm.Model { return llm.Fallback(llm.Retry(limited, atOnce), other) }, 0, []int{1, 0, 1}, true},
		"and after that":    {func(limited, other llm.Model) llm.Model { return llm.Fallback(llm.Retry(limited, atOnce), other) }, 1, []int{2, 1, 1}, true},
		"one model is busy": {func(limited, other llm.Model) llm.Model { return llm.Retry(llm.Fallback(other, limited), atOnce) }, 0, []int{4, 0, 4}, true},
		"both are limited":  {func(limited, _ llm.Model) llm.Model { return llm.Retry(llm.Fallback(limited, limited), atOnce) }, 0, []int{2, 0, 0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			waits, sent, others := 0, 0, 0
			limited := llm.Limit(answers(&sent, overloaded, overloaded), waitFunc(func(context.Context, int) error {
				if waits++; waits > c.room {
					return errTooLate
				}
				return nil
			}))
			model := c.outer(limited, answers(&others, overloaded, overloaded, overloaded, overloaded))
			_, err := model.Complete(t.Context(), &llm.Request{})
			require.ErrorIs(t, err, errTooLate)
			assert.Equal(t, []int{waits, sent, others}, c.asked)
			assert.Equal(t, c.again, llm.Retryable(err))
		})
	}
}

func TestNoLimit(t *testing.T) {
	var none *tokenPerSecond
	calls := 0
	_, err := llm.Limit(answers(&calls, good), none).Complete(t.Context(), &llm.Request{})
	require.NoError(t, err)
	_, err = llm.Limit(nil, &tokenPerSecond{}).Complete(t.Context(), &llm.Request{})
	require.ErrorIs(t, err, llm.ErrNoModel)
}
