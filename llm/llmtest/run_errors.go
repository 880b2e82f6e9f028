package llmtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/llm"
)

// maxErrorText is how long the text of an error may be, in bytes: one line of a
// log, and not a page of HTML.
const maxErrorText = 4096

// failure is a way in which a call fails, and what must come out.
type failure struct {
	name, part string
	model      func(Backend) func(testing.TB) llm.Model
	kinds      []error // one of them
	statuses   [2]int  // of HTTP, from and to; 0: not looked at
	retryable  bool
	waits      bool   // RetryAfter is known
	advice     string // what to return
	why        string
}

const adviseStatus = "return what llm.StatusError makes of the status, with llm.RetryAfter where the backend asks to wait"

const whyRetry = "middleware decides by the kind whether to try again, to take another model or to give up, and how long to wait"

var failures = []failure{
	{name: "rate limited", part: "RateLimited", model: func(b Backend) func(testing.TB) llm.Model { return b.RateLimited },
		kinds: []error{llm.ErrRateLimited}, statuses: [2]int{429, 429}, retryable: true, waits: true, advice: adviseStatus, why: whyRetry},
	{name: "server error", part: "ServerError", model: func(b Backend) func(testing.TB) llm.Model { return b.ServerError },
		kinds: []error{llm.ErrOverloaded, llm.ErrUnavailable}, statuses: [2]int{500, 599}, retryable: true, advice: adviseStatus, why: whyRetry},
	{name: "rejected", part: "Rejected", model: func(b Backend) func(testing.TB) llm.Model { return b.Rejected },
		kinds: []error{llm.ErrRejected}, statuses: [2]int{400, 499}, advice: adviseStatus, why: whyRetry},
	{name: "unavailable", part: "Unavailable", model: func(b Backend) func(testing.TB) llm.Model { return b.Unavailable },
		kinds: []error{llm.ErrUnavailable}, retryable: true, advice: "return an *llm.CallError of llm.ErrUnavailable, with what the transport says as its Err", why: whyRetry},
	{name: "refusal", part: "Refusal", model: func(b Backend) func(testing.TB) llm.Model { return b.Refusal },
		kinds: []error{llm.ErrRefused}, advice: "return an *llm.CallError of llm.ErrRefused, or a FinishReason such as content_filter",
		why: "a refusal that looks like a reply is asked again until the attempts are used up"},
	{name: "empty", part: "Empty", model: func(b Backend) func(testing.TB) llm.Model { return b.Empty },
		kinds: []error{llm.ErrEmpty}, retryable: true, advice: "return an *llm.CallError of llm.ErrEmpty, or a Response whose Text is empty and whose FinishReason says neither a refusal nor a length",
		why: "a reply without text is a fault of the moment, and worth another attempt"},
	{name: "cut", part: "Cut", model: func(b Backend) func(testing.TB) llm.Model { return b.Cut },
		kinds: []error{llm.ErrCut}, advice: "return an *llm.CallError of llm.ErrCut, or a FinishReason such as length",
		why: "half a reply may look like a whole one, and would be executed"},
}

// find makes a call that fails and looks at the error as an agent gets it: refusals
// and replies that were cut may also be responses with a FinishReason.
func (f failure) find(s *subject) (problems []string) {
	req := question(60)
	o := s.call(s.t.Context(), f.model(s.Backend)(s.t), req)
	if problem := s.broken(o); problem != "" {
		return []string{problem}
	}
	_, err := llm.Complete(s.t.Context(), replay(o), req)
	if err == nil {
		return []string{fmt.Sprintf("the call succeeds, with FinishReason %q and the text %s: %s", o.resp.FinishReason, short(o.resp.Text), f.advice)}
	}
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if o.resp != nil && negative(o.resp.Usage) {
		add("the usage that comes with the error is negative: %+v", o.resp.Usage)
	}
	if leak := s.indiscreet(err); leak != "" {
		add("%s", leak)
		return problems // the other findings would quote it
	}
	var call *llm.CallError
	if !errors.As(err, &call) || call == nil {
		add("the error is no *llm.CallError: %v: %s", err, f.advice)
		return problems
	}
	if !isKind(err, f.kinds) {
		add("the kind of the error is not %s: %v: %s", names(f.kinds), err, f.advice)
	}
	if from, to := f.statuses[0], f.statuses[1]; from > 0 && (call.Status < from || call.Status > to) {
		add("the Status of the error is %d, not %s: %v", call.Status, statusRange(from, to), err)
	}
	if f.waits && call.RetryAfter != retryAfter {
		add("the RetryAfter of the error is %v, not %v: %v", call.RetryAfter, retryAfter, err)
	}
	if call.RetryAfter < 0 {
		add("the RetryAfter of the error is negative: %v", call.RetryAfter)
	}
	if got := llm.Retryable(err); got != f.retryable {
		add("llm.Retryable of the error is %t, not %t: %v", got, f.retryable, err)
	}
	return problems
}

const (
	whyLogs = "texts of errors are written to logs and to the journal of a run, which people and programs read that must not see "

	showsKey     = "the text of the error shows the Key: take it out of what the backend says" + whyItMatters + whyLogs + "a credential"
	showsRequest = "the text of the error shows the request: leave out what the backend quotes of it" + whyItMatters + whyLogs + "a prompt"
)

// indiscreet says what must not be in the text of an error, without quoting it,
// and why.
func (s *subject) indiscreet(err error) string {
	text := err.Error()
	switch {
	case s.Key != "" && strings.Contains(text, s.Key):
		return showsKey
	case strings.Contains(text, marker):
		return showsRequest
	case len(text) > maxErrorText:
		return fmt.Sprintf("the text of the error has %d bytes, more than %d: give the CallError a short Message", len(text), maxErrorText) +
			whyItMatters + "a page of HTML fills logs, and the prompts that follow"
	}
	return ""
}

func isKind(err error, kinds []error) bool {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}

func names(kinds []error) string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = fmt.Sprintf("%q", k)
	}
	return strings.Join(list, " or ")
}

func statusRange(from, to int) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("from %d to %d", from, to)
}
