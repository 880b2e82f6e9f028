package desktop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	cut "github.com/agentfsm/agentfsm/internal/clip"
)

// ErrUnknownTool says that no tool has the name that a command gives. The text
// lists the tools that there are.
var ErrUnknownTool = errors.New("desktop: unknown tool")

// ErrParameters says that the parameters of a command do not fit the schema of
// its tool. The text names all problems, sorted, each with the path of the
// value; it quotes no value.
var ErrParameters = errors.New("the arguments do not fit")

// ErrWindowGone says that the window which a command was for is closed.
var ErrWindowGone = errors.New("the window is closed")

// ErrScope says that a Desktop could not be narrowed to a window.
var ErrScope = errors.New("desktop: commands cannot be limited to window")

var (
	errNoDesktop     = errors.New("there is no desktop")
	errDuplicateTool = errors.New("another tool has the same name")
)

// CallError says that a call of a Desktop broke: its transport, its deadline,
// its context, or the answer, which was none to this command. Whether the
// command had an effect is unknown.
//
// A [Func] whose call broke, because its server is down for instance, returns
// &CallError{Err: err}: any other error is the tool saying no.
type CallError struct {
	Tool string // Execute fills it in
	// Err is the desktop's own, or the cause of the context when that was the end.
	// It wraps context.DeadlineExceeded when the call took too long.
	Err error
}

func (e *CallError) Error() string {
	if e.Tool == "" {
		return fmt.Sprint(e.Err)
	}
	return fmt.Sprintf("desktop: %s: %v", clip(e.Tool), e.Err)
}

// Unwrap returns what broke the call.
func (e *CallError) Unwrap() error { return e.Err }

// lateError says that a call took longer than its own deadline, while the
// context of the caller went on.
type lateError struct{ after time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }

func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

// Is reports whether another deadline is meant as well: of two that end at once, as those of
// Execute and of a Timeout do, either may come first.
func (e *lateError) Is(target error) bool {
	_, late := target.(*lateError)
	return late
}

func unknownTool(name string, known []string) error {
	list := "none"
	if len(known) > 0 {
		list = strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", ")
	}
	return fmt.Errorf("%w %q; the tools are: %s", ErrUnknownTool, clip(name), list)
}

func badParameters(tool string, problems ...string) error {
	words := make([]string, len(problems))
	for i, problem := range problems {
		words[i] = ofArgument(problem)
	}
	return fmt.Errorf("desktop: %s: %w: %s", clip(tool), ErrParameters, strings.Join(words, "; "))
}

// ofArgument is a problem such as "$.text: is required" for a model, which knows names of arguments
// and no paths: `"text" is required`.
func ofArgument(problem string) string {
	path, what, ok := strings.Cut(problem, ": ")
	name, inside := strings.CutPrefix(path, "$")
	if !ok || !inside {
		return problem
	}
	if name = strings.TrimPrefix(name, "."); name == "" {
		name = "the object"
	} else {
		name = strconv.Quote(name)
	}
	if strings.Contains(what, ": ") { // a Validator's own words
		return name + ": " + what
	}
	return name + " " + what
}

// unusable is a tool that cannot be used as it is described: the one of that name, or without
// one that of this number in the list.
func unusable(name string, number int, why error) error {
	if strings.TrimSpace(name) == "" {
		return fmt.Errorf("desktop: tool %d cannot be used: %w", number, why)
	}
	return fmt.Errorf("desktop: tool %q cannot be used: %w", clip(name), why)
}

// clip keeps a name that a desktop or a model wrote from filling a log. The
// text of a tool that says no is quoted whole: its reader takes the secrets out
// and cuts it then.
func clip(s string) string {
	const limit = 256
	return cut.Name(s, limit) // no part of a long one: a secret may be in it
}
