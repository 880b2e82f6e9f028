package llmtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

var unavailable = []error{llm.ErrUnavailable}

// findForms looks for forms of a whole reply that the adapter does not understand.
func findForms(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	typed := func(media, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{media}
			if media == "" {
				w.Header()["Content-Type"] = nil // not even what net/http would guess
			}
			_, _ = io.WriteString(w, text) // a client that left is another check's
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"JSON with a charset":                typed("application/json; charset=utf-8", body),
		"a media type of the provider's own": typed("application/vnd.provider+json", body),
		"JSON that is called text/plain":     typed("text/plain; charset=utf-8", body),
		"no media type":                      typed("", body),
		"empty lines around it":              typed("application/json", strings.Repeat("\n", 100)+body+" \r\n\n"),
		"in pieces":                          inPieces(body),
	} {
		resp, problem := s.answered(s.wire.Model(s.t, s.serve(answer).URL), question(0))
		if problem != "" {
			problems = append(problems, name+": "+problem)
		} else if resp.Text != GoodReply {
			problems = append(problems, name+": the text is another: "+short(resp.Text))
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

var statuses = []int{
	300, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 422, 425, 429, 431, 451, 499,
	500, 501, 502, 503, 504, 507, 520, 524, 529, 599,
}

// fails makes a call that an answer lets fail, and says what is wrong with its error. Status 0 is not looked at.
func (s *subject) fails(answer http.HandlerFunc, status int, kinds []error, wait time.Duration) string {
	o, w := s.ask(answer)
	problem := s.misjudged(o, status, status, kinds, wait)
	if n := len(w.all()); problem == "" && n != 1 {
		problem = fmt.Sprintf("one call asks the server %d times: leave that to llm.Retry, which counts attempts", n)
	}
	return problem
}

// findStatuses looks at the errors of statuses, each with several bodies. Some repeat the key and the request.
func findStatuses(s *subject) (problems []string) {
	secret := ErrorMessage(s.Key) + question(0).Messages[0].Parts[0].Text
	for _, status := range statuses {
		own := s.wire.Failure(status, "it did not work")
		for _, body := range []string{
			own, page, "", own[:len(own)/2], `"it did not work"`, "null",
			`{"error": [{"reason": {}}], "message": null, "detail": {"a": 1}}`, // another provider's
			s.wire.Failure(status, secret), s.wire.Failure(status, "cannot read "+s.Key), s.wire.Failure(status, secret[len(secret)-60:]),
			secret, "<html>" + secret,
		} {
			answer := func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Should-Retry", "true") // some SDKs obey
				answering(status, body)(w, r)
			}
			if problem := s.fails(answer, status, []error{llm.StatusError(status, 0, "").Kind}, 0); problem != "" {
				problems = append(problems, fmt.Sprintf("status %d with the body %s: %s", status, strings.ReplaceAll(short(body), s.Key, "<key>"), problem))
				break // the other bodies mostly show the same
			}
		}
	}
	return problems
}

// findRetryAfter looks at how long a provider asks to wait.
func findRetryAfter(s *subject) (problems []string) {
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "0.5", 500 * time.Millisecond},
		{"Retry-After", "Fri, 06 Mar 2026 10:01:30 GMT", 90 * time.Second},
		{"Retry-After", "Fri, 06 Mar 2026 09:00:00 GMT", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After-Ms", "1500", 1500 * time.Millisecond},
	} {
		for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			answer := func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", "Fri, 06 Mar 2026 10:00:00 GMT")
				w.Header().Set(c.name, c.value)
				answering(status, s.wire.Failure(status, "it did not work"))(w, r)
			}
			if problem := s.fails(answer, status, []error{llm.StatusError(status, 0, "").Kind}, c.want); problem != "" {
				problems = append(problems, fmt.Sprintf("status %d with %q: %s: use llm.RetryAfter", status, c.name+": "+c.value, problem))
			}
		}
	}
	return problems
}

