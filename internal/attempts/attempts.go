// Package attempts marks the error of a call of a model, for the Retry around it: a script that plays a
// provider, a record that gives a call back and a bound that refuses one say how to go on. Between them
// and the Retry there may be any middleware that wraps errors.
package attempts

import "errors"

// marked is an error with a mark. It has the text of the error.
type marked struct {
	error
	over bool
}

func (e *marked) Unwrap() error { return e.error }

// NoWait marks the error of an attempt for which no provider was asked, so that nobody has to wait
// before the next one. nil stays nil.
func NoWait(err error) error { return mark(err, false) }

// Over marks an error after which no attempt would be made, such as that of a bound. nil stays nil.
func Over(err error) error { return mark(err, true) }

func mark(err error, over bool) error {
	if err == nil {
		return nil
	}
	return &marked{err, over}
}

// IsNoWait reports whether the error that ended a call has the mark of NoWait.
func IsNoWait(err error) bool { return has(err, false) }

// IsOver reports whether the error that ended a call has the mark of Over.
func IsOver(err error) bool { return has(err, true) }

func has(err error, over bool) bool {
	m, ok := errors.AsType[*marked](Last(err))
	return ok && m.over == over
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
