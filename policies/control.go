package policies

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
)

type controlKey struct{}

// WithControl returns a context that tells policies which control the command is
// aimed at, as the desktop showed it. Whoever asks a [Func] about a command on a
// control gives it such a context, and leaves out a control that was not seen. What
// the model calls it does not count.
func WithControl(ctx context.Context, c desktop.Control) context.Context {
	return context.WithValue(ctx, controlKey{}, c)
}

// ControlOf returns the control that a command is aimed at, for a [Func]. ok is
// false when the command names none, or one that nobody has seen.
func ControlOf(ctx context.Context) (c desktop.Control, ok bool) {
	c, ok = ctx.Value(controlKey{}).(desktop.Control)
	return c, ok
}
