package adapterstest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
	// Model makes a model with Key, which asks the server at url with client or do. Both may be nil.
	Model func(t testing.TB, url string, client *http.Client, do Doer) llm.Model
	// Reply is the body of an answer with a text, whole or cut by length.
	Reply func(text string, whole bool) any
	// Called is the body of an answer with calls, and with a thought if the protocol has some.
	Called func(text string, calls []llm.Call, thought string) any
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
		"HTTP": testHTTP, "breakpoints": testBreakpoints, "calls": testCalls, "calls nobody asked for": testUncalled, "refused tools": testRefusedTools,
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
