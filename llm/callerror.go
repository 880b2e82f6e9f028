package llm

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// The kinds of failed calls, as errors.Is finds them behind a [CallError].
// Adapters make the errors, see [StatusError]; [Complete] adds those of a response
// whose FinishReason or text says so; [Timeout] makes ErrSlow.
var (
	// ErrRateLimited: too many requests or tokens in a time. Retryable.
	ErrRateLimited = errors.New("llm: rate limited")
	// ErrOverloaded: the provider has too much to do. Retryable.
	ErrOverloaded = errors.New("llm: the provider is overloaded")
	// ErrUnavailable: no answer came, because the transport or the provider broke.
	// Retryable.
	ErrUnavailable = errors.New("llm: the provider gave no answer")
	// ErrSlow: no answer came within a deadline that is not the caller's, such as
	// that of [Timeout] or of an adapter's own client. Retryable.
	ErrSlow = errors.New("llm: the model was too slow")
	// ErrEmpty: the model answered without a text. Retryable.
	ErrEmpty = errors.New("llm: the reply is empty")
	// ErrCut: the reply ended where it became too long. Not retryable: the same
	// request would end there again. It is an error also when the part that came
	// happens to be whole JSON, since nobody knows what would have followed.
	ErrCut = errors.New("llm: the reply was cut by length")
	// ErrMalformed: the provider could not use what the model wrote, such as a call
	// with broken arguments. Not retryable: the model must be told.
	ErrMalformed = errors.New("llm: the reply is malformed")
	// ErrRefused: the model, or a filter around it, would not answer. Not retryable.
	ErrRefused = errors.New("llm: the model refused to answer")
	// ErrRejected: the request cannot be served as it is: malformed, too large, not
	// authorised, an unknown model. Not retryable.
	ErrRejected = errors.New("llm: the request was rejected")
)

// retryable are the kinds after which the same request may succeed.
var retryable = []error{ErrRateLimited, ErrOverloaded, ErrUnavailable, ErrSlow, ErrEmpty}

// maxMessage is how much of what others wrote the text of a [CallError] has, in bytes.
const maxMessage = clip.Message

// CallError says why a call of a model failed. errors.Is finds its Kind and what
// is behind Err.
//
// Its text has the kind, the status, the model and at most 300 bytes of
// Message, or of Err where there is no Message, on one line. It never has the
// request or the reply. A provider may repeat a part of a request in its message:
// an adapter leaves such a message out.
type CallError struct {
	Kind       error         // one of the values above, such as ErrRateLimited
	Status     int           // of HTTP; 0: unknown, or no HTTP
	RetryAfter time.Duration // how long the provider asks to wait; 0: it did not say
	Model      string        // which model was asked; may be empty
	Message    string        // the provider's words; may be empty
	Err        error         // the cause; may be nil
}

func (e *CallError) Error() string {
	var b strings.Builder
	if e.Kind == nil {
		b.WriteString("llm: the call failed")
	} else {
		b.WriteString(e.Kind.Error())
	}
	var about []string
	if e.Status != 0 {
		about = append(about, "status "+strconv.Itoa(e.Status))
	}
	if e.Model != "" {
		about = append(about, "model "+oneLine(e.Model))
	}
	if e.RetryAfter > 0 {
		about = append(about, "again in "+e.RetryAfter.String())
	}
	if len(about) > 0 {
		b.WriteString(" (" + strings.Join(about, ", ") + ")")
	}
	message := e.Message
	if message == "" && e.Err != nil {
		message = e.Err.Error()
	}
	if message = oneLine(message); message != "" {
		b.WriteString(": " + message)
	}
	return b.String()
}

// oneLine is a text of somebody else, fit for a log.
func oneLine(text string) string {
	if len(text) > 4*maxMessage { // no need to look at all of a page of HTML
		text = clip.Text(text, 4*maxMessage)
	}
	return clip.Text(strings.Join(strings.Fields(text), " "), maxMessage)
}

// Unwrap returns the kind and the cause.
func (e *CallError) Unwrap() []error {
	return slices.DeleteFunc([]error{e.Kind, e.Err}, func(err error) bool { return err == nil })
}

// StatusError makes the error of an HTTP answer that is not a reply. An adapter
// adds Model and Err:
//
//   - 429 is [ErrRateLimited];
//   - 503 and 529 are [ErrOverloaded];
//   - 408, 425, every other 5xx, and 0 for no answer at all, are [ErrUnavailable];
//   - everything else is [ErrRejected].
//
// An adapter that knows better from the body changes the Kind: a used-up quota
// that comes as 429 is [ErrRejected], a content filter that comes as 400 is
// [ErrRefused]. See [RetryAfter] for where retryAfter comes from.
func StatusError(status int, retryAfter time.Duration, message string) *CallError {
	e := &CallError{Kind: ErrRejected, Status: status, RetryAfter: max(0, retryAfter), Message: message}
	switch {
	case status == 429:
		e.Kind = ErrRateLimited
	case status == 503, status == 529:
		e.Kind = ErrOverloaded
	case status == 0, status == 408, status == 425, status >= 500:
		e.Kind = ErrUnavailable
	}
	return e
}

// Retryable reports whether the same request may succeed when it is sent again.
// That is so for [ErrRateLimited], [ErrOverloaded], [ErrUnavailable], [ErrSlow]
// and [ErrEmpty], and for no other error: an adapter must say which kind its
// errors are. The refusal of a [Limit] is not retryable. Of several joined errors one that is retryable is enough.
//
// context.Canceled and context.DeadlineExceeded are never retryable, also when
// they are the cause of another kind: they are taken for the caller's. Behind an
// ErrSlow they are not.
func Retryable(err error) bool {
	again, stop := verdict(err)
	return again && !stop
}

// verdict looks through the tree of an error: is there something to try again
// for, and is there the end of a context, after which nothing is tried?
func verdict(err error) (again, stop bool) {
	if attempts.NothingSent(err) {
		return false, false
	}
	if call, ok := err.(*CallError); ok { //nolint:errorlint // every level of the tree is looked at
		if call == nil || call.Kind == nil {
			return false, false
		}
		if errors.Is(call.Kind, ErrSlow) {
			return true, false
		}
		return isAny(call.Kind, retryable), ended(call.Err)
	}
	switch wrapper := err.(type) { //nolint:errorlint // as above
	case interface{ Unwrap() []error }:
		for _, inner := range wrapper.Unwrap() {
			a, s := verdict(inner)
			again, stop = again || a, stop || s
		}
		return again, stop
	case interface{ Unwrap() error }:
		if inner := wrapper.Unwrap(); inner != nil {
			return verdict(inner)
		}
	}
	return isAny(err, retryable), ended(err)
}

func isAny(err error, targets []error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
