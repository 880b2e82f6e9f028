package llm_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// sleepy answers after a while, with what end makes of the error of its context.
func sleepy(after time.Duration, end func(error) (*llm.Response, error)) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		select {
		case <-time.After(after):
			return good, nil
		case <-ctx.Done():
			return end(ctx.Err())
		}
	})
}

func TestTimeout(t *testing.T) {
	asIs := func(err error) (*llm.Response, error) { return nil, err }
	becomes := func(e error) func(error) (*llm.Response, error) {
		return func(error) (*llm.Response, error) { return nil, e }
	}
	for name, c := range map[string]struct {
		limit time.Duration
		model llm.Model
		slow  bool
		is    error
		took  time.Duration
	}{
		"in time":          {time.Second, sleepy(999*ms, asIs), false, nil, 999 * ms},
		"too slow":         {time.Second, sleepy(1001*ms, asIs), true, context.DeadlineExceeded, time.Second},
		"the default":      {0, sleepy(time.Hour, asIs), true, nil, 2 * time.Minute},
		"none":             {-1, sleepy(time.Hour, asIs), false, nil, time.Hour},
		"no ctx in it":     {time.Second, sleepy(time.Hour, becomes(io.EOF)), true, io.EOF, time.Second},
		"said unavailable": {time.Second, sleepy(time.Hour, becomes(&llm.CallError{Kind: llm.ErrUnavailable, Err: io.EOF})), true, io.EOF, time.Second},
		"ctx said to be a rejection": {time.Second, sleepy(time.Hour, func(err error) (*llm.Response, error) {
			return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
		}), true, context.DeadlineExceeded, time.Second},
		"it had a reason": {time.Second, sleepy(time.Hour, becomes(rejected)), false, llm.ErrRejected, time.Second},
		"broken before":   {time.Second, sleepy(0, asIs), false, nil, 0},
		"a client's own deadline": {time.Second, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			return nil, context.DeadlineExceeded
		}), false, context.DeadlineExceeded, 0},
		"late, and there": {time.Second, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			time.Sleep(time.Minute) // it does not honour its context
			return good, nil
		}), false, nil, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				resp, err := llm.Timeout(c.model, c.limit).Complete(t.Context(), &llm.Request{})
				assert.Equal(t, c.took, time.Since(start))
				assert.Equal(t, c.slow, errors.Is(err, llm.ErrSlow), "%v", err)
				if c.slow {
					assert.True(t, llm.Retryable(err))
				}
				switch {
				case c.is != nil:
					require.ErrorIs(t, err, c.is)
				case !c.slow:
					require.NoError(t, err)
					assert.Equal(t, good, resp)
				}
			})
		})
	}
}

// Of two limits around a model the inner one speaks, and each says how long it was.
func TestTimeoutInATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asIs := func(err error) (*llm.Response, error) {
			return &llm.Response{Model: "m", Usage: tokens(1)}, err
		}
		resp, err := llm.Timeout(llm.Timeout(sleepy(time.Hour, asIs), time.Second), 2*time.Second).Complete(t.Context(), &llm.Request{})
		require.EqualError(t, err, "llm: the model was too slow (model m): no reply within 1s")
		assert.Equal(t, 1, resp.Usage.Total(), "what was used is not lost")
		_, err = llm.Timeout(llm.Timeout(sleepy(time.Hour, asIs), 2*time.Second), time.Second).Complete(t.Context(), &llm.Request{})
		require.EqualError(t, err, "llm: the model was too slow (model m): no reply within 1s")
	})
}

// Each attempt of a Retry around a Timeout has the whole time.
func TestRetryAroundTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		model := llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			if calls++; calls == 3 {
				return good, nil
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		resp, err := llm.Retry(llm.Timeout(model, 30*time.Second), &llm.RetryOptions{Random: whole}).Complete(t.Context(), &llm.Request{})
		require.NoError(t, err)
		assert.Equal(t, good, resp)
		assert.Equal(t, 61500*ms, time.Since(start))
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
