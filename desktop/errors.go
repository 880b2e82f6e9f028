package desktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	cut "github.com/agentfsm/agentfsm/internal/clip"
)

// ErrUnknownTool is behind every [UnknownToolError].
var ErrUnknownTool = errors.New("desktop: unknown tool")

// ErrParameters is behind every [ParameterError].
var ErrParameters = errors.New("desktop: parameters do not fit the tool's schema")

// ErrNoContent says that a result has no content of the kind that was asked
// for.
var ErrNoContent = errors.New("desktop: the result has no such content")

var (
	errNoDesktop     = errors.New("there is no desktop")
	errDuplicateTool = errors.New("another tool has the same name")
)

// CallError says that a call of a Desktop broke: its transport, its deadline
// or its context. Whether the command had an effect is unknown.
type CallError struct {
	Tool   string
	CallID string // "" for list_tools
	Err    error  // the desktop's own; a *[TimeoutError] or the cause of the context with it when that was the end
}

func (e *CallError) Error() string {
	return fmt.Sprintf("desktop: %s: %v", clip(e.Tool), e.Err)
}

// Unwrap returns what broke the call.
func (e *CallError) Unwrap() error { return e.Err }

// TimeoutError says that a call took longer than its own deadline, while the
// context of the caller went on. errors.Is(err, context.DeadlineExceeded)
// holds.
type TimeoutError struct {
	After time.Duration
}

func (e *TimeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.After) }

// Unwrap returns [context.DeadlineExceeded].
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// BrokenError says that a [Func] could not reach what it works with. Made by
// [Broken].
type BrokenError struct {
	Err error
}

func (e *BrokenError) Error() string { return fmt.Sprintf("desktop: broken: %v", e.Err) }

// Unwrap returns what broke.
func (e *BrokenError) Unwrap() error { return e.Err }

// ResultError says that a desktop answered a command with something that is no
// answer to it. Whether the command had an effect is unknown.
type ResultError struct {
	Tool   string
	CallID string // of the command
	Reason string
	Err    error // behind the reason, nil for none
}

func (e *ResultError) Error() string {
	return fmt.Sprintf("desktop: %s: bad result: %s", clip(e.Tool), e.Reason)
}

// Unwrap returns what is behind the reason, if anything.
func (e *ResultError) Unwrap() error { return e.Err }

// ScopeError says that a Desktop could not be narrowed to a window.
type ScopeError struct {
	WindowID string
	Err      error
}

func (e *ScopeError) Error() string {
	return fmt.Sprintf("desktop: scope to window %q: %v", clip(e.WindowID), e.Err)
}

// Unwrap returns the reason.
func (e *ScopeError) Unwrap() error { return e.Err }

// FailedError says that a tool said no, or that its command was skipped. Made
// by [Result.Err] and the typed helpers. Message is the tool's own and may
// hold what anyone wrote.
type FailedError struct {
	Tool    string // "" when the caller did not say
	Message string
}

func (e *FailedError) Error() string {
	if e.Tool == "" {
		return "desktop: failed: " + e.Message
	}
	return fmt.Sprintf("desktop: %s failed: %s", clip(e.Tool), e.Message)
}

// ToolError says that a tool cannot be used as it is described. Tool is its
// name, or its number in the list when it has none.
type ToolError struct {
	Tool string
	Err  error
}

func (e *ToolError) Error() string { return fmt.Sprintf("desktop: tool %s: %v", clip(e.Tool), e.Err) }

// Unwrap returns what is wrong with it.
func (e *ToolError) Unwrap() error { return e.Err }

// UnknownToolError says that no tool has that name. errors.Is(err,
// ErrUnknownTool) holds.
type UnknownToolError struct {
	Name  string
	Known []string // sorted
}

func (e *UnknownToolError) Error() string {
	known := strings.Join(e.Known, ", ")
	if known == "" {
		known = "none"
	}
	return fmt.Sprintf("desktop: unknown tool %q; the tools are: %s", clip(e.Name), known)
}

// Unwrap returns [ErrUnknownTool].
func (e *UnknownToolError) Unwrap() error { return ErrUnknownTool }

// ParameterError says how the parameters of a command break the schema of its
// tool. Problems are sorted, each begins with the path of the value; none
// quotes a value. errors.Is(err, ErrParameters) holds.
type ParameterError struct {
	Tool     string
	Problems []string
}

func (e *ParameterError) Error() string {
	return fmt.Sprintf("desktop: %s: parameters do not fit: %s", clip(e.Tool), strings.Join(e.Problems, "; "))
}

// Unwrap returns [ErrParameters].
func (e *ParameterError) Unwrap() error { return ErrParameters }

// BatchError says which command of a [Batch] could not be checked or called.
type BatchError struct {
	Index int // of the command
	Err   error
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("desktop: command %d of a batch: %v", e.Index, e.Err)
}

// Unwrap returns the reason.
func (e *BatchError) Unwrap() error { return e.Err }

// JoinError says which of the desktops of a [Join] went wrong.
type JoinError struct {
	Index int // in the arguments of Join
	Err   error
}

func (e *JoinError) Error() string {
	return fmt.Sprintf("desktop: joined desktop %d: %v", e.Index+1, e.Err)
}

// Unwrap returns the reason.
func (e *JoinError) Unwrap() error { return e.Err }

// ScreenError says which App cannot be on a [Screen].
type ScreenError struct {
	Index int // in the arguments of Screen
	Err   error
}

func (e *ScreenError) Error() string {
	return fmt.Sprintf("desktop: App %d of a screen: %v", e.Index, e.Err)
}

// Unwrap returns the reason.
func (e *ScreenError) Unwrap() error { return e.Err }

// PanicError says that a joined desktop panicked while it listed its tools.
// Panics of a desktop that is called directly are the caller's to recover.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return "desktop: panic: " + fmt.Sprint(e.Value) }

// Unwrap returns the value of the panic when it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// clip keeps a name that a desktop or a model wrote from filling a log. What a tool
// says at length is quoted whole, for whoever takes the secrets out and cuts it then.
func clip(s string) string {
	const limit = 256
	return cut.Name(s, limit) // no part of a long one: a secret may be in it
}
