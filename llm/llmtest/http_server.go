package llmtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// wireServer is what an adapter asks in a check. It remembers what it was asked.
type wireServer struct {
	*httptest.Server
	mu   sync.Mutex
	list []string // the first line, the header and the body of each request
}

func (w *wireServer) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.list)
}

// serve starts a server with one answer. It has read the request's body before it
// answers: only then it is told that the client left.
func (s *subject) serve(answer http.HandlerFunc) *wireServer {
	w := &wireServer{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		b.WriteString(r.Method + " " + r.URL.RequestURI() + "\n")
		_ = r.Header.Write(&b) // a Builder takes everything
		body, err := io.ReadAll(r.Body)
		b.Write(body)
		w.mu.Lock()
		w.list = append(w.list, b.String())
		w.mu.Unlock()
		if err == nil {
			answer(rw, r)
		}
	}))
	s.t.Cleanup(w.Close)
	return w
}

// answering is an answer with a status, and a body that is JSON or a page.
func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		media := "application/json"
		if strings.HasPrefix(body, "<") {
			media = "text/html; charset=utf-8"
		}
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // a client that left is what some checks are about
	}
}

// page is what stands in front of a server that is down.
const page = "<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Something is wrong</h1></body></html>"

// breaksOff ends the connection.
func breaksOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// cutShort is an answer of which a part comes. With a length the client is told how much
// is missing; without one, that the last piece is.
func cutShort(status int, body string, length bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if length {
			w.Header().Set("Content-Length", "100000")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		flush(w)
		breaksOff(w, r)
	}
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// ask makes a call of a fresh model to a server with one answer.
func (s *subject) ask(answer http.HandlerFunc) (outcome, *wireServer) {
	w := s.serve(answer)
	return s.call(s.t.Context(), s.wire.Model(s.t, w.URL), question(0)), w
}
