package durable

import (
	"context"
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// recordedError is an error that a model, a desktop or a person's User returned before the run was resumed. It has the
// text of that error; errors.Is and errors.As find in it what agents decide by: the kinds of [llm.CallError],
// context.DeadlineExceeded, [desktop.ErrScope] or a [desktop.CallError].
type recordedError struct {
	text string
	errs []error
}

func (e *recordedError) Error() string { return e.text }

// Unwrap returns what is known of the error.
func (e *recordedError) Unwrap() []error { return e.errs }

// kindsOfErrors are the errors that are found again, by their names in a journal.
var kindsOfErrors = []struct {
	name string
	err  error
}{
	{"rate_limited", llm.ErrRateLimited}, {"overloaded", llm.ErrOverloaded}, {"unavailable", llm.ErrUnavailable},
	{"slow", llm.ErrSlow}, {"empty", llm.ErrEmpty}, {"cut", llm.ErrCut}, {"malformed", llm.ErrMalformed}, {"refused", llm.ErrRefused}, {"rejected", llm.ErrRejected},
	{"no_model", llm.ErrNoModel}, {"no_response", llm.ErrNoResponse}, {"deadline", context.DeadlineExceeded},
	{"nobody_answered", people.ErrTimeout}, {"too_large", store.ErrTooLarge}, {"scope", desktop.ErrScope},
	{panicked, errPanicked},
}

func noteError(err error) *records.Error {
	if err == nil {
		return nil
	}
	n := &records.Error{Text: textOf(err)}
	for _, kind := range kindsOfErrors {
		if errors.Is(err, kind.err) {
			n.Kinds = append(n.Kinds, kind.name)
		}
	}
	if call, ok := errors.AsType[*llm.CallError](err); ok && call != nil {
		n.Call = &records.ModelError{Status: call.Status, RetryAfter: call.RetryAfter, Model: call.Model, Message: call.Message}
	}
	if tool, ok := errors.AsType[*desktop.CallError](err); ok && tool != nil {
		n.Tool = tool.Tool
	}
	if attempts.NothingSent(err) {
		n.Kinds = append(n.Kinds, unsent)
	}
	return n
}

// errPanicked stands for a call that did not return.
var errPanicked = errors.New("it panicked")

const panicked = "panic"

// unsent is the name of what a limiter refused. It counts as little as it did.
const unsent = "unsent"

// givenBack is what a call returned. One that panicked does so again: its step was a fault.
func givenBack(n *records.Error) error {
	err := recorded(n)
	if n != nil && slices.Contains(n.Kinds, panicked) {
		panic(err)
	}
	if n != nil && slices.Contains(n.Kinds, unsent) {
		return attempts.Unsent(err)
	}
	return err
}

// recorded makes an error of its record; nil of none.
func recorded(n *records.Error) error {
	if n == nil {
		return nil
	}
	e := &recordedError{text: n.Text}
	var kind error
	for _, name := range n.Kinds {
		for _, known := range kindsOfErrors {
			if known.name != name {
				continue
			}
			e.errs = append(e.errs, known.err)
			if kind == nil && n.Call != nil && known.err != context.DeadlineExceeded { //nolint:errorlint // the value itself, from the list
				kind = known.err
			}
		}
	}
	if c := n.Call; c != nil {
		e.errs = append(e.errs, &llm.CallError{Kind: kind, Status: c.Status, RetryAfter: c.RetryAfter, Model: c.Model, Message: c.Message})
	}
	if n.Tool != "" {
		e.errs = append(e.errs, &desktop.CallError{Tool: n.Tool, Err: errors.New(n.Text)})
	}
	return e
}
