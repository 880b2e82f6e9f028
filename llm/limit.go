package llm

import (
	"context"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Limit returns a model that waits for the limiter before each call of m. The Limiter of
// golang.org/x/time/rate is one:
//
//	limiter := rate.NewLimiter(rate.Every(time.Second), 5) // one call each second, or five at once
//	model := llm.Limit(provider, limiter)
//
// Models that share a quota share a limiter. Put Limit inside a [Retry]: then each attempt waits.
// The Retry of an agent is around all that the agent is given.
//
// The wait does not count for the CallTimeout of a Round, but for a [Timeout] around the Limit.
//
// A wait ends with ctx, and the error is its cause. The limiter of x/time/rate refuses a call when ctx would end before
// the wait, and every call when its burst is 0. Then m is not asked, and the error is a [*CallError] of
// [ErrRateLimited]. It is not [Retryable]; a [Fallback] asks the next model. A Round does not count that call.
//
// The model is safe for concurrent use if m and limiter are. A nil limiter is no limit. A nil
// m is [ErrNoModel], at the first call.
func Limit(m Model, limiter interface {
	WaitN(ctx context.Context, n int) error
}) Model {
	m = orMissing(m)
	if nilcheck.IsNil(limiter) {
		return m
	}
	return &limit{model: m, waitN: limiter.WaitN}
}

type limit struct {
	model Model
	waitN func(ctx context.Context, n int) error
}

// Unwrap returns the model that is asked.
func (l *limit) Unwrap() Model { return l.model }

func (l *limit) Complete(ctx context.Context, req *Request) (*Response, error) {
	resume := attempts.Pause(ctx)
	err := l.waitN(ctx, 1)
	resume()
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, attempts.Unsent(&CallError{Kind: ErrRateLimited, Message: "the limiter refused: " + err.Error(), Err: err})
	}
	if ctx.Err() != nil { // it waited for too long, and did not notice
		return nil, context.Cause(ctx)
	}
	return l.model.Complete(ctx, req)
}
