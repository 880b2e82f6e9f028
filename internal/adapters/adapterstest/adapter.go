package adapterstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// Adapter is one that is tested.
type Adapter struct {
	Name string // of its package
	// Model makes a model with Key, which asks the server at url with client or do. Both may be nil.
	Model func(t testing.TB, url string, client *http.Client, do Doer) llm.Model
	// Reply is the body of an answer with a text, whole or cut by length.
	Reply func(text string, whole bool) any
	// Called is the body of an answer with calls, and with a thought if the protocol has some.
	Called func(text string, calls []llm.Call, thought string) any
	Format string // the field that asks for a format
	Must   string // says that the model must call a tool
	// Failure is the body of an error.
	Failure func(words string) any
	Usage   llm.Usage // of a Reply
	// Blocks are the texts of a request's body, in the order in which a model reads them.
	Blocks func(t testing.TB, body string) []Block
	Caches bool // the provider is told what to cache
	// Held is to what a request's body holds the model: a schema, or nil, and the schemas of tools by their names.
	Held func(t testing.TB, body string) (json.RawMessage, map[string]json.RawMessage)
	// HeldCalls is how many calls of conversations fit such tools at least.
	HeldCalls int64
}

// Block is a text of a request, as a provider gets it.
type Block struct {
	Text  string
	Cache bool // the provider is told that the prompt up to its end comes again
}

// Doer is a client that is not net/http's.
type Doer func(*http.Request) (*http.Response, error)

// Do calls f.
func (f Doer) Do(r *http.Request) (*http.Response, error) { return f(r) }

func (a Adapter) says(text string) http.HandlerFunc { return JSON(http.StatusOK, a.Reply(text, true)) }

func (a Adapter) fails(status int, words string) http.HandlerFunc {
	return JSON(status, a.Failure(words))
}

// at is a model at a server.
func (a Adapter) at(t testing.TB, s *Server) llm.Model {
	t.Helper()
	return a.Model(t, s.URL, s.Client(), nil)
}

// Run tests it, each property in a subtest.
func Run(t *testing.T, a Adapter) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, Adapter){
		"HTTP": testHTTP, "transports": testTransports, "too late": testTooLate, "cause": testCause,
		"prints no key": testPrintsNoKey, "breakpoints": testBreakpoints, "other errors": testOtherErrors,
		"calls": testCalls, "calls nobody asked for": testUncalled, "refused tools": testRefusedTools,
		"names of tools": testNames, "round": testRound, "round in calls": testRoundInCalls,
	} {
		t.Run(name, func(t *testing.T) { test(t, a) })
	}
}

func testHTTP(t *testing.T, a Adapter) {
	text := func(body any) string {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		return string(text)
	}
	llmtest.RunHTTP(t, llmtest.Protocol{
		Model:   func(t testing.TB, url string) llm.Model { return a.Model(t, url, &http.Client{}, nil) },
		Reply:   func(said string) string { return text(a.Reply(said, true)) },
		Failure: func(_ int, message string) string { return text(a.Failure(message)) },
		Key:     Key,
	})
}

func answered(r *http.Request, body io.Reader) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Request: r, Header: http.Header{}, Body: io.NopCloser(body)}
}

// reader is a body that is a func.
type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func testTransports(t *testing.T, a Adapter) {
	odd := errors.New("stream error: stream ID 1; INTERNAL_ERROR; received from peer") // as HTTP/2 breaks
	fails := func(err error) Doer {
		return func(*http.Request) (*http.Response, error) { return nil, err }
	}
	for name, c := range map[string]struct {
		do   Doer
		kind error
	}{
		"stream that breaks": {func(r *http.Request) (*http.Response, error) {
			return answered(r, reader(func([]byte) (int, error) { return 0, odd })), nil
		}, llm.ErrUnavailable},
		"no server":        {fails(&url.Error{URL: "http://host.test", Err: &net.OpError{Op: "dial", Err: io.EOF}}), llm.ErrUnavailable},
		"network":          {fails(&net.OpError{Op: "read", Err: io.EOF}), llm.ErrUnavailable},
		"end":              {fails(io.ErrUnexpectedEOF), llm.ErrUnavailable},
		"timeout":          {fails(os.ErrDeadlineExceeded), llm.ErrSlow},
		"client's timeout": {fails(&url.Error{URL: "http://host.test", Err: context.DeadlineExceeded}), llm.ErrSlow},
		"unknown":          {fails(errors.New("no idea")), nil},
	} {
		t.Run(name, func(t *testing.T) {
			call := CallError(t, a.Model(t, "http://host.test", nil, c.do), Ask("hello"))
			assert.Equal(t, c.kind, call.Kind)
			assert.Equal(t, c.kind != nil, llm.Retryable(call))
			require.Error(t, call.Err)
			assert.NotContains(t, call.Error(), "host.test")
		})
	}
}

