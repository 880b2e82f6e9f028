package processor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/clone"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/trace"
)

var (
	// ErrNobody says that there is no User to ask.
	ErrNobody = errors.New("processor: there is nobody to ask")
	// ErrTimeout says that a User did not answer in time.
	ErrTimeout = errors.New("processor: nobody answered in time")
)

// maxName bounds the name of an agent in a question, in bytes.
const maxName = 1 << 10

// maxTitle bounds the title of a window in a question, in bytes.
const maxTitle = 200

// maxWords bounds what a person is asked in words, in bytes. A command is shown whole.
const maxWords = 8 << 10

// DefaultAskTimeout is how long a person has for one question.
const DefaultAskTimeout = 60 * time.Second

// AskError says that a User failed to ask. Unwrap gives its error.
type AskError struct {
	ID  string // of the question
	Err error
}

func (e *AskError) Error() string { return fmt.Sprintf("processor: ask a person: %v", e.Err) }

// Unwrap returns the User's error.
func (e *AskError) Unwrap() error { return e.Err }

// Ask asks a person and waits for the answer, for timeout at most (0:
// [DefaultAskTimeout], negative: as long as ctx allows). Interceptors in ctx
// see the question first. [Unanswered] makes a decision of its error. It returns
// [ErrNobody] for a nil user, [ErrTimeout],
// the context's cause, an error that wraps fsm.ErrSuspend as it is, and any
// other error of the user as an [*AskError]. An answer that comes after the
// time is up does not count. Control characters in the question's Text, but line
// breaks and tabs, and marks that turn the direction of writing are escaped: a
// model may have written it, and a terminal would obey. So are those in the name of
// the agent, line breaks included. The user sees no secret that was
// announced to the Round in any words of the question: Text, Title, Target, Reason,
// Comment and the name of the agent. Interceptors, and with them the journal, have them
// as they are.
func Ask(ctx context.Context, user User, q Question, timeout time.Duration) (Answer, error) {
	return ask(ctx, user, q, timeout, func(q Question, hide func(string) string) Question {
		for _, text := range []*string{&q.Text, &q.Title, &q.Target, &q.Reason, &q.Comment} {
			*text = hide(*text)
			if q.Command == nil || text != &q.Text && text != &q.Target { // what is not shown is not approved
				*text = clip.Text(*text, maxWords)
			}
		}
		return q
	})
}

// ask is Ask with words, which returns the question as the user sees it. It is
// called behind the interceptors: a run that is resumed knows other secrets than before,
// and finds its questions by their words all the same. An interceptor that records the
// question gets it by trace.ShowOf.
func ask(ctx context.Context, user User, q Question, timeout time.Duration, words trace.Show[Question]) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, context.Cause(ctx)
	}
	if nilcheck.IsNil(user) {
		return Answer{}, ErrNobody
	}
	q.Text = legible.Text(q.Text)
	q.Agent = clip.Name(legible.Exact(q.Agent), maxName) // names of a window are in it
	show := func(q Question, hide func(string) string) Question {
		q = words(q, hide)
		q.Agent = hide(q.Agent)
		return q
	}
	hide := func(text string) string { return trace.Hide(ctx, text) } // an interceptor may have another context
	person := user                                                    // behind the interceptors
	user = UserFunc(func(ctx context.Context, q Question) (Answer, error) { return person.Ask(ctx, show(q, hide)) })
	asked := ctx
	if wrap, ok := ctx.Value(interceptorKey{}).(func(User) User); ok {
		user, asked = wrap(user), trace.WithShow(ctx, show)
	}
	if timeout == 0 {
		timeout = DefaultAskTimeout
	}
	limited := asked
	if timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(asked, timeout, ErrTimeout)
		defer cancel()
	}
	answer, err := user.Ask(limited, q.clone())
	switch {
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	case errors.Is(err, fsm.ErrSuspend):
		return Answer{}, err
	case limited.Err() != nil, errors.Is(err, ErrTimeout):
		return Answer{}, ErrTimeout
	case err != nil:
		return Answer{}, &AskError{ID: q.ID, Err: err}
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

// makeID returns the id of a question.
func makeID(newID func() string) string {
	if newID == nil {
		return uuid.NewString()
	}
	return newID()
}

// clone keeps a User from changing what it was asked about.
func (q Question) clone() Question {
	if q.Command != nil {
		cmd := cloneCommand(*q.Command)
		q.Command = &cmd
	}
	return q
}

func cloneCommand(cmd desktop.Command) desktop.Command {
	cmd.Parameters = clone.Map(cmd.Parameters)
	return cmd
}
