package llmtest

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// findForms looks for forms of a whole reply that are not understood.
func findForms(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	typed := func(media, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{media}
			if media == "" {
				w.Header()["Content-Type"] = nil // not even what net/http would guess
			}
			_, _ = io.WriteString(w, text)
		}
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
	}{
		{"JSON with a charset", typed("application/json; charset=utf-8", body)},
		{"a media type of the provider's own", typed("application/vnd.provider+json", body)},
		{"JSON that is called text/plain", typed("text/plain; charset=utf-8", body)},
		{"no media type", typed("", body)},
		{"empty lines before it, which keep a connection alive", typed("application/json", strings.Repeat("\n", 100)+" "+body)},
		{"empty lines behind it", typed("application/json", body+" \r\n\n")},
		{"in pieces", inPieces(body)},
		{"compressed, where the adapter asks for that", compressed(body)},
	} {
		o, _ := s.ask(c.answer, 110)
		if problem := s.unanswered(o); problem != "" {
			problems = append(problems, c.name+": "+problem)
		} else if o.resp.Text != GoodReply {
			problems = append(problems, c.name+": the text is another: "+short(o.resp.Text))
		}
	}
	return problems
}

func inPieces(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := range len(body) { // bytes: a piece may end inside of a character
			_, _ = io.WriteString(w, body[i:i+1])
			if i%7 == 0 {
				flush(w)
			}
		}
	}
}

func compressed(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			_, _ = io.WriteString(w, body)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, body)
		_ = z.Close() // a client that left gets nothing
	}
}

// statuses are those that providers, and what is in front of them, answer with.
var statuses = []int{
	300, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 429, 431, 451, 499,
	500, 501, 502, 503, 504, 507, 520, 524, 529, 599,
}

// findStatuses looks at the errors of statuses, each with several bodies. What is wrong
// with many of them in the same way is one problem.
func findStatuses(s *subject) (problems []string) {
	type cause struct{ body, what, why string }
	type group struct {
		statuses []string
		first    flaw
	}
	var order []cause
	groups := map[cause]*group{}
	for _, status := range statuses {
		own := s.wire.Failure(status, "it did not work")
		for _, body := range []struct{ name, text string }{
			{"the provider's own body", own},
			{"a page of HTML", page},
			{"no body", ""},
			{"half of a body", own[:len(own)/2]},
			{"a JSON string", `"it did not work"`},
			{"JSON of somebody else", `{"error": [{"reason": {}}], "message": null, "detail": {"a": 1}}`},
			{"a null", "null"},
		} {
			o, _ := s.ask(answering(status, body.text), 120)
			found := s.flawed(o, status, []error{llm.StatusError(status, 0, "").Kind}, 0)
			if found.what == "" {
				continue
			}
			c := cause{body.name, found.what, found.why}
			if groups[c] == nil {
				groups[c] = &group{first: found}
				order = append(order, c)
			}
			groups[c].statuses = append(groups[c].statuses, strconv.Itoa(status))
			break // the other bodies are no news
		}
	}
	for _, c := range order {
		problems = append(problems, fmt.Sprintf("status %s with %s: %s", strings.Join(groups[c].statuses, ", "), c.body, groups[c].first))
	}
	return problems
}

// flaw is what is wrong with a call. The zero value is nothing.
type flaw struct {
	what string
	seen string // in this call, such as the text of its error
	why  string // it matters; "": as the check says
}

func (f flaw) String() string {
	text := f.what
	if f.seen != "" {
		text += ": " + f.seen
	}
	if f.why != "" {
		text += whyItMatters + f.why
	}
	return text
}

// misjudged says what is wrong with the error of a call that failed in a known way.
// A status of 0 is not looked at.
func (s *subject) misjudged(o outcome, status int, kinds []error, wait time.Duration) string {
	return s.flawed(o, status, kinds, wait).String()
}

const whyNoPage = "an error goes into logs and is read by a person: the body of an answer was written by whoever answered, " +
	"and hides in its tags what went wrong"

