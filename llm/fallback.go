package llm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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
// is [Retryable], or the refusal of a [Limit], the next one. Mostly each of them is a [Retry], so that the next one has its turn when
// trying again did not help:
//
//	llm.Fallback(llm.Retry(llm.Timeout(primary, 30*time.Second), nil), llm.Retry(secondary, nil))
//
// It remembers which models failed in this way, and asks them last: for a second after the first failure, twice as long after
// each further one, and at most 5 minutes. Then a call tries the model again. So a model that is
// down costs few calls. A failure of a call that began before the end of this time does not extend it: many calls can meet
// one outage.
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
	f := &fallback{models: slices.Clone(models), away: make([]absence, len(models))}
	for i, m := range f.models {
		f.models[i] = orMissing(m)
	}
	return f
}

type fallback struct {
	models []Model
	mu     sync.Mutex
	away   []absence // of each model
}

// absence is how a model failed lately.
type absence struct {
	failures int
	until    time.Time
}

const (
	firstAbsence   = time.Second
	longestAbsence = 5 * time.Minute
)

// absent returns a bit for each model that a call asks last, of the first 64.
func (f *fallback) absent() (mask uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for i := range f.away {
		if now.Before(f.away[i].until) {
			mask |= 1 << i
		}
	}
	return mask
}

// came notes whether a model answered a call that began then.
func (f *fallback) came(i int, began time.Time, answered bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if answered {
		f.away[i] = absence{}
		return
	}
	if began.Before(f.away[i].until) {
		return // of an outage that counts already
	}
	pause := min(firstAbsence<<min(f.away[i].failures, 16), longestAbsence)
	f.away[i] = absence{f.away[i].failures + 1, time.Now().Add(pause)}
}

// Unwrap returns the models, as errors that wrap several do.
func (f *fallback) Unwrap() []Model { return slices.Clone(f.models) }

func (f *fallback) Complete(ctx context.Context, req *Request) (*Response, error) {
	return f.within(ctx, req, nil)
}

func (f *fallback) within(ctx context.Context, req *Request, wrap func(Model) Model) (*Response, error) {
	var used spent
	var resp *Response
	var errs []error
	absent := f.absent()
	for n := range 2 * len(f.models) {
		i := n % len(f.models)
		if away := absent>>i&1 == 1; away != (n >= len(f.models)) {
			continue // it has its turn in the other half
		}
		began := time.Now()
		r, err := checked(ask(ctx, f.models[i], req, wrap))
		resp = used.add(r, err)
		passes := Retryable(err) || attempts.IsUnsent(err)
		if err == nil || passes && ctx.Err() == nil {
			f.came(i, began, err == nil)
		}
		if err == nil {
			return resp, nil
		}
		if len(f.models) == 1 {
			return resp, err
		}
		errs = append(errs, err)
		if ctx.Err() != nil || !passes {
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
