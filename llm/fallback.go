package llm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// fallbackError says that several models failed.
type fallbackError struct {
	models int     // how many there are
	errs   []error // of those that were asked, in order
}

func (e *fallbackError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "llm: %d of %d models failed", len(e.errs), e.models)
	for i, err := range e.errs {
		fmt.Fprintf(&b, "; %d: %v", i+1, err)
	}
	return b.String()
}

// Unwrap returns all errors, the last one first: errors.As finds the one that
// ended the call before those that led to it.
func (e *fallbackError) Unwrap() []error {
	errs := slices.Clone(e.errs)
	slices.Reverse(errs)
	return errs
}

// Last returns the error that ended the call. Package deciding looks for it.
func (e *fallbackError) Last() error { return e.errs[len(e.errs)-1] }

// Fallback returns a model that asks the first of the models and, while the error
// is [Retryable], or the refusal of a [Limit], the next one. It remembers nothing: each call begins with the
// first. Mostly each of them is a [Retry], so that the next one has its turn when
// trying again did not help:
//
//	llm.Fallback(llm.Retry(llm.Timeout(primary, 30*time.Second), nil), llm.Retry(secondary, nil))
//
// Other errors end the call, since another model would hide them: a wrong key, a
// refusal, a reply that is too long. The end of ctx ends the call too. A Retry waits as long as it may, so the next model
// has no turn when ctx ends in the wait; a [Timeout] around that Retry, shorter
// than what ctx allows, gives it one.
//
// When one model was asked, its error is returned as it is; when several were,
// errors.Is finds the kind of each, and errors.As the last one first. The Usage of
// the response is the sum of all models that were asked, and its Spent says what
// each of them used. To a Round each of them is a call of its own, as with a [Retry]. Model is
// the one that answered. No models, or a nil one when its turn comes, is
// [ErrNoModel]. The model is safe for concurrent use if all models are.
func Fallback(models ...Model) Model {
	f := &fallback{models: slices.Clone(models)}
	for i, m := range f.models {
		f.models[i] = orMissing(m)
	}
	return f
}

type fallback struct{ models []Model }

// Unwrap returns the models, as errors that wrap several do.
func (f *fallback) Unwrap() []Model { return slices.Clone(f.models) }

func (f *fallback) Complete(ctx context.Context, req *Request) (*Response, error) {
	return f.within(ctx, req, nil)
}

func (f *fallback) within(ctx context.Context, req *Request, wrap func(Model) Model) (*Response, error) {
	var used spent
	var resp *Response
	var errs []error
	for i, m := range f.models {
		r, err := checked(ask(ctx, m, req, wrap))
		resp = used.add(r, err)
		if err == nil {
			return resp, nil
		}
		if len(f.models) == 1 {
			return resp, err
		}
		errs = append(errs, err)
		if i == len(f.models)-1 || ctx.Err() != nil || !Retryable(err) && !attempts.IsUnsent(err) {
			break
		}
	}
	switch len(errs) {
	case 0:
		return nil, ErrNoModel
	case 1:
		return resp, errs[0]
	}
	return resp, &fallbackError{models: len(f.models), errs: errs}
}

// missing is what a nil Model becomes.
type missing struct{}

func (missing) Complete(context.Context, *Request) (*Response, error) { return nil, ErrNoModel }

// orMissing returns m, or a model that says that there is none.
func orMissing(m Model) Model {
	if nilcheck.IsNil(m) {
		return missing{}
	}
	return m
}
