package effects

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/internal/clip"
)

// The kinds of an [Error].
var (
	// ErrUncertain says that nobody knows whether the effect was done: the process died, or the
	// context ended, while it was done. It is not done again.
	ErrUncertain = errors.New("effects: it may have been done already")
	// ErrNotDone says that the effect was not done: the step goes another way than the one that was
	// interrupted, and that one had effects or commands which this one has not asked for. Or its
	// value can have no JSON form, or its context is that of a step that is over.
	ErrNotDone = errors.New("effects: it was not done")
	// ErrNoValue says that the effect was done, and that its value cannot be kept.
	ErrNoValue = errors.New("effects: it was done, and its value cannot be kept")
	// ErrKey says that the key is empty, no text, longer than 1 KiB, or that the step has used it
	// already. Nothing was done.
	ErrKey = errors.New("effects: the key cannot be used")
)

// Error says why there is no outcome of an effect. An error of the effect itself is none: [Do] returns that as it is.
type Error struct {
	Key  string
	Kind error // [ErrUncertain], [ErrNotDone], [ErrNoValue] or [ErrKey]
	Err  error // what is known beside that; nil: nothing
}

func (e *Error) Error() string {
	text := fmt.Sprintf("effects: %q: %s", clip.Name(e.Key, maxKey), strings.TrimPrefix(e.Kind.Error(), "effects: "))
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the Kind, and what else is known.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}
