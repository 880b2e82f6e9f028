package llmtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/llm"
)

var unavailable = []error{llm.ErrUnavailable}

// findBrokenOff looks at calls whose connection breaks.
func findBrokenOff(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
	}{
		{"before an answer", breaksOff},
		{"behind the header", cutShort(http.StatusOK, "", true)},
		{"in the middle of a reply", cutShort(http.StatusOK, body[:len(body)/2], true)},
		{"in the middle of a reply in pieces", cutShort(http.StatusOK, body[:len(body)/2], false)},
		{"behind a reply that should be longer", cutShort(http.StatusOK, body, true)},
		{"in the middle of an error", cutShort(http.StatusBadGateway, page[:20], true)},
		{"with what is not HTTP", notHTTP},
	} {
		o, _ := s.ask(c.answer, 160)
		if problem := s.misjudged(o, 0, unavailable, 0); problem != "" {
			problems = append(problems, "a connection that breaks "+c.name+": "+problem)
		}
	}
	w := s.serve(breaksOff)
	m := s.wire.Model(s.t, w.URL)
	w.Close()
	if problem := s.misjudged(s.call(s.t.Context(), m, question(161)), 0, unavailable, 0); problem != "" {
		problems = append(problems, "a server that is not there: "+problem)
	}
	return problems
}

func notHTTP(w http.ResponseWriter, r *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		breaksOff(w, r)
	}
	_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n")
	_ = conn.Close() // that is the check
}

// findNoReply looks at answers of success that are no reply.
func findNoReply(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	for _, c := range []struct{ name, body string }{
		{"a page of HTML", page},
		{"nothing", ""},
		{"white space", " \n"},
		{"half of a reply", body[:len(body)/2]},
		{"a null", "null"},
		{"a list", "[]"},
		{"a text", `"hello"`},
		{"a number", "42"},
		{"an object of nothing", "{}"},
		{"bytes", "\x00\xff\xfe\x80"},
	} {
		o, _ := s.ask(answering(http.StatusOK, c.body), 170)
		if problem := s.misjudged(o, 0, []error{llm.ErrUnavailable, llm.ErrEmpty}, 0); problem != "" {
			problems = append(problems, fmt.Sprintf("status 200 with %s: %s", c.name, problem))
		}
	}
	return problems
}

// endless is how much of an answer without end a server sends. Who took all of it has
// no bound, and need not be waited for.
const endless = 128 << 20

// findUnbounded looks for who reads an answer without end, or leaves its connection open.
func findUnbounded(s *subject) (problems []string) {
	for _, status := range []int{http.StatusOK, http.StatusBadGateway} {
		gone := make(chan struct{})
		over := sync.OnceFunc(func() { close(gone) })
		var all atomic.Bool
		o, w := s.ask(func(w http.ResponseWriter, r *http.Request) {
			defer over()
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			piece := strings.Repeat(" ", 64<<10)
			for range endless / len(piece) {
				if _, err := io.WriteString(w, piece); err != nil {
					return
				}
			}
			all.Store(true)
			breaksOff(w, r)
		}, 180)
		name := fmt.Sprintf("status %d, with a body without end: ", status)
		switch {
		case all.Load():
			problems = append(problems, fmt.Sprintf("%sthe call reads %d MiB and more: bound what it reads", name, endless>>20))
		case s.misjudged(o, 0, unavailable, 0) != "":
			problems = append(problems, name+s.misjudged(o, 0, unavailable, 0))
		case !s.ended(gone):
			problems = append(problems, name+"the connection stays open after the call: close the body of the answer")
		}
		w.CloseClientConnections() // what hangs must not hold the end of the test
		if len(problems) > 0 {
			break // the other status is no news, and may take as long
		}
	}
	return problems
}

// findDeafToBody ends the context of calls whose answer has begun.
func findDeafToBody(s *subject) (problems []string) {
	body := s.wire.Reply(GoodReply)
	for _, status := range []int{http.StatusOK, http.StatusBadGateway} {
		begun, gone := make(chan struct{}), make(chan struct{})
		began, over := sync.OnceFunc(func() { close(begun) }), sync.OnceFunc(func() { close(gone) })
		w := s.serve(func(w http.ResponseWriter, r *http.Request) {
			defer over()
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body[:len(body)/2])
			flush(w)
			began()
			<-r.Context().Done()
		})
		ctx := newSteered(s.t.Context())
		done := start(ctx, s.wire.Model(s.t, w.URL), question(190))
		name := fmt.Sprintf("status %d, in the middle of the body: ", status)
		if !s.ended(begun) {
			problems = append(problems, name+"the server is not asked")
		}
		early := s.inFlight(ctx, done)
		ctx.end(context.Canceled)
		switch {
		case len(problems) > 0: // it has been said
		case early == nil:
			if problem := s.misreported(s.wait(done), context.Canceled); problem != "" {
				problems = append(problems, name+problem)
			}
		case status == http.StatusOK:
			problems = append(problems, name+fmt.Sprintf("the call returns before the answer has come to its end (error: %v)", early.err))
		case s.misjudged(*early, status, unavailable, 0) != "": // of an error the status is enough
			problems = append(problems, name+s.misjudged(*early, status, unavailable, 0))
		}
		if len(problems) == 0 && !s.ended(gone) {
			problems = append(problems, name+"the connection stays open after the call")
		}
		w.CloseClientConnections() // what hangs must not hold the end of the test
		if len(problems) > 0 {
			break // the other status is no news, and may take as long
		}
	}
	return problems
}

// findRedirects looks for who goes where a server sends it.
func findRedirects(s *subject) (problems []string) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other := s.serve(answering(http.StatusOK, s.wire.Reply(GoodReply)))
		o, _ := s.ask(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path, status)
		}, 200)
		name := fmt.Sprintf("status %d to another server: ", status)
		heard := other.all()
		for _, h := range heard {
			if h.has(s.Key) {
				problems = append(problems, name+"that server is told the credential")
			}
			if h.has(marker) {
				problems = append(problems, name+"that server is told the prompt")
			}
		}
		if len(heard) > 0 {
			problems = append(problems, name+"that server is asked: set CheckRedirect of the http.Client to a func that returns http.ErrUseLastResponse")
			continue
		}
		if problem := s.misjudged(o, status, []error{llm.ErrRejected}, 0); problem != "" {
			problems = append(problems, name+problem)
		}
	}
	return problems
}
