package round

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

var (
	// ErrFailed says that the round ended in FAIL, or in another state that ends a round and is no success.
	ErrFailed = errors.New("round: the task failed")
	// ErrPartial says that the round finished, but not with all of its parts, which
	// Options.RequireAll wants. Result.Partial has the others. It comes with ErrFailed.
	ErrPartial = errors.New("round: a part of the task was not done")
	// ErrFault says that the round ended in ERROR.
	ErrFault = errors.New("round: a fault ended the round")
	// ErrBudget says that a bound was reached. The round can go on with a higher one.
	ErrBudget = errors.New("round: a bound was reached")
	// ErrSuspended says that the round waits, mostly for an answer from elsewhere, and can go on.
	ErrSuspended = errors.New("round: suspended")
	// ErrCancelled says that the context was cancelled. The round can go on.
	ErrCancelled = errors.New("round: cancelled")

	// ErrLost says that the round could not be recorded. Nothing more is done in it then, and
	// what was recorded can be restored.
	ErrLost = errors.New("round: the round could not be recorded")

	// ErrBusy says that the round is being driven already.
	ErrBusy = errors.New("round: it is running already")
	// ErrClosed says that the session is closed.
	ErrClosed = errors.New("round: the session is closed")
	// ErrAgent says that an agent cannot take part: it, or its States, is nil; it cannot be
	// compared; another agent of the round has its name; it has another blackboard than
	// Options.Board; or another round drove it since this one stopped. The text says which.
	ErrAgent = errors.New("round: an agent cannot take part")
	// ErrNoRequest says that a round was to begin with a request without a text.
	ErrNoRequest = errors.New("round: the request has no text")
	// ErrOtherRequest says that a request is not that of the round to go on with.
	ErrOtherRequest = errors.New("round: the round is that of another request")
	// ErrNotResumable says that an agent cannot take part in a round that is recorded, or not in this one.
	ErrNotResumable = errors.New("round: it cannot be resumed with this agent")
)

// Error is what Run returns for every outcome but success. errors.Is finds the sentinel of the outcome (ErrFailed,
// ErrFault, …) and everything behind the cause. Behind a fault, and what a round waits for, the outcome of another
// round is not found, which a Handle ran: that round's bound is not this one's. Its text is redacted; the texts of the
// errors behind it are not.
type Error struct {
	Outcome Outcome
	Err     error // the cause: a fault, a *BudgetError, the context's cause; nil for a plain FAIL
	text    string
}

func (e *Error) Error() string { return e.text }

// Unwrap returns the sentinel of the outcome and the cause.
func (e *Error) Unwrap() []error {
	errs := []error{e.Outcome.sentinel()}
	switch {
	case e.Err == nil:
	case e.Outcome == OverBudget:
		own, others := parted(e.Err)
		if own != nil {
			errs = append(errs, own)
		}
		if others != nil {
			errs = append(errs, behind{others, e.Outcome})
		}
	case e.Outcome == Lost, e.Outcome == Failed: // a round that was given up has its own cause
		errs = append(errs, e.Err)
	default:
		errs = append(errs, behind{e.Err, e.Outcome})
	}
	return errs
}

// BudgetError names the bound that was reached. errors.Is(err, ErrBudget) holds.
type BudgetError struct {
	Bound     string   // MaxSteps, MaxTokens, …: the field of Options
	Limit     string   // its value
	used      string   // when it tripped
	positions []string // the last positions, oldest first, as agent:STATUS
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("round: %s of %s reached (used %s); last positions: %s",
		e.Bound, e.Limit, e.used, strings.Join(e.positions, ", "))
}

// Unwrap returns [ErrBudget].
func (e *BudgetError) Unwrap() error { return ErrBudget }

// errExit is the fault of a step that has ended its goroutine, as t.FailNow of a test does.
var errExit = errors.New("round: the step ended its goroutine (runtime.Goexit)")

// textOf is err.Error(), also of an error whose Error panics, such as a nil pointer in an interface.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T", err)
		}
	}()
	return err.Error()
}

// PanicError is a panic in an agent, a state, a plug-in or an observer.
// errors.As also reaches the value, when it is an error.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("round: panic: %v", e.Value) }

// Unwrap returns the value, when it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// agentError says why an agent cannot take part, or cannot be recorded.
type agentError struct {
	agent string // who named it, or it
	err   error  // ErrAgent or ErrNotResumable
	text  string
}

func (e *agentError) Error() string { return fmt.Sprintf("round: %s: %s", e.agent, e.text) }
func (e *agentError) Unwrap() error { return e.err }

// shownError is an error whose text may be shown. What is behind it is found
// by errors.Is and errors.As, with its own text.
type shownError struct {
	text string
	err  error
}

func (e *shownError) Error() string { return e.text }
func (e *shownError) Unwrap() error { return e.err }

// guard makes an error of a panic.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// What stops a round, or ends it, may be what became of another round: one that a Handle
// ran, or one beside it under the same context. Its outcome is not this round's.

// behind is the cause of an outcome, without the outcome of a round that a Handle ran. A
// round that waits may wait for what that one waits for.
type behind struct {
	err error
	of  Outcome
}

func (b behind) Error() string { return textOf(b.err) }

func (b behind) Is(target error) bool {
	switch target {
	case ErrFailed, ErrFault, ErrBudget, ErrCancelled, ErrLost:
		return false
	case ErrSuspended:
		return b.of == Suspended
	}
	return errors.Is(b.err, target)
}

func (b behind) As(target any) bool {
	if _, budget := target.(**BudgetError); budget {
		return false
	}
	return errors.As(b.err, target)
}

// parted returns the bound that the round itself reached, and what came together with it.
func parted(err error) (own *BudgetError, others error) {
	switch e := err.(type) { //nolint:errorlint // as stop got it
	case *BudgetError:
		return e, nil
	case *stopError:
		own, _ = e.stop.(*BudgetError) //nolint:errorlint // likewise
		return own, e.fault
	}
	return nil, err
}

func isOwn(err error) bool {
	own, _ := parted(err)
	return own != nil
}

// stopError is a panic at the moment at which the round stops anyway.
type stopError struct{ stop, fault error }

func (e *stopError) Error() string   { return e.stop.Error() + "\n" + textOf(e.fault) }
func (e *stopError) Unwrap() []error { return []error{e.stop, e.fault} }

// elsewhere is the bound of another round, which ended the context of this one: that of
// rounds in one errgroup, or of the round whose Handle runs this one.
type elsewhere struct{ error }

func (e elsewhere) Unwrap() error { return e.error }

// waitError is the error of a Handle that is to be called again later.
type waitError struct{ error }
