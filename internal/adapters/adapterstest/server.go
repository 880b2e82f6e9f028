// Package adapterstest has what the tests of adapters for model providers share: a
// server that answers as it is told and remembers what it was sent, and checks of
// what every one of those adapters must do behind its protocol, up to whole rounds.
package adapterstest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/llm"
)

// Key is the credential of all tests.
const Key = "key-of-the-test"

// Heard is a request that a server got.
type Heard struct {
	Path   string // with the method before it
	Header http.Header
	Body   string
}

// Server is a backend that remembers what it was sent.
type Server struct {
	*httptest.Server
	mu    sync.Mutex
	heard []Heard
}

// Serve answers the first call with the first answer, and so on; the last one for
// ever.
func Serve(t testing.TB, answers ...http.HandlerFunc) *Server {
	t.Helper()
	s := &Server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client left
		}
		s.mu.Lock()
		answer := answers[min(len(s.heard), len(answers)-1)]
		s.heard = append(s.heard, Heard{r.Method + " " + r.URL.RequestURI(), r.Header.Clone(), string(body)})
		s.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// Heard returns the requests so far.
func (s *Server) Heard() []Heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heard)
}

// Sent returns the bodies of the requests so far.
func (s *Server) Sent() (bodies []string) {
	for _, h := range s.Heard() {
		bodies = append(bodies, h.Body)
	}
	return bodies
}

// JSON answers with a value. A 429 asks to wait for seven seconds.
func JSON(status int, body any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "7")
		}
		text, err := json.Marshal(body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		Raw(status, "application/json", string(text))(w, r)
	}
}

// Raw answers with any text.
func Raw(status int, media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Hangs answers when the client has left. Serve has read the body.
func Hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// BreaksOff ends the connection instead of an answer.
func BreaksOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// BreaksInside answers with a part of the body that it announced.
func BreaksInside(status int, part string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, part)
	}
}

// Refuses answers a request whose body has the word with refusal.
func Refuses(word string, refusal, otherwise http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(word)) {
			refusal(w, r)
			return
		}
		otherwise(w, r)
	}
}

// Ask is a request of one text.
func Ask(text string) *llm.Request {
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}}
}

// Structured is a request of one text, whose reply has a schema that is closed.
func Structured(t testing.TB, text string) *llm.Request {
	t.Helper()
	req := Ask(text)
	schema, err := llm.SchemaOf[struct {
		Answer string `json:"Answer"`
		Note   string `json:"Note,omitempty"`
	}]("answer")
	require.NoError(t, err)
	schema.Description = "an answer"
	req.Schema = schema
	return req
}

// Strict is a request of one text, whose reply has a schema to which a server can hold a model,
// with a reference in it.
func Strict(t testing.TB, text, field string) *llm.Request {
	t.Helper()
	schema, ok := closed.Described([]byte(`{"type":"object","properties":{"` + field + `":{"type":"string"}},"required":["` + field + `"]}`))
	require.True(t, ok)
	req := Ask(text)
	req.Schema = &llm.Schema{Name: "answer", JSON: schema, Strict: true}
	return req
}

// CallError is the error of a call as an agent gets it.
func CallError(t testing.TB, m llm.Model, req *llm.Request) *llm.CallError {
	t.Helper()
	_, err := llm.Complete(t.Context(), m, req)
	require.Error(t, err)
	var call *llm.CallError
	require.ErrorAs(t, err, &call)
	assert.NotContains(t, err.Error(), Key)
	return call
}
