// Package attempts marks the error of a call of a model, for the Retry around it: a script that plays a
// provider, a record that gives a call back, a bound and a limiter that refuse one say how to go on. Between them
// and the Retry there may be any middleware that wraps errors.
package attempts

import (
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// marked is an error with a mark. It has the text of the error.
type marked struct {
	error
	mark mark
}

type mark int

const (
	noWait mark = iota
	over
	unsent
)

func (e *marked) Unwrap() error { return e.error }

// NoWait marks the error of an attempt for which no provider was asked, so that nobody has to wait
// before the next one. nil stays nil.
func NoWait(err error) error { return with(noWait, err) }

// Over marks an error after which no attempt would be made, such as that of a bound. nil stays nil.
func Over(err error) error { return with(over, err) }

// Unsent marks the error of a call that a limiter refused: no model was asked. nil stays nil.
func Unsent(err error) error { return with(unsent, err) }

func with(m mark, err error) error {
	if err == nil {
		return nil
	}
	return &marked{err, m}
}

// IsNoWait reports whether the error that ended a call has the mark of NoWait.
func IsNoWait(err error) bool { return has(err, noWait) }

// IsOver reports whether the error that ended a call has the mark of Over.
func IsOver(err error) bool { return has(err, over) }

// IsUnsent reports whether the error that ended a call has the mark of Unsent. Before it others may have been asked.
func IsUnsent(err error) bool { return has(err, unsent) }

func has(err error, want mark) bool {
	for err = Last(err); ; {
		m, ok := errors.AsType[*marked](err)
		if !ok || m.mark == want {
			return ok
		}
		err = m.error
	}
}

// NothingSent reports whether an error has the mark of Unsent on all that it is made of. An error that has a
// method Sent is of attempts that did ask a model.
func NothingSent(err error) bool {
	if nilcheck.IsNil(err) { // a broken Model may return a nil pointer
		return false
	}
	if m, ok := err.(*marked); ok && m.mark == unsent { //nolint:errorlint // every level of the tree is looked at
		return true
	}
	switch wrapper := err.(type) { //nolint:errorlint // as above
	case interface{ Sent() }:
		return false
	case interface{ Unwrap() error }:
		return NothingSent(wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		all := wrapper.Unwrap()
		return len(all) > 0 && !slices.ContainsFunc(all, func(inner error) bool { return !NothingSent(inner) })
	}
	return false
}

// Last returns the error that ended a call in which several models were asked, err itself where it
// was one.
func Last(err error) error {
	for {
		several, ok := errors.AsType[interface {
			error
			Last() error
		}](err)
		if !ok {
			return err
		}
		err = several.Last()
	}
}
