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

// A wait that the caller's deadline cuts short ends with that deadline's cause, as
// a bound of time should look.
func TestRetryWaitsForTheDeadline(t *testing.T) {
	bound := errors.New("the bound of the caller")
	for limit, want := range map[time.Duration]int{1: 1, 499 * ms: 1, 501 * ms: 2, 1499 * ms: 2, 1501 * ms: 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, bound)
			defer cancel()
			start, calls := time.Now(), 0
			resp, err := llm.Retry(answers(&calls, paid{usage: llm.Usage{InputTokens: 3}, err: overloaded}), &llm.RetryOptions{Random: whole}).Complete(ctx, &llm.Request{})
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

// A limit around a Retry is one for all attempts and the waits between them. Its
// end is that of a slow model, after which a Fallback asks the next one.
func TestTimeoutAroundRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		patient := llm.Timeout(llm.Retry(answers(&calls, overloaded), &llm.RetryOptions{MaxAttempts: -1, Random: whole}), 10*time.Second)
		_, err := patient.Complete(t.Context(), &llm.Request{})
		require.ErrorIs(t, err, llm.ErrSlow)
		assert.Equal(t, []int{5, int(10 * time.Second)}, []int{calls, int(time.Since(start))})

		start = time.Now()
		resp, err := llm.Fallback(patient, answers(new(int), good)).Complete(t.Context(), &llm.Request{})
		require.NoError(t, err)
		assert.Equal(t, good, resp)
		assert.Equal(t, 10*time.Second, time.Since(start))

		// Without it the next model has no turn: the time of the caller is over.
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		second := 0
		_, err = llm.Fallback(llm.Retry(answers(&calls, overloaded), &llm.RetryOptions{MaxAttempts: -1}), answers(&second, good)).Complete(ctx, &llm.Request{})
		require.Equal(t, context.DeadlineExceeded, err)
		assert.Zero(t, second)
	})
}

func TestRetryEndsWithItsContext(t *testing.T) {
	reason := errors.New("the user left")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		start, calls := time.Now(), 0
		time.AfterFunc(700*ms, func() { cancel(reason) })
		model := llm.Retry(answers(&calls, paid{usage: llm.Usage{InputTokens: 3}, err: overloaded}), &llm.RetryOptions{Random: whole})
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

// A cancellation during OnRetry ends the call though there is nothing to wait for.
func TestRetryWithoutWaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := llm.Retry(answers(&calls, overloaded), &llm.RetryOptions{Base: -1, OnRetry: func(int, time.Duration, error) { cancel() }}).Complete(ctx, &llm.Request{})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, calls)
}

// Retries in each other do not multiply: what one has given up on the next one
// leaves alone, also where a Fallback lies between them. Another rule may say else.
func TestRetryOfRetries(t *testing.T) {
	none := &llm.RetryOptions{Base: -1}
	again := &llm.RetryOptions{Base: -1, If: llm.Retryable}
	for name, c := range map[string]struct {
		stack func(m llm.Model) llm.Model
		want  int
	}{
		"three":            {func(m llm.Model) llm.Model { return llm.Retry(llm.Retry(llm.Retry(m, none), none), none) }, 4},
		"around a limit":   {func(m llm.Model) llm.Model { return llm.Retry(llm.Timeout(llm.Retry(m, none), time.Hour), none) }, 4},
		"around fallbacks": {func(m llm.Model) llm.Model { return llm.Retry(llm.Fallback(llm.Retry(m, none), m), none) }, 5},
		"no retry inside":  {func(m llm.Model) llm.Model { return llm.Retry(llm.Fallback(m, m), none) }, 8},
		"one attempt each": {func(m llm.Model) llm.Model { return llm.Retry(llm.Retry(m, &llm.RetryOptions{MaxAttempts: 1}), none) }, 4},
		"a rule that does": {func(m llm.Model) llm.Model { return llm.Retry(llm.Retry(m, none), again) }, 16},
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
