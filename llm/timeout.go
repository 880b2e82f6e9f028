package llm

import (
	"context"
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/internal/attempts"
)

// defaultTimeout is what [Timeout] gives a model that is given 0.
const defaultTimeout = 2 * time.Minute

// Timeout returns a model that gives m this much time for each call (0: 2
// minutes, negative: no limit). After it the context of the call ends, and the
// error is a [*CallError] of [ErrSlow], which is retryable. When it is the
// caller's own ctx that ended, or m failed for a reason that it knows, the error
// is what m returned.
//
// m may be a [Retry]: then the limit is for all attempts and the waits between
// them, and a [Fallback] around it goes on to the next model.
//
// Timeout waits for m to return: it starts no goroutine, because one that waits
// for a model that does not honour its context would outlive the call. A reply
// that such a model gives too late is returned as it is; it is paid for.
//
// The model is safe for concurrent use if m is. A nil m is [ErrNoModel], at the first call.
func Timeout(m Model, d time.Duration) Model {
	return &timeout{model: orMissing(m), limit: option(d, defaultTimeout, -1)}
}

type timeout struct {
	model   Model
	limit   time.Duration
	noWaits bool // the waits of a Limit do not count
}

// WithoutWaits returns the model with a limit for which the waits of a [Limit] do not count. Package round looks for it.
func (t *timeout) WithoutWaits() Model { return &timeout{t.model, t.limit, true} }

// errLimit tells the end of the limit from the end of the caller's context.
var errLimit = errors.New("llm: the time limit of the call")

// Unwrap returns the model that is asked.
func (t *timeout) Unwrap() Model { return t.model }

func (t *timeout) Complete(ctx context.Context, req *Request) (*Response, error) {
	if t.limit < 0 {
		return t.model.Complete(ctx, req)
	}
	with := context.WithTimeoutCause
	if t.noWaits {
		with = attempts.WithTime
	}
	limited, cancel := with(ctx, t.limit, errLimit)
	defer cancel()
	resp, err := t.model.Complete(limited, req)
	if err == nil || ctx.Err() != nil || context.Cause(limited) != errLimit || says(err) { //nolint:errorlint // it is that very value
		return resp, err
	}
	if errors.Is(err, context.Canceled) {
		err = context.DeadlineExceeded // the caller has cancelled nothing
	}
	slow := &CallError{Kind: ErrSlow, Message: "no reply within " + t.limit.String(), Err: err}
	if resp != nil {
		slow.Model = resp.Model
	}
	return resp, slow
}

// says reports whether an error has a reason of its own, which is not only that
// the answer did not come.
func says(err error) bool {
	call, ok := errors.AsType[*CallError](err)
	return ok && !errors.Is(call, ErrUnavailable) && !ended(call.Err)
}
