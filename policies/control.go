package policies

import (
	"context"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

type (
	controlKey struct{}
	dropKey    struct{}
)

// WithControl returns a context that tells policies which control the command is aimed at, as the desktop showed it:
// the last one of path. Those before it are what it is inside of, the outermost first, such as a dialog. Whoever asks a
// [Func] about a command on a control gives it such a context, and leaves out a control that was not seen. What the
// model calls it does not count.
func WithControl(ctx context.Context, path ...desktop.Control) context.Context {
	return context.WithValue(ctx, controlKey{}, path)
}

// ControlOf returns the control that a command is aimed at, for a [Func]. ok is
// false when the command names none, or one that nobody has seen.
func ControlOf(ctx context.Context) (c desktop.Control, ok bool) {
	if path := ControlPath(ctx); len(path) > 0 {
		return path[len(path)-1], true
	}
	return desktop.Control{}, false
}

// ControlPath returns what the control of [ControlOf] is inside of, the outermost first, and the control itself at the
// end: a "Yes" is another one in the dialog "Overwrite?" than in "Save?".
func ControlPath(ctx context.Context) []desktop.Control {
	path, _ := ctx.Value(controlKey{}).([]desktop.Control)
	return slices.Clone(path)
}

// WithDrop returns a context that tells policies which control a drag ends on, as [WithControl]
// tells them which one it begins on: a file that is dragged onto "Trash" is deleted.
func WithDrop(ctx context.Context, path ...desktop.Control) context.Context {
	return context.WithValue(ctx, dropKey{}, path)
}

// DropPath returns the control of [WithDrop] as [ControlPath] returns the other one. It is empty
// when the command is no drag, and when nobody has seen where it ends.
func DropPath(ctx context.Context) []desktop.Control {
	path, _ := ctx.Value(dropKey{}).([]desktop.Control)
	return slices.Clone(path)
}
