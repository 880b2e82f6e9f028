package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/agentfsm/agentfsm/internal/attempts"
)

// Defaults of [RetryOptions].
const (
	defaultRetryAttempts = 4
	defaultRetryBase     = 500 * time.Millisecond
	defaultRetryMax      = 30 * time.Second
	defaultMaxRetryAfter = time.Minute
)

// RetryOptions say when and how often [Retry] asks again. The zero value is the
// defaults.
type RetryOptions struct {
	// MaxAttempts is how often the model is asked at most, the first time included
	// (0: 4, negative: until ctx ends).
	MaxAttempts int
	// Base bounds the wait after the first failure; the bound doubles after each
	// further one (0: 500 ms, negative: no wait but the one that the provider asks
	// for).
	Base time.Duration
	// Max is what the bound grows to (0: 30 s, negative: without end).
	Max time.Duration
	// MaxRetryAfter is the longest RetryAfter of a provider that is waited for (0: a
	// minute, negative: any). After a longer one Retry gives up at once, and a
	// [Fallback] can do its part.
	MaxRetryAfter time.Duration
	// When says which errors are tried again. It is not asked about the end of ctx, nor
	// about what another Retry gave up on. Nil: [Retryable].
	When func(err error) bool
	// OnRetry is called before each wait, for a log: attempt is how often the model
	// was asked so far, err what the last one returned. Calls that run at the same
	// time call it at the same time. Nil: nobody is told.
	OnRetry func(attempt int, wait time.Duration, err error)
	// Random returns numbers from 0 up to 1, for the jitter. It is called as OnRetry
	// is. Nil: those of math/rand/v2. A test returns 1 to get the bounds themselves.
	Random func() float64
}

// retriedError says that a model failed more than once.
type retriedError struct {
	attempts int
	err      error // of the last one
}

func (e *retriedError) Error() string {
	return fmt.Sprintf("llm: no success in %d attempts; the last: %v", e.attempts, e.err)
}

func (e *retriedError) Unwrap() error { return e.err }

// Sent says that an attempt before the last one asked the model. Package attempts looks for it.
func (e *retriedError) Sent() {}

// Retry returns a model that asks m again after an error that is [Retryable],
// such as a 429, a broken connection or an empty reply. It waits in between: a
// random part (full jitter) of a bound that doubles each time, but not less than
// the RetryAfter of the [CallError].
//
// It gives up with the error of the last attempt, which says how many there were: after an
// error that is not retryable, after MaxAttempts, and at once when the provider asks for a
// longer wait than MaxRetryAfter. A wait ends
// with ctx at the latest, also when it is known from the start that ctx ends
// before it: then Retry returns the cause of ctx, so that a bound of time looks
// like one. A Round that reaches its MaxDuration here is not at fault, and can go
// on. A [Timeout] around m bounds each attempt. One around the Retry bounds them
// all, waits included; its end is an [ErrSlow], after which a [Fallback] asks the
// next model.
//
// Each attempt counts. Under [Complete] every attempt is a call of its own to a Round: it checks its
// bounds before it, and records it. A Retry inside of another middleware than a [Fallback], such as a Timeout,
// is hidden from the Round: its attempts are one call, whose Usage and Spent have the tokens
// of all of them. MaxDuration and cancellation reach everything through ctx.
//
// Where no provider was asked nobody waits: after an error that a script of package llmtest returns,
// or that the record of a resumed run gives back, the next attempt follows at once.
//
// What a Retry inside of m has tried several times is not tried again: three of them around one model ask it four times, not
// sixty-four. The same holds for a Fallback with a Retry in it.
//
// opts may be nil. The model is safe for concurrent use if m is. A nil m is
// [ErrNoModel], at the first call.
func Retry(m Model, opts *RetryOptions) Model {
	r := &retry{model: orMissing(m)}
	if opts != nil {
		r.RetryOptions = *opts
	}
	r.MaxAttempts = option(r.MaxAttempts, defaultRetryAttempts, math.MaxInt)
	r.Base = option(r.Base, defaultRetryBase, 0)
	r.Max = option(r.Max, defaultRetryMax, math.MaxInt64)
	r.MaxRetryAfter = option(r.MaxRetryAfter, defaultMaxRetryAfter, math.MaxInt64)
	if r.Random == nil {
		r.Random = rand.Float64
	}
	if r.When == nil {
		r.When = Retryable
	}
	return r
}

type retry struct {
	RetryOptions
	model Model
}

// Retries marks the model for those who would put a Retry around it: what is in New of the
// agents looks for it.
func (r *retry) Retries() {}

// Unwrap returns the model that is asked.
func (r *retry) Unwrap() Model { return r.model }

func (r *retry) Complete(ctx context.Context, req *Request) (*Response, error) {
	return r.within(ctx, req, nil)
}

func (r *retry) within(ctx context.Context, req *Request, wrap func(Model) Model) (*Response, error) {
	used := spent{alike: true}
	for attempt := 1; ; attempt++ {
		resp, err := checked(ask(ctx, r.model, req, wrap))
		resp = used.add(resp, err)
		if err == nil {
			return resp, nil
		}
		if ctx.Err() != nil {
			return resp, context.Cause(ctx)
		}
		wait, again := r.wait(attempt, err)
		if !again {
			if attempt > 1 {
				err = &retriedError{attempts: attempt, err: err}
			}
			return resp, err
		}
		if r.OnRetry != nil {
			r.OnRetry(attempt, wait, err)
		}
		if !sleep(ctx, wait) {
			return resp, context.Cause(ctx)
		}
	}
}

// wait returns how long to wait after a failed attempt, if there is to be another one.
func (r *retry) wait(attempt int, err error) (time.Duration, bool) {
	if attempt >= r.MaxAttempts || tried(err) || attempts.IsOver(err) || !r.When(err) {
		return 0, false
	}
	wait := r.backOff(attempt)
	if asked := retryAfter(err); asked > 0 {
		if asked > r.MaxRetryAfter {
			return 0, false
		}
		wait = max(wait, asked)
	}
	if attempts.IsNoWait(err) {
		wait = 0
	}
	return wait, true
}

// backOff returns a random part of the bound for this attempt.
func (r *retry) backOff(attempt int) time.Duration {
	bound := min(r.Base, r.Max)
	for i := 1; i < attempt && bound > 0 && bound < r.Max; i++ {
		if bound > r.Max/2 { // twice as much may be more than a Duration holds
			bound = r.Max
			break
		}
		bound *= 2
	}
	switch part := r.Random(); {
	case part >= 1:
		return bound
	case part > 0:
		return time.Duration(float64(bound) * part)
	}
	return 0 // also when it is no number
}

// tried reports whether an error is what another Retry has given up on: attempts of one
// inside of the other would multiply.
func tried(err error) bool {
	_, ok := errors.AsType[*retriedError](err)
	return ok
}

// retryAfter returns how long the provider asked to wait.
func retryAfter(err error) time.Duration {
	if call, ok := errors.AsType[*CallError](err); ok {
		return call.RetryAfter
	}
	return 0
}

// sleep waits, and reports whether it did so to the end.
func sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// option returns what a number in options means.
func option[T int | time.Duration](value, standard, none T) T {
	switch {
	case value == 0:
		return standard
	case value < 0:
		return none
	}
	return value
}
