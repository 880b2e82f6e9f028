package desktop

import (
	"context"
	"time"
)

// defaultTimeout is how long a call may take when [Timeout] says nothing else.
const defaultTimeout = 60 * time.Second

// Timeout returns a Desktop that gives d this much time for each call. 0 means
// 60 seconds, as without it; negative means no limit but that of the context. A
// call that takes longer is a [*CallError] that wraps
// [context.DeadlineExceeded].
//
// It is a [Scoper] when d is one, and gives what d is narrowed to the same time.
// Around a [Join] or a [Screen] it replaces the 60 seconds; inside of one it can
// only shorten them.
func Timeout(d Desktop, limit time.Duration) Desktop {
	if limit == 0 {
		limit = defaultTimeout
	}
	t := timed{Desktop: d, limit: limit}
	if scoper, ok := d.(Scoper); ok {
		return timedScoper{timed: t, scoper: scoper}
	}
	return t
}

type timed struct {
	Desktop

	limit time.Duration
}

func (t timed) timeLimit() time.Duration { return t.limit }

func (t timed) Tools(ctx context.Context) ([]Tool, error) {
	if t.Desktop == nil {
		return nil, errNoDesktop
	}
	return call(ctx, t.limit, t.Desktop.Tools)
}

func (t timed) Execute(ctx context.Context, cmd Command) (Result, error) {
	if t.Desktop == nil {
		return Result{}, errNoDesktop
	}
	return call(ctx, t.limit, func(ctx context.Context) (Result, error) { return t.Desktop.Execute(ctx, cmd) })
}

// timedScoper is a timed that can be narrowed.
type timedScoper struct {
	timed

	scoper Scoper
}

func (t timedScoper) Scope(ctx context.Context, windowID string) (Desktop, error) {
	scoped, err := call(ctx, t.limit, func(ctx context.Context) (Desktop, error) { return t.scoper.Scope(ctx, windowID) })
	if err != nil || scoped == nil {
		return nil, err
	}
	return Timeout(scoped, t.limit), nil
}

// limitOf returns how long a call of d may take.
func limitOf(d Desktop) time.Duration {
	if t, ok := d.(interface{ timeLimit() time.Duration }); ok {
		return t.timeLimit()
	}
	return defaultTimeout
}
