package adapterstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// Adapter is one that is tested.
type Adapter struct {
	Name string // of its package
	// Model makes a model with Key: at the URL of a server, with a client, or nil for the
	// one that the adapter takes by itself, and with a doer instead, or nil for none.
	Model func(t testing.TB, url string, client *http.Client, do Doer) llm.Model
	// Reply is the body of an answer with a text, whole or cut by length.
	Reply func(text string, whole bool) any
	// Called is the body of an answer with calls, and thoughts where the protocol has some.
	Called func(text string, calls []llm.Call, thought string) any
	Format string // the field that asks for a format
	// Choice is the field that says that the model must call a tool, and Must what is in it.
	Choice, Must string
	// Failure is the body of an error.
	Failure func(words string) any
	Usage   llm.Usage // of a Reply
	// Blocks are the texts and images of a request's body, in the order in which a model reads them.
	Blocks func(t testing.TB, body string) []Block
	Caches bool // the provider is told what to cache
	// Held is to what a request's body holds the model: a schema, nil for none, and those of tools by their names.
	Held func(t testing.TB, body string) (json.RawMessage, map[string]json.RawMessage)
	// HeldCalls is how many calls of conversations fit such tools at least.
	HeldCalls int64
}

// Doer is a client that is not net/http's.
type Doer func(*http.Request) (*http.Response, error)

// Do calls f.
func (f Doer) Do(r *http.Request) (*http.Response, error) { return f(r) }

func (a Adapter) says(text string) http.HandlerFunc { return JSON(http.StatusOK, a.Reply(text, true)) }

func (a Adapter) fails(status int) http.HandlerFunc { return JSON(status, a.Failure("oops")) }

// at is a model at a server.
func (a Adapter) at(t testing.TB, s *Server) llm.Model {
	t.Helper()
	return a.Model(t, s.URL, s.Client(), nil)
}

// Run tests it, each property in a subtest.
func Run(t *testing.T, a Adapter) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, Adapter){
		"HTTP": testHTTP, "HTTP, with a client of the user": testHTTPOfUser,
		"retry": testRetry, "no server": testNoServer, "slow client": testSlowClient, "transports": testTransports,
		"too late": testTooLate, "cause": testCause, "prints no key": testPrintsNoKey,
		"prefix":       testPrefix,
		"plain bodies": testPlainBodies, "other errors": testOtherErrors, "hints": testHints, "plain refusals": testPlainRefusals,
		"calls": testCalls, "calls that are told what came of them": testResults, "calls that are no JSON": testOddCalls, "calls nobody asked for": testUncalled,
		"tool choice": testChoice, "tools refused": testToolsRefused, "strict tools": testStrictTools, "names of tools": testNames, "round in calls": testRoundInCalls,
		"round": testRound, "round after a cut reply": testRoundAfterACutReply, "round without tokens left": testRoundOverBudget,
		"round that is cancelled": testRoundCancelled, "round after a long Retry-After": testRoundThatWouldWait,
	} {
		t.Run(name, func(t *testing.T) { test(t, a) })
	}
}

func testHTTP(t *testing.T, a Adapter) { llmtest.RunHTTP(t, a.protocol(t, nil)) }

func testHTTPOfUser(t *testing.T, a Adapter) { llmtest.RunHTTP(t, a.protocol(t, &http.Client{})) }

func (a Adapter) protocol(t testing.TB, client *http.Client) llmtest.Protocol {
	text := func(body any) string {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		return string(text)
	}
	return llmtest.Protocol{
		Model:   func(t testing.TB, url string) llm.Model { return a.Model(t, url, client, nil) },
		Reply:   func(said string) string { return text(a.Reply(said, true)) },
		Failure: func(_ int, message string) string { return text(a.Failure(message)) },
		Key:     Key,
	}
}

// llm.Retry does what an SDK must not.
func testRetry(t *testing.T, a Adapter) {
	s := Serve(t, a.fails(http.StatusInternalServerError), BreaksOff, a.says("hi"))
	resp, err := llm.Complete(t.Context(), llm.Retry(a.at(t, s), &llm.RetryOptions{Base: -1}), Ask("hello"))
	require.NoError(t, err)
	assert.Equal(t, "hi", resp.Text)
	assert.Equal(t, a.Usage, resp.Usage)
	assert.Len(t, s.Sent(), 3)
}

func testNoServer(t *testing.T, a Adapter) {
	s := Serve(t, Hangs)
	m := a.at(t, s)
	s.Close()
	call := CallError(t, m, Ask("hello"))
	require.ErrorIs(t, call, llm.ErrUnavailable)
	assert.NotContains(t, call.Error(), "/v1", "the URL is not shown")
	var network *net.OpError
	assert.ErrorAs(t, call, &network)
}

// A deadline of the client is not the caller's.
func testSlowClient(t *testing.T, a Adapter) {
	s := Serve(t, Hangs)
	call := CallError(t, a.Model(t, s.URL, &http.Client{Timeout: time.Millisecond}, nil), Ask("hello"))
	require.ErrorIs(t, call, llm.ErrSlow)
	assert.True(t, llm.Retryable(call))
}

// failsToRead is a body that breaks in a way of its own, as those of HTTP/2 do.
type failsToRead struct{}

func (failsToRead) Read([]byte) (int, error) {
	return 0, errors.New("stream error: stream ID 1; INTERNAL_ERROR; received from peer")
}

func answered(r *http.Request, body io.Reader) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Request: r, Header: http.Header{}, Body: io.NopCloser(body)}
}

func testTransports(t *testing.T, a Adapter) {
	for name, c := range map[string]struct {
		do   Doer
		kind error
	}{
		"stream that breaks": {func(r *http.Request) (*http.Response, error) { return answered(r, failsToRead{}), nil }, llm.ErrUnavailable},
		"network":            {func(*http.Request) (*http.Response, error) { return nil, &net.OpError{Op: "read", Err: io.EOF} }, llm.ErrUnavailable},
		"end":                {func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }, llm.ErrUnavailable},
		"timeout":            {func(*http.Request) (*http.Response, error) { return nil, os.ErrDeadlineExceeded }, llm.ErrSlow},
		"unknown":            {func(*http.Request) (*http.Response, error) { return nil, errors.New("no idea") }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			call := CallError(t, a.Model(t, "http://host.test", nil, c.do), Ask("hello"))
			assert.Equal(t, c.kind, call.Kind)
			assert.Equal(t, c.kind != nil, llm.Retryable(call))
			assert.Error(t, call.Err)
		})
	}
}

// atEnd calls a func when a body has been read.
type atEnd struct {
	io.Reader
	end func()
}

func (b atEnd) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil {
		b.end()
	}
	return n, err
}

// A reply that comes when the call was given up was paid for.
func testTooLate(t *testing.T, a Adapter) {
	body, err := json.Marshal(a.Reply("hi", true))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	m := a.Model(t, "http://host.test", nil, func(r *http.Request) (*http.Response, error) {
		return answered(r, atEnd{strings.NewReader(string(body)), cancel}), nil
	})
	resp, err := m.Complete(ctx, Ask("hello"))
	require.ErrorIs(t, err, context.Canceled)
	assert.False(t, llm.Retryable(err))
	require.NotNil(t, resp)
	assert.Equal(t, a.Usage, resp.Usage)
	assert.Empty(t, resp.Text)
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