func (s *subject) flawed(o outcome, status int, kinds []error, wait time.Duration) flaw {
	if problem := s.broken(o); problem != "" {
		return flaw{what: problem}
	}
	if o.err == nil {
		return flaw{what: "the call succeeds", seen: "its text is " + short(o.resp.Text)}
	}
	if leak := s.indiscreet(o.err); leak != "" {
		what, why, _ := strings.Cut(leak, whyItMatters)
		return flaw{what: what, why: why}
	}
	text := o.err.Error()
	var call *llm.CallError
	switch {
	case !errors.As(o.err, &call) || call == nil:
		return flaw{what: "the error is no *llm.CallError", seen: text}
	case !isKind(o.err, kinds):
		return flaw{what: "the kind of the error is not " + names(kinds), seen: text}
	case status > 0 && call.Status != status:
		return flaw{what: fmt.Sprintf("the Status of the error is %d", call.Status), seen: text}
	case call.RetryAfter != wait:
		return flaw{what: fmt.Sprintf("the RetryAfter of the error is %v, not %v", call.RetryAfter, wait)}
	case llm.Retryable(o.err) != llm.Retryable(call.Kind):
		return flaw{what: fmt.Sprintf("llm.Retryable of the error is %t, against its kind", llm.Retryable(o.err)), seen: text}
	case strings.Contains(text, "<html"):
		return flaw{what: "the text of the error has a page of HTML in it", seen: text, why: whyNoPage}
	}
	return flaw{}
}

// findRetryAfter looks at how long a provider asks to wait.
func findRetryAfter(s *subject) (problems []string) {
	const date, later = "Fri, 06 Mar 2026 10:00:00 GMT", "Fri, 06 Mar 2026 10:01:30 GMT"
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "0.5", 500 * time.Millisecond},
		{"Retry-After", later, 90 * time.Second},
		{"Retry-After", "Fri, 06 Mar 2026 09:00:00 GMT", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After-Ms", "1500", 1500 * time.Millisecond},
	} {
		for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			o, _ := s.ask(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", date)
				w.Header().Set(c.name, c.value)
				answering(status, s.wire.Failure(status, "it did not work"))(w, r)
			}, 130)
			if problem := s.misjudged(o, status, []error{llm.StatusError(status, 0, "").Kind}, c.want); problem != "" {
				problems = append(problems, fmt.Sprintf("status %d with %q and %q: %s: use llm.RetryAfter", status, c.name+": "+c.value, "Date: "+date, problem))
			}
		}
	}
	return problems
}

// findRepeats counts the requests of calls that fail.
func findRepeats(s *subject) (problems []string) {
	again := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Should-Retry", "true") // some SDKs obey
			w.Header().Set("Retry-After-Ms", "1")
			next(w, r)
		}
	}
	type failing struct {
		name   string
		answer http.HandlerFunc
	}
	list := []failing{{"a connection that breaks", breaksOff}}
	for _, status := range []int{400, 401, 404, 408, 409, 422, 429, 500, 502, 503, 529} {
		list = append(list, failing{fmt.Sprintf("status %d", status), again(answering(status, s.wire.Failure(status, "it did not work")))})
	}
	for _, c := range list {
		o, w := s.ask(c.answer, 140)
		if problem := s.broken(o); problem != "" {
			problems = append(problems, c.name+": "+problem)
		} else if n := len(w.all()); n != 1 {
			problems = append(problems, fmt.Sprintf("%s: one call asks the server %d times: leave that to llm.Retry", c.name, n))
		}
	}
	return problems
}

// findIndiscreet looks for what a provider repeats in the text of an error.
func findIndiscreet(s *subject) (problems []string) {
	text := question(150).Messages[0].Parts[0].Text
	for _, status := range []int{400, 401, 403, 404, 422, 429, 500} {
		for _, message := range []string{
			ErrorMessage(s.Key),
			"cannot read " + s.Key,
			"do not understand '" + text + "'",
			text,
		} {
			for _, body := range []string{s.wire.Failure(status, message), message, "<html>" + message} {
				o, _ := s.ask(answering(status, body), 150)
				if o.err == nil {
					continue // the statuses are another check's
				}
				if leak := s.indiscreet(o.err); leak != "" {
					problems = append(problems, fmt.Sprintf("status %d: %s", status, leak))
				}
			}
		}
	}
	return firstOfEach(problems)
}

// firstOfEach leaves out what has been said.
func firstOfEach(problems []string) (list []string) {
	seen := map[string]bool{}
	for _, p := range problems {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}
