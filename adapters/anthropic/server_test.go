package anthropic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/llm"
)

const key = "key-of-the-test"

// server is a backend that speaks the protocol, and remembers what it was sent.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	heads  []http.Header
	paths  []string
}

// serve answers the first call with the first answer, and so on; the last one for
// ever.
func serve(t testing.TB, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client left
		}
		s.mu.Lock()
		answer := answers[min(len(s.bodies), len(answers)-1)]
		s.bodies, s.heads = append(s.bodies, string(body)), append(s.heads, r.Header.Clone())
		s.paths = append(s.paths, r.Method+" "+r.URL.RequestURI())
		s.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// sent returns the bodies of the requests so far.
func (s *server) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.bodies...)
}

// model returns a model that asks the server; change may be nil.
func (s *server) model(t testing.TB, change func(*anthropic.Config)) llm.Model {
	t.Helper()
	cfg := anthropic.Config{Model: "parrot", BaseURL: s.URL, APIKey: key, HTTPClient: s.Client()}
	if change != nil {
		change(&cfg)
	}
	m, err := anthropic.New(cfg)
	require.NoError(t, err)
	return m
}

// says answers as Anthropic does.
func says(text, stop string) http.HandlerFunc {
	if text == "" {
		return message([]any{}, stop)
	}
	return message([]any{map[string]any{"type": "text", "text": text}}, stop)
}

func message(content []any, stop string) http.HandlerFunc {
	return writes(http.StatusOK, map[string]any{
		"id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant", "model": "parrot-2026-08-01",
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": 12, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": 10,
			"service_tier": "standard",
		},
	})
}

// fails answers with an error as Anthropic does.
func fails(status int, kind, words string) http.HandlerFunc {
	return writes(status, map[string]any{
		"type": "error", "error": map[string]any{"type": kind, "message": words}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
	})
}

func writes(status int, body any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "7")
		}
		w.WriteHeader(status)
		if json.NewEncoder(w).Encode(body) != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

// raw answers with any text.
func raw(status int, media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() } // serve has read the body

func breaksOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// breaksInside answers with a part of the body that it announced.
func breaksInside(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, `{"content": [{"ty`)
	}
}

func ask(text string) *llm.Request {
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}}
}

// callError is the error of a call as an agent gets it.
func callError(t testing.TB, m llm.Model, req *llm.Request) *llm.CallError {
	t.Helper()
	_, err := llm.Complete(t.Context(), m, req)
	require.Error(t, err)
	var call *llm.CallError
	require.ErrorAs(t, err, &call)
	assert.NotContains(t, err.Error(), key)
	return call
}
