package round

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

var (
	// ErrFailed says that the round ended in FAIL, or in another state that ends
	// a round and is no success.
	ErrFailed = errors.New("round: the task failed")
	// ErrFault says that the round ended in ERROR.
	ErrFault = errors.New("round: a fault ended the round")
	// ErrBudget says that a bound was reached. The round can go on with a higher one.
	ErrBudget = errors.New("round: a bound was reached")
	// ErrSuspended says that the round waits, mostly for an answer from elsewhere, and can
	// go on.
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
	// ErrNoAgent says that there is no agent where one is needed.
	ErrNoAgent = errors.New("round: no agent")
	// ErrOtherBoard says that Options.Board is not the blackboard that the first
	// agent has: sub-tasks on one would not be seen on the other.
	ErrOtherBoard = errors.New("round: Options.Board is not the first agent's blackboard")
	// ErrNoRequest says that a round was to begin with a request without a text.
	ErrNoRequest = errors.New("round: the request has no text")
	// ErrOtherRequest says that a request is not that of the round to go on with.
	ErrOtherRequest = errors.New("round: the round is that of another request")
	// ErrMoved says that agents of a stopped round were driven by another one in
	// the meantime.
	ErrMoved = errors.New("round: its agent was driven by another round")
	// ErrDuplicateName says that two agents of a round have the same name.
	ErrDuplicateName = errors.New("round: two agents have the same name")
	// ErrNotResumable says that an agent cannot take part in a round that is recorded, or not in
	// this one.
	ErrNotResumable = errors.New("round: it cannot be resumed with this agent")
)

// Error is what Run returns for every outcome but success. errors.Is finds the
// sentinel of the outcome (ErrFailed, ErrFault, …) and everything behind
// the cause. Behind a fault, and what a round waits for, the outcome of another round is not
// found, which a Handle ran: that round's bound is not this one's. Its text is redacted; the
// texts of the errors behind it are not.
type Error struct {
	Outcome Outcome
	Agent   string     // who was at work, redacted
	Status  fsm.Status // where it stood
	Reason  string     // redacted
	Err     error      // the cause: a fault, a *BudgetError, the context's cause; nil for a plain FAIL
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

// RequestError says that a session cannot go on with a round as somebody asks it to:
// it was begun with another request, has gone by, or cannot begin yet. errors.Is(err,
// ErrOtherRequest) holds. [Session.Run] begins a round whatever there is.
type RequestError struct {
	Round int // that was asked for, from 1
	Last  int // that has begun last; 0: none
}

func (e *RequestError) Error() string {
	text := fmt.Sprintf("%v: round %d", ErrOtherRequest, e.Round)
	switch {
	case e.Last == 0:
		return text + ", and none has begun"
	case e.Round == e.Last:
		return text + " was begun with another text"
	case e.Round < e.Last:
		return text + fmt.Sprintf(", and round %d has begun", e.Last)
	}
	return text + fmt.Sprintf(", and round %d has not ended", e.Last)
}

// Unwrap returns [ErrOtherRequest].
func (e *RequestError) Unwrap() error { return ErrOtherRequest }

// BudgetError names the bound that was reached. errors.Is(err, ErrBudget) holds.
type BudgetError struct {
	Bound     string   // MaxSteps, MaxTokens, …: the field of Options
	Limit     string   // its value
	Used      string   // what was used when it tripped
	Positions []string // the last positions, oldest first, as agent:STATUS
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("round: %s of %s reached (used %s); last positions: %s",
		e.Bound, e.Limit, e.Used, strings.Join(e.Positions, ", "))
}

// Unwrap returns [ErrBudget].
func (e *BudgetError) Unwrap() error { return ErrBudget }

// textOf is err.Error(), also of an error whose Error panics, such as a nil
// pointer in an interface.
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

// AgentError says that an agent cannot take part: it is nil, its States are,
// it cannot be compared, or it has the name of another one.
type AgentError struct {
	Agent string // who named it, or it
	Err   error
	text  string
}

func (e *AgentError) Error() string {
	text := e.text
	if text == "" {
		text = textOf(e.Err)
	}
	return fmt.Sprintf("round: %s: %s", e.Agent, text)
}

// Unwrap returns [ErrNoAgent], [ErrDuplicateName], [ErrOtherBoard], [ErrMoved] or
// [ErrNotResumable].
func (e *AgentError) Unwrap() error { return e.Err }

// SuspendedError says what a suspended round waits for. It is behind the [*Error] of a
// Run that ended with [ErrSuspended].
type SuspendedError struct {
	// Questions are those of [Result].Waits. There are none where an agent of another
	// kind suspended the round without having asked by people.Ask.
	Questions []people.Question
	Err       error // what its Handle returned, which wraps fsm.ErrSuspend
}

func (e *SuspendedError) Error() string { return textOf(e.Err) }

// Unwrap returns what the Handle returned.
func (e *SuspendedError) Unwrap() error { return e.Err }

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
