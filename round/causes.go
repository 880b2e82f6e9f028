package round

import "errors"

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
