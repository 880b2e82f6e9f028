package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

// Model is a scripted model. It is safe for concurrent use.
type Model struct {
	t       testing.TB
	replies []answerFunc

	mu       sync.Mutex
	requests []*llm.Request
	used     int
}

// answerFunc answers one call.
type answerFunc func(*llm.Request) (*llm.Response, error)

var _ llm.Model = (*Model)(nil)

// Script returns a model that gives these replies, one for each call. A reply
// is one of
//
//   - a string, []byte or json.RawMessage: the text of the response;
//   - a list of [llm.Call]: a response of these calls;
//   - an [llm.Response] or *[llm.Response]: itself; nil is what a broken model returns;
//   - an error: returned instead of a response;
//   - a func(*llm.Request) (string, error): called for the text;
//   - any other value: its JSON.
//
// A text counts 10 input and 5 output tokens. A call without a reply fails the test and
// returns an error; unused replies fail the test at its end. [llm.Retry] does not wait after an error of
// the script. If the context of a call has ended, the call returns its error and uses no reply. A nil t
// is for examples: a failure panics, and unused replies are not reported.
func Script(t testing.TB, replies ...any) *Model {
	if t == nil {
		t = noTest{}
	}
	t.Helper()
	m := &Model{t: t}
	for i, r := range replies {
		a, err := newAnswer(r)
		if err != nil {
			t.Fatalf("llmtest: reply %d %v", i+1, err)
			return m
		}
		m.replies = append(m.replies, a)
	}
	t.Cleanup(func() {
		t.Helper()
		m.mu.Lock()
		defer m.mu.Unlock()
		if left := len(m.replies) - m.used; left > 0 {
			t.Errorf("llmtest: the model was asked %d times, %d replies were left; the next was reply %d", len(m.requests), left, m.used+1)
		}
	})
	return m
}

func newAnswer(reply any) (answerFunc, error) {
	var resp *llm.Response
	switch r := reply.(type) {
	case nil:
		return nil, errors.New("is nil")
	case error:
		return func(*llm.Request) (*llm.Response, error) { return nil, r }, nil
	case func(*llm.Request) (string, error):
		return func(req *llm.Request) (*llm.Response, error) {
			text, err := r(req)
			if err != nil {
				return nil, err
			}
			return said(text), nil
		}, nil
	case string:
		resp = said(r)
	case []byte:
		resp = said(string(r))
	case json.RawMessage:
		resp = said(string(r))
	case []llm.Call:
		resp = said("")
		resp.Calls, resp.FinishReason = r, "tool_calls"
	case llm.Response:
		resp = &r
	case *llm.Response:
		resp = r
	default:
		raw, err := json.Marshal(reply)
		if err != nil {
			return nil, fmt.Errorf("has no JSON form: %w", err)
		}
		resp = said(string(raw))
	}
	return func(*llm.Request) (*llm.Response, error) { return resp.Clone(), nil }, nil
}

func said(text string) *llm.Response {
	return &llm.Response{Text: text, Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}, Model: "llmtest", FinishReason: "stop"}
}

// Complete gives the next reply.
func (m *Model) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	m.t.Helper()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req == nil {
		err := errors.New("llmtest: the model was asked a nil request")
		m.t.Errorf("%v", err)
		return nil, err
	}
	next, number := m.take(req)
	if next == nil {
		err := fmt.Errorf("llmtest: call %d of a script of %d replies", number, len(m.replies))
		m.t.Errorf("%v; it was asked:\n%s", err, describe(req))
		return nil, err
	}
	resp, err := next(req.Clone()) // without the lock: a func may call the model
	if llm.Retryable(err) {
		err = attempts.NoWait(err)
	}
	return resp, err
}

// take records the request and uses up a reply, nil if none is left.
func (m *Model) take(req *llm.Request) (next answerFunc, number int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, req.Clone())
	if m.used < len(m.replies) {
		next = m.replies[m.used]
		m.used++
	}
	return next, len(m.requests)
}

// Requests returns copies of all requests so far, in order, also of those without a reply.
func (m *Model) Requests() []*llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]*llm.Request, len(m.requests))
	for i, r := range m.requests {
		list[i] = r.Clone()
	}
	return list
}

// Last returns a copy of the last request, nil if there was none.
func (m *Model) Last() *llm.Request {
	if list := m.Requests(); len(list) > 0 {
		return list[len(list)-1]
	}
	return nil
}

// Section decodes the section of that name in a request. It stops the test if
// there is none or if it does not fit T. A nil t is for examples, as in [Script].
func Section[T any](t testing.TB, req *llm.Request, name string) (into T) {
	if t == nil {
		t = noTest{}
	}
	t.Helper()
	if req == nil {
		t.Fatalf("llmtest: section %q of a nil request", name)
		return into
	}
	raw, ok := llm.FindSection(req, name)
	if !ok {
		t.Fatalf("llmtest: the request has no section %q, only %s", name, sectionNames(req))
		return into
	}
	if err := json.Unmarshal(raw, &into); err != nil {
		t.Fatalf("llmtest: section %q: %v; it is:\n%s", name, err, clip(string(raw)))
	}
	return into
}

func sectionNames(req *llm.Request) string {
	var names []string
	for _, m := range req.Messages {
		if m.Role == llm.System || m.Role == llm.User {
			for name := range section.All(m.Text()) {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// describe shows a request in a failure.
func describe(req *llm.Request) string {
	var b strings.Builder
	for _, m := range req.Messages {
		fmt.Fprintf(&b, "--- %s\n%s\n", m.Role, clip(m.Text()))
		for _, call := range m.Calls {
			fmt.Fprintln(&b, clip(fmt.Sprintf("--- calls %s: %s", call.Name, call.Args)))
		}
	}
	if b.Len() == 0 {
		return "(no messages)"
	}
	return b.String()
}

// clip keeps the end of a text: the newest part of a prompt.
func clip(s string) string {
	const limit = 4096
	if len(s) <= limit {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-limit:], "")
}

// noTest stands for the test in an Example.
type noTest struct{ testing.TB }

func (noTest) Helper()                           {}
func (noTest) Cleanup(func())                    {}
func (noTest) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (noTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
