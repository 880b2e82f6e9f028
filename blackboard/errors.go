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
	// ErrClosed says that a sub-task has been closed before.
	ErrClosed = errors.New("blackboard: it is closed already")
	// ErrInvalid says that the caller made a mistake, such as an empty name, a
	// name of [Board.Close]'s results, a list that was to be replaced, an id that
	// was used before, or a Go type that does not fit the value.
	ErrInvalid = errors.New("blackboard: invalid use")
)

// The mistakes that are found in several places.
var (
	errCorrupt   = fmt.Errorf("%w: this is not what a board stored or logged", ErrInvalid)
	errExists    = fmt.Errorf("%w: it exists already", ErrInvalid)
	errGrowOnly  = fmt.Errorf("%w: it is a list, which only grows", ErrInvalid)
	errReserved  = fmt.Errorf("%w: the name is reserved for results of sub-tasks", ErrInvalid)
	errWrongType = fmt.Errorf("%w: the value has another type", ErrInvalid)
)

// opError says what could not be done with which name. Its text quotes no value
// that is on the board.
type opError struct {
	op   string // put, get, append, drop, delete, open, close, lookup, store, load, take, replay, render
	name string // of the value, sub-task or blob, or the path; may be ""
	err  error
}

func (e *opError) Error() string {
	reason := strings.TrimPrefix(e.err.Error(), "blackboard: ")
	if e.name == "" {
		return fmt.Sprintf("blackboard: %s: %s", e.op, reason)
	}
	return fmt.Sprintf("blackboard: %s %q: %s", e.op, clip(e.name), reason)
}

func (e *opError) Unwrap() error { return e.err }

// clip keeps a name that a model invented from filling a log.
func clip(s string) string {
	const limit = 120
	return cliptext.Name(s, limit) // no part of a long one: a secret may be in it
}
