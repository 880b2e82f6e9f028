package chatserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// maxBody is how much a request may say.
const maxBody = 16 << 20

// Options are for [Start].
type Options struct {
	// Name is what the server calls its model.
	Name string
	// Decide answers a prompt. A [RefusalError] is a refusal of the model; another error is one of
	// the server. Calls can overlap.
	Decide func(prompt *llm.Request) (string, error)
	// Listener is where the server listens, and what it closes at its end. Nil: a free port
	// of 127.0.0.1.
	Listener net.Listener
	// Key is the API key. "": a new one.
	Key string
	// Asked is called with each completion that is asked for, counted from 1, before it
	// is looked at, and the answer waits for it. Calls can overlap. Nil: nobody is told.
	Asked func(call int)
}

// RefusalError is why a model does not answer a prompt.
type RefusalError struct{ Reason string }

func (e *RefusalError) Error() string { return e.Reason }

// Server serves the model on loopback. It is safe for concurrent use.
type Server struct {
	name     string
	decide   func(*llm.Request) (string, error)
	asked    func(int)
	key      string
	listener net.Listener
	http     *http.Server
	done     chan struct{}
	calls    atomic.Int64
}

// Start starts a server. Close it.
func Start(opts Options) (*Server, error) {
	listener := opts.Listener
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil { //nolint:noctx // binding a port of this machine does not block
			return nil, err
		}
	}
	s := &Server{name: opts.Name, decide: opts.Decide, asked: opts.Asked, key: cmp.Or(opts.Key, rand.Text()), listener: listener, done: make(chan struct{})}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/chat/completions", s.complete)
	routes.HandleFunc("GET /v1/models", s.models)
	routes.HandleFunc("/v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, invalid("", "Not allowed to %s on /v1/chat/completions", r.Method).coded(http.StatusMethodNotAllowed, "method_not_supported"))
	})
	routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, invalid("", "Invalid URL (%s %s)", r.Method, r.URL.Path).coded(http.StatusNotFound, "unknown_url"))
	})
	s.http = &http.Server{Handler: s.known(routes), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener) // ends with Close
	}()
	return s, nil
}

// URL is the base URL of the protocol, which ends in /v1.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/v1" }

// Key is the API key that the server wants: other programs of this machine do not
// have it.
func (s *Server) Key() string { return s.key }

// Calls is how many completions were asked for.
func (s *Server) Calls() int { return int(s.calls.Load()) }

// Close breaks the connections that are there, and returns when the server is gone.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.done
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// known lets those through who have the key.
func (s *Server) known(next http.Handler) http.Handler {
	want := []byte("Bearer " + s.key)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			refuse(w, invalid("", "Incorrect API key provided").coded(http.StatusUnauthorized, "invalid_api_key"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	answer(w, http.StatusOK, struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{"list", []model{{s.name, "model", 0, "agentfsm"}}})
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	if call := s.calls.Add(1); s.asked != nil {
		s.asked(int(call))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, invalid("", "the request cannot be read: %v", err).coded(http.StatusRequestEntityTooLarge, "request_too_large"))
		return
	}
	req, problem := parse(body, s.name)
	if problem != nil {
		refuse(w, problem)
		return
	}
	made, problem := s.reply(r.Context(), req)
	if problem != nil {
		refuse(w, problem)
		return
	}
	answer(w, http.StatusOK, made)
}

// reply is what the model says. Usage is counted at four bytes a token, which is
// about what tokenizers make of English and JSON.
func (s *Server) reply(ctx context.Context, req *chatRequest) (*chatResponse, *fault) {
	text, err := s.decide(req.prompt())
	out := &chatResponse{
		ID: "chatcmpl-" + rand.Text(), Object: "chat.completion", Created: time.Now().Unix(), Model: s.name,
		Choices: []choice{{Message: said{Role: "assistant"}, FinishReason: "stop"}},
	}
	only := &out.Choices[0]
	switch {
	case ctx.Err() != nil:
		return nil, &fault{status: http.StatusServiceUnavailable, Message: "the client is gone", Type: "server_error"}
	case refused(err):
		words := err.Error()
		only.Message.Refusal, text = &words, words
	case err != nil:
		return nil, &fault{status: http.StatusInternalServerError, Message: err.Error(), Type: "server_error"}
	default:
		if text, err = req.Format.inForm(text); err == nil {
			err = req.Format.fits(text)
		}
		if err != nil {
			return nil, &fault{status: http.StatusInternalServerError, Message: "the reply does not fit the schema: " + err.Error(), Type: "server_error"}
		}
		if most := req.limit() * bytesPerToken; most > 0 && len(text) > most {
			text, only.FinishReason = text[:most], "length"
		}
		only.Message.Content = &text
	}
	for _, m := range req.Messages {
		out.Usage.Prompt += tokens(len(m.Content))
	}
	out.Usage.Completion = tokens(len(text))
	out.Usage.Total = out.Usage.Prompt + out.Usage.Completion
	return out, nil
}

func refused(err error) bool {
	_, ok := errors.AsType[*RefusalError](err)
	return ok
}

// fits checks a reply against the schema that was asked for.
func (f *format) fits(text string) error {
	schema, err := f.resolve()
	if err != nil || schema == nil {
		return err
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return err
	}
	return schema.Validate(value)
}

const bytesPerToken = 4

func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

func refuse(w http.ResponseWriter, f *fault) {
	answer(w, f.status, struct {
		Error *fault `json:"error"`
	}{f})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that left wants no answer
}