// A reply that comes after the call was given up was paid for.
func testTooLate(t *testing.T, a Adapter) {
	body, err := json.Marshal(a.Reply("hi", true))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	m := a.Model(t, "http://host.test", nil, func(r *http.Request) (*http.Response, error) {
		rest := strings.NewReader(string(body))
		return answered(r, reader(func(p []byte) (int, error) {
			n, err := rest.Read(p)
			if err != nil {
				cancel()
			}
			return n, err
		})), nil
	})
	resp, err := m.Complete(ctx, Ask("hello"))
	require.ErrorIs(t, err, context.Canceled)
	assert.False(t, llm.Retryable(err))
	require.NotNil(t, resp)
	assert.Equal(t, llm.Response{Usage: a.Usage, Model: resp.Model}, *resp)
	assert.NotEmpty(t, resp.Model)
}

func testCause(t *testing.T, a Adapter) {
	why := errors.New("the user left")
	s := Serve(t, Hangs)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	_, err := a.at(t, s).Complete(ctx, Ask("hello"))
	require.ErrorIs(t, err, why)
	require.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, a.Name+": the call ended: context canceled: the user left")
	assert.Empty(t, s.Sent())
}

// Whoever prints a model does not print its key.
func testPrintsNoKey(t *testing.T, a Adapter) {
	m := a.Model(t, "http://host.test", nil, nil)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		text := fmt.Sprintf(verb, m)
		assert.NotContains(t, text, Key, verb)
		assert.NotContains(t, text, fmt.Sprintf("%x", Key), verb)
		assert.Contains(t, text, a.Name, verb)
	}
}

// A provider gets the texts as they stand. If it is told what to cache, a block ends at each breakpoint, so that the
// blocks of a request begin the next one; it is told of the first two breakpoints and of the last one.
func testBreakpoints(t *testing.T, a Adapter) {
	s := Serve(t, a.says("hi"))
	m := a.at(t, s)
	mark := func(text string) llm.Part { return llm.Part{Text: text, CacheBreakpoint: true} }
	texts := []string{"You count.", "The task."}
	for i := range 4 {
		user := llm.Message{Role: llm.User}
		for _, text := range texts[1:] {
			user.Parts = append(user.Parts, mark(text))
		}
		user.Parts = append(user.Parts, llm.Part{Text: "Now."})
		_, err := m.Complete(t.Context(), &llm.Request{Messages: []llm.Message{{Role: llm.System, Parts: []llm.Part{mark(texts[0])}}, user}})
		require.NoError(t, err)
		var want []Block
		for n, text := range append(slices.Clone(texts), "Now.") {
			want = append(want, Block{Text: text, Cache: n < 2 || n == len(texts)-1})
		}
		if !a.Caches {
			want = []Block{{Text: texts[0]}, {Text: strings.Join(texts[1:], "") + "Now."}}
		}
		assert.Equal(t, want, a.Blocks(t, s.Sent()[i]))
		texts = append(texts, fmt.Sprintf("Step %d.", i))
	}
}

// What an error mentions beside what it is about is asked for once, and is not remembered.
func testOtherErrors(t *testing.T, a Adapter) {
	s := Serve(t, a.fails(http.StatusBadRequest, "No quota for json_schema, strict tools, tool_choice and cache_control"))
	m := a.at(t, s)
	cached := Strict(t, "how much?", "Answer")
	cached.Messages[0].Parts[0].CacheBreakpoint = true
	for _, req := range []*llm.Request{cached, cached, Tooled("click it")} {
		message := CallError(t, m, req).Message
		assert.NotContains(t, message, "SchemaInPrompt")
		assert.NotContains(t, message, "does not take these tools")
	}
	sent := s.Sent()
	require.Len(t, sent, 3)
	assert.Equal(t, sent[0], sent[1])
	assert.Contains(t, sent[1], `"`+a.Format+`"`)
	assert.Contains(t, sent[2], a.Must)
	assert.Contains(t, sent[2], `"strict":true`)
}
