package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/trace"
)

var (
	// ErrNobody says that there is no User to ask.
	ErrNobody = errors.New("people: there is nobody to ask")
	// ErrTimeout says that a User did not answer in time.
	ErrTimeout = errors.New("people: nobody answered in time")
)

const askTimeout = 60 * time.Second // of Ask, for 0

// askError says that a User failed to ask.
type askError struct{ err error }

func (e *askError) Error() string { return fmt.Sprintf("people: ask: %v", e.err) }
func (e *askError) Unwrap() error { return e.err }

// Ask asks a person and waits for the answer, for timeout at most (0: 60
// seconds, negative: as long as ctx allows). An answer that comes after the
// time is up does not count. A timeout above 0 also is the Deadline of a question
// that the user suspends: 0 gives it any time. When a run goes on in another process, its question
// keeps the Deadline of before.
//
// It returns [ErrNobody] for a nil user, [ErrTimeout], the context's cause, an error that
// wraps fsm.ErrSuspend as it is, and any other error of the user, wrapped.
// [Unanswered] makes a decision of the error.
//
// Interceptors in ctx, and with them the journal, see the question first. The user sees it
// without the secrets that the Round knows. In the Text and the name of the agent whatever
// a terminal would obey is escaped: a model may have written it.
func Ask(ctx context.Context, user User, q Question, timeout time.Duration) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, context.Cause(ctx)
	}
	if nilcheck.IsNil(user) {
		return Answer{}, ErrNobody
	}
	if timeout > 0 && q.Deadline.IsZero() {
		q.Deadline = time.Now().Add(timeout).UTC().Round(0) // as its JSON has it
	}
	if q.ID == "" {
		q.ID = uuid.NewString()
	}
	q, show := prepare(q)
	q, open := trace.AskedBefore(ctx, q)
	hide := func(text string) string { return trace.Hide(ctx, text) } // an interceptor may have another context
	person := user                                                    // after the interceptors
	user = UserFunc(func(ctx context.Context, q Question) (Answer, error) { return person.Ask(ctx, show(q, hide)) })
	asked := ctx
	if wrap, ok := ctx.Value(interceptorKey{}).(func(User) User); ok {
		user, asked = wrap(user), trace.WithShow(ctx, show) // for an interceptor that records the question
	}
	if timeout == 0 {
		timeout = askTimeout
	}
	limited, cancel := asked, context.CancelFunc(func() {})
	switch {
	case open && !q.Deadline.IsZero(): // another process asked first
		limited, cancel = context.WithDeadlineCause(asked, q.Deadline, ErrTimeout)
	case timeout > 0:
		limited, cancel = context.WithTimeoutCause(asked, timeout, ErrTimeout)
	}
	defer cancel()
	answer, err := user.Ask(limited, q.Clone())
	switch {
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	case errors.Is(err, fsm.ErrSuspend):
		return Answer{}, err
	case limited.Err() != nil, errors.Is(err, ErrTimeout):
		return Answer{}, ErrTimeout
	case err != nil:
		return Answer{}, &askError{err}
	}
	return answer, nil
}

type interceptorKey struct{}

// WithInterceptor returns a context under which [Ask] asks wrap(user) instead
// of user. Of several, the one added first sees a question first.
func WithInterceptor(ctx context.Context, wrap func(User) User) context.Context {
	if outer, ok := ctx.Value(interceptorKey{}).(func(User) User); ok {
		inner := wrap
		wrap = func(u User) User { return outer(inner(u)) }
	}
	return context.WithValue(ctx, interceptorKey{}, wrap)
}

// Unanswered turns an error of [Ask] into the decision of a Handle: FAIL, with a
// reason for people and models, when nobody is there, nobody answered in time or asking
// failed. It returns the error when the run stops where it is, because ctx is done or
// the user suspends. A state that asks by itself ends with it:
//
//	answer, err := people.Ask(ctx, a.user, question, 0)
//	if err != nil {
//		return a.Settle(people.Unanswered(ctx, err))
//	}
func Unanswered(ctx context.Context, err error) (fsm.Decision, error) {
	asked, _ := errors.AsType[*askError](err)
	switch {
	case ctx.Err() != nil, errors.Is(err, fsm.ErrSuspend):
		return fsm.Decision{}, err
	case errors.Is(err, ErrTimeout):
		return fsm.Decision{To: fsm.Fail, By: fsm.ByTimeout, Reason: "nobody answered in time"}, nil
	case errors.Is(err, ErrNobody) && asked == nil: // a User that finds nobody has words of its own
		return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "there is nobody to ask"}, nil
	}
	reason := err.Error()
	if asked != nil {
		reason = "asking failed: " + asked.err.Error()
	}
	return fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: legible.Plain(reason)}, nil
}