// findBrokenOff looks at calls whose connection breaks.
func findBrokenOff(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	for name, answer := range map[string]http.HandlerFunc{
		"before an answer":                     breaksOff,
		"behind the header":                    cutShort(http.StatusOK, "", true),
		"in the middle of a reply":             cutShort(http.StatusOK, body[:len(body)/2], true),
		"in the middle of a reply in pieces":   cutShort(http.StatusOK, body[:len(body)/2], false),
		"behind a reply that should be longer": cutShort(http.StatusOK, body, true),
		"in the middle of an error":            cutShort(http.StatusBadGateway, page[:20], true),
	} {
		if problem := s.fails(answer, 0, unavailable, 0); problem != "" {
			problems = append(problems, "a connection that breaks "+name+": "+problem)
		}
	}
	w := s.serve(breaksOff)
	m := s.wire.Model(s.t, w.URL)
	w.Close()
	if problem := s.misjudged(s.call(s.t.Context(), m, question(0)), 0, 0, unavailable, 0); problem != "" {
		problems = append(problems, "a server that is not there: "+problem)
	}
	return problems
}

// findNoReply looks at answers of success that are no reply.
func findNoReply(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	for name, answer := range map[string]string{
		"a page of HTML": page, "nothing": "", "white space": " \n", "half of a reply": body[:len(body)/2], "bytes": "\x00\xff\xfe\x80",
		"a null": "null", "a list": "[]", "a text": `"hello"`, "a number": "42", "an object of nothing": "{}",
	} {
		if problem := s.fails(answering(http.StatusOK, answer), 0, []error{llm.ErrUnavailable, llm.ErrEmpty}, 0); problem != "" {
			problems = append(problems, fmt.Sprintf("status 200 with %s: %s", name, problem))
		}
	}
	return problems
}

// endless is how much of an answer without end a server sends.
const endless = 128 << 20

// findUnbounded looks for an adapter that reads an answer without end, or leaves its connection open.
func findUnbounded(s *subject) []string {
	for _, status := range []int{http.StatusOK, http.StatusBadGateway} {
		readAll := make(chan bool, 8) // more than one for an adapter that tries again
		o, w := s.ask(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			piece := strings.Repeat(" ", 64<<10)
			for range endless / len(piece) {
				if _, err := io.WriteString(w, piece); err != nil {
					readAll <- false
					return
				}
			}
			readAll <- true
			breaksOff(w, r)
		})
		problem := s.misjudged(o, 0, 0, unavailable, 0)
		switch all, ended := within(s.patience, readAll); {
		case all:
			problem = fmt.Sprintf("the call reads %d MiB and more: bound what it reads", endless>>20)
		case problem == "" && !ended:
			problem = "the connection stays open after the call: close the body of the answer"
		}
		w.CloseClientConnections() // a handler that hangs must not hold the end of the test
		if problem != "" {
			return []string{fmt.Sprintf("status %d, with a body without end: %s", status, problem)}
		}
	}
	return nil
}

// findDeafToBody ends the context of a call whose answer has begun.
func findDeafToBody(s *subject) []string {
	body := s.wire.Reply(GoodReply)
	begun, gone := make(chan bool, 8), make(chan bool, 8) // more than one for an adapter that tries again
	w := s.serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body[:len(body)/2])
		flush(w)
		begun <- true
		<-r.Context().Done()
		gone <- true
	})
	defer w.CloseClientConnections() // a handler that hangs must not hold the end of the test
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	done := start(ctx, s.wire.Model(s.t, w.URL), question(0))
	if _, asked := within(s.patience, begun); !asked {
		return []string{"the server is not asked"}
	}
	problem := s.inFlight(done)
	if problem == "" {
		cancel()
		problem = s.misreported(s.wait(done), context.Canceled)
	}
	if problem == "" {
		if _, closed := within(s.patience, gone); !closed {
			problem = "the connection stays open after the call"
		}
	}
	if problem != "" {
		return []string{"in the middle of the body: " + problem}
	}
	return nil
}

// findRedirects looks for an adapter that follows a redirect.
func findRedirects(s *subject) (problems []string) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other := s.serve(answering(http.StatusOK, s.wire.Reply(GoodReply)))
		redirect := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+r.URL.Path, status) }
		problem := s.fails(redirect, status, []error{llm.ErrRejected}, 0)
		if len(other.all()) > 0 {
			problem = "that server is asked: set CheckRedirect of the http.Client to a func that returns http.ErrUseLastResponse"
		}
		if problem != "" {
			problems = append(problems, fmt.Sprintf("status %d to another server: %s", status, problem))
		}
	}
	return problems
}
