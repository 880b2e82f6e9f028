package llmtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// maxErrorText is the longest text of an error, in bytes: one line of a log.
const maxErrorText = 4096

// anyWait stands for a RetryAfter that the suite does not know.
const anyWait time.Duration = -1

// failure is a call that fails, and the error that must come out.
type failure struct {
	name     string
	model    func(testing.TB) llm.Model
	kinds    []error // one of them
	from, to int     // the status of HTTP; 0: not looked at
	wait     time.Duration
	why      string
}

const whyRetry = "middleware decides by the kind whether to try again, to take another model or to give up, and how long to wait; " +
	"llm.StatusError and llm.RetryAfter make such an error of a status"

func failures(b Backend) []failure {
	return []failure{
		{"rate limited", b.RateLimited, []error{llm.ErrRateLimited}, 429, 429, retryAfter, whyRetry},
		{"server error", b.ServerError, []error{llm.ErrOverloaded, llm.ErrUnavailable}, 500, 599, anyWait, whyRetry},
		{"rejected", b.Rejected, []error{llm.ErrRejected}, 400, 499, anyWait, whyRetry},
		{"unavailable", b.Unavailable, []error{llm.ErrUnavailable}, 0, 0, anyWait, whyRetry},
		{"refusal", b.Refusal, []error{llm.ErrRefused}, 0, 0, anyWait,
			"a refusal that looks like a reply is asked again until the attempts are used up; a FinishReason such as content_filter says it, too"},
		{"empty", b.Empty, []error{llm.ErrEmpty}, 0, 0, anyWait, "a reply without text is a fault of the moment, and worth another attempt"},
		{"cut", b.Cut, []error{llm.ErrCut}, 0, 0, anyWait,
			"half a reply may look like a whole one, and would be executed; a FinishReason such as length says it, too"},
	}
}

// find makes the call and looks at the error as an agent gets it: refusals
// and replies that were cut may also be responses with a FinishReason.
func (f failure) find(s *subject) []string {
	req := question(60)
	o := s.call(s.t.Context(), f.model(s.t), req)
	if problem := s.broken(o); problem != "" {
		return []string{problem}
	}
	_, err := llm.Complete(s.t.Context(), replay(o.resp, o.err), req)
	if err == nil {
		return []string{fmt.Sprintf("the call succeeds, with FinishReason %q and the text %s", o.resp.FinishReason, short(o.resp.Text))}
	}
	if o.resp != nil && negative(o.resp.Usage) {
		return []string{fmt.Sprintf("the usage that comes with the error is negative: %+v", o.resp.Usage)}
	}
	if problem := s.misjudged(outcome{err: err}, f.from, f.to, f.kinds, f.wait); problem != "" {
		return []string{problem}
	}
	return nil
}

// misjudged says what is wrong with the error of a call that failed in a known way.
func (s *subject) misjudged(o outcome, from, to int, kinds []error, wait time.Duration) string {
	if problem := s.broken(o); problem != "" {
		return problem
	}
	if o.err == nil {
		return "the call succeeds: its text is " + short(o.resp.Text)
	}
	if leak := s.indiscreet(o.err); leak != "" {
		return leak
	}
	var call *llm.CallError
	switch {
	case !errors.As(o.err, &call) || call == nil:
		return fmt.Sprintf("the error is no *llm.CallError: %v", o.err)
	case !slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(o.err, kind) }):
		return fmt.Sprintf("the kind of the error is not one of %q: %v", kinds, o.err)
	case from > 0 && (call.Status < from || call.Status > to):
		return fmt.Sprintf("the Status of the error is %d, not from %d to %d", call.Status, from, to)
	case call.RetryAfter < 0:
		return fmt.Sprintf("the RetryAfter of the error is negative: %v", call.RetryAfter)
	case wait != anyWait && call.RetryAfter != wait:
		return fmt.Sprintf("the RetryAfter of the error is %v, not %v", call.RetryAfter, wait)
	case llm.Retryable(o.err) != llm.Retryable(kinds[0]):
		return fmt.Sprintf("llm.Retryable of the error is %t, against its kind: %v", llm.Retryable(o.err), o.err)
	}
	return ""
}

// indiscreet says what must not be in the text of an error, without quoting it. Errors go into logs and journals.
func (s *subject) indiscreet(err error) string {
	text := err.Error()
	switch {
	case s.Key != "" && strings.Contains(text, s.Key):
		return "the text of the error shows the Key, and logs would show the credential"
	case strings.Contains(text, marker):
		return "the text of the error shows the request, and logs would show the prompt"
	case len(text) > maxErrorText:
		return fmt.Sprintf("the text of the error has %d bytes, more than %d: give the CallError a short Message", len(text), maxErrorText)
	case strings.Contains(text, "<html"):
		return "the text of the error has a page of HTML in it, which hides what went wrong: " + short(text)
	}
	return ""
}
