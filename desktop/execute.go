package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

type interceptorKey struct{}

// WithInterceptor returns a context under which [Execute], [Open] and
// everything built on them use wrap(d) instead of d. Of several, the one added
// first sees a call first. An interceptor sees commands that have their CallID,
// and results that are checked; the deadline of a call starts after it, so
// that writing a journal or trying again takes nothing away from the call. What
// it returns is checked once more; its own errors are passed on as they are.
// The wrapped Desktop must be safe for concurrent use.
func WithInterceptor(ctx context.Context, wrap func(Desktop) Desktop) context.Context {
	if outer, ok := ctx.Value(interceptorKey{}).(func(Desktop) Desktop); ok {
		inner := wrap
		wrap = func(d Desktop) Desktop { return outer(inner(d)) }
	}
	return context.WithValue(ctx, interceptorKey{}, wrap)
}

// Execute runs one command. It is what agents call: interceptors in ctx, such
// as a Round's, see the call first.
//
// It sends what it is given: package acting checks parameters against the
// tool's schema first, with [Toolbox.Check].
//
// A command without a CallID gets one, a UUID; a result without a CallID gets
// that of its command. The call has 60 seconds, see [Timeout]. Under a ctx that
// is done nothing is executed.
//
// The error is a [*CallError], or an interceptor's own. A tool that says no is
// no error: see [Result.Err].
func Execute(ctx context.Context, d Desktop, cmd Command) (Result, error) {
	if cmd.CallID == "" {
		cmd.CallID = uuid.NewString()
	}
	g := &guard{desktop: d}
	res, err := intercept(ctx, g).Execute(ctx, cmd)
	if err != nil {
		return Result{}, err
	}
	return g.check(cmd, res)
}

// Open lists the tools of d under a deadline and through the interceptors in
// ctx, and returns them checked. It leaves out a tool that nobody can use, see
// [Toolbox.Unusable]. The error is a [*CallError] of list_tools.
//
// v checks the tools whose schemas this package does not check; nil: they are left out. If v is nil
// and the tools are those of a known Toolbox that was made without a Validator, Open returns that one.
func Open(ctx context.Context, d Desktop, v Validator, known ...*Toolbox) (*Toolbox, error) {
	tools, err := intercept(ctx, &guard{desktop: d}).Tools(ctx)
	if err != nil {
		return nil, err
	}
	for _, box := range known {
		if v == nil && !box.validated && slices.EqualFunc(box.given, tools, sameTool) {
			return box, nil
		}
	}
	box, _ := v.sorted(tools)
	return box, nil
}

// Scope narrows d to one window when it is a [Scoper], and returns d itself
// when it is none or windowID is empty. The error wraps [ErrScope].
func Scope(ctx context.Context, d Desktop, windowID string) (Desktop, error) {
	scoper, ok := d.(Scoper)
	if !ok || windowID == "" {
		return d, nil
	}
	scoped, err := call(ctx, limitOf(d), func(ctx context.Context) (Desktop, error) { return scoper.Scope(ctx, windowID) })
	if err == nil && scoped == nil {
		err = errNoDesktop
	}
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", ErrScope, clip(windowID), err)
	}
	return scoped, nil
}

// intercept returns the desktop that a call goes to: the guard, with the interceptors before it.
func intercept(ctx context.Context, g *guard) Desktop {
	if wrap, ok := ctx.Value(interceptorKey{}).(func(Desktop) Desktop); ok {
		return wrap(g)
	}
	return g
}

// guard is the innermost of the wrapped desktops. It adds the deadline and the checks that every call needs.
type guard struct {
	desktop Desktop
	checked atomic.Pointer[Result] // the last one that Execute returned
}

func (g *guard) Tools(ctx context.Context) ([]Tool, error) {
	if g.desktop == nil {
		return nil, &CallError{Tool: ListTools, Err: errNoDesktop}
	}
	tools, err := call(ctx, limitOf(g.desktop), g.desktop.Tools)
	if err != nil {
		return nil, &CallError{Tool: ListTools, Err: err}
	}
	return tools, nil
}

func (g *guard) Execute(ctx context.Context, cmd Command) (Result, error) {
	if g.desktop == nil {
		return Result{}, &CallError{Tool: cmd.ToolName, Err: errNoDesktop}
	}
	res, err := call(ctx, limitOf(g.desktop), func(ctx context.Context) (Result, error) { return g.desktop.Execute(ctx, cmd) })
	if errors.Is(err, ErrWindowGone) && ctx.Err() == nil {
		res, err = Result{Status: Failure, Error: err.Error(), Gone: true}, nil
	}
	if err != nil {
		return Result{}, &CallError{Tool: cmd.ToolName, Err: err}
	}
	if res, err = g.check(cmd, res); err == nil {
		g.checked.Store(&res)
	}
	return res, err
}

// call runs f under a deadline, without one when limit is negative. An error
// that came with the end of the context says which end it was, also when f has
// its own words for it.
func call[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) { //nolint:contextcheck // a deadline is made of ctx
	var zero T
	if ctx.Err() != nil {
		return zero, context.Cause(ctx)
	}
	if limit >= 0 {
		d := newDeadline(ctx, limit)
		defer d.end()
		ctx = d
	}
	v, err := f(ctx)
	if err == nil {
		return v, nil
	}
	ended := ctx.Err() // asked first: a context that ends in between has a cause, too
	switch cause := context.Cause(ctx); {
	case ended == nil, errors.Is(err, cause):
	case errors.Is(err, ended):
		err = cause
	default:
		err = fmt.Errorf("%w (%w)", cause, err)
	}
	return zero, err
}

// check refuses what is no answer to cmd, so that nothing unknown can pass for a success further up. It compacts JSON
// that it has not checked before.
func (g *guard) check(cmd Command, res Result) (Result, error) {
	refuse := func(format string, args ...any) (Result, error) {
		return Result{}, &CallError{Tool: cmd.ToolName, Err: fmt.Errorf("bad result: "+format, args...)}
	}
	switch res.Status {
	case Success, Failure, Skipped:
	default:
		return refuse("unknown status %q", clip(string(res.Status)))
	}
	if res.CallID == "" {
		res.CallID = cmd.CallID
	}
	if res.CallID != cmd.CallID {
		return refuse("it answers the call %q", clip(res.CallID))
	}
	res.Gone = res.Gone && res.Status == Failure
	if last := g.checked.Load(); last != nil && slices.EqualFunc(last.Content, res.Content, sameJSON) {
		return res, nil
	}
	content := slices.Clone(res.Content)
	for i, c := range content {
		if c.JSON == nil {
			continue
		}
		compact := bytes.NewBuffer(make([]byte, 0, len(c.JSON)))
		if json.Compact(compact, c.JSON) != nil {
			return refuse("content %d is not valid JSON", i)
		}
		content[i].JSON = compact.Bytes()
	}
	res.Content = content
	return res, nil
}

// sameJSON reports whether two contents have the same JSON in memory.
func sameJSON(a, b Content) bool {
	return len(a.JSON) == len(b.JSON) && (len(a.JSON) == 0 || &a.JSON[0] == &b.JSON[0])
}
