package blackboard

import (
	"errors"
	"fmt"
	"strings"

	cliptext "github.com/agentfsm/agentfsm/internal/clip"
)

var (
	// ErrFull says that the board's bound in bytes would be exceeded.
	ErrFull = errors.New("blackboard: the board is full")
	// ErrNotSerialisable says that a value has no JSON form: a channel, a
	// func, a NaN, text that is no JSON, more than 1,000 levels.
	ErrNotSerialisable = errors.New("blackboard: the value cannot be serialised")
	// ErrNotFound says that there is no such sub-task or path.
	ErrNotFound = errors.New("blackboard: not found")
	// ErrExists says that a sub-task of that id has been opened before.
	ErrExists = errors.New("blackboard: it exists already")
	// ErrClosed says that a sub-task has been closed before.
	ErrClosed = errors.New("blackboard: it is closed already")
	// ErrGrowOnly says that a list was to be replaced or deleted.
	ErrGrowOnly = errors.New("blackboard: it is a list, which only grows")
	// ErrReserved says that the name belongs to the results of sub-tasks,
	// which only [Board.Close] writes.
	ErrReserved = errors.New("blackboard: the name is reserved for results of sub-tasks")
	// ErrInvalid says that a name, a text or a status is empty, or that a
	// name is not UTF-8.
	ErrInvalid = errors.New("blackboard: invalid input")
	// ErrWrongType says that a value does not fit the Go type of its key, or
	// that it is not a list.
	ErrWrongType = errors.New("blackboard: the value has another type")
	// ErrCorrupt says that a text to load is not the JSON of a board, or that
	// operations to replay do not fit the board.
	ErrCorrupt = errors.New("blackboard: this is not what a board stored or logged")
	// ErrNotLogged says that nobody asked the board to log what is done to it.
	ErrNotLogged = errors.New("blackboard: operations are not logged")
	// ErrTooSmall says that a prompt's budget cannot even hold a note of what
	// was left out.
	ErrTooSmall = errors.New("blackboard: the budget is too small")
)

// Error says what could not be done with which name. Unwrap gives one of this
// package's errors, with detail. Its text quotes no value that is on the board.
type Error struct {
	Op   string // put, get, append, delete, open, close, lookup, store, load, take, replay, render
	Name string // of the value, sub-task or blob, or the path; may be ""
	Err  error
}

func (e *Error) Error() string {
	reason := strings.TrimPrefix(e.Err.Error(), "blackboard: ")
	if e.Name == "" {
		return fmt.Sprintf("blackboard: %s: %s", e.Op, reason)
	}
	return fmt.Sprintf("blackboard: %s %q: %s", e.Op, clip(e.Name), reason)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// clip keeps a name that a model invented from filling a log.
func clip(s string) string {
	const limit = 120
	return cliptext.Name(s, limit) // no part of a long one: a secret may be in it
}
