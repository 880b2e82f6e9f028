package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/llm"
)

// defaultUsage is what a reply costs that does not say so.
var defaultUsage = llm.Usage{InputTokens: 10, OutputTokens: 5}

// ErrScript is what a call returns that the script does not expect. The test
// has failed then, too.
var ErrScript = errors.New("llmtest: the script does not expect this")

// Reply is one line of a script. Text, JSON and Err exclude each other; none of
// them is an empty reply.
type Reply struct {
	Name string                   // for messages; "" is its number
	When func(*llm.Request) error // what the request must look like; nil: anything. An error fails the test and is returned
	Text string
	JSON any             // marshalled
	Err  error           // returned instead of a response
	Wait <-chan struct{} // the call returns when it is closed, or with the error of its context; nil: at once

	Usage llm.Usage // the zero Usage counts 10 input and 5 output tokens
}

// Model is a scripted model. It is safe for concurrent use.
type Model struct {
	t testing.TB

	mu       sync.Mutex
	lines    []line
	requests []*llm.Request
	next     int
}

// line answers one call.
type line struct {
	name   string
	when   func(*llm.Request) error
	wait   <-chan struct{}
	answer func(*llm.Request) (*llm.Response, error)
}

var _ llm.Model = (*Model)(nil)

// Script returns a model that gives these replies, one for each call. A reply
// is one of
//
//   - a string, []byte or json.RawMessage: the text of the response;
//   - a list of [llm.Call]: a response of these calls;
//   - an *[llm.Response]: itself, and nothing at all when it is nil;
//   - an error: returned instead of a response;
//   - a func(*llm.Request) (string, error): called for the text;
//   - a [Reply];
//   - any other value: its JSON.
//
// A call too many fails the test and returns [ErrScript]; replies that nobody
// asked for fail it at its end. No [llm.Retry] waits after an error of the script. A call under a context that is done returns
// the context's error and uses no reply. A nil t is for examples: what would
// fail a test panics, and unused replies are not noticed.
func Script(t testing.TB, replies ...any) *Model {
	if t == nil {
		t = nobody{}
	}
	t.Helper()
	m := &Model{t: t}
	for i, r := range replies {
		l, err := newLine(i+1, r)
		if err != nil {
			t.Fatalf("llmtest: %v", err)
			return m
		}
		m.lines = append(m.lines, l)
	}
	t.Cleanup(m.checkUsed)
	return m
}

func newLine(number int, reply any) (line, error) {
	l := line{name: fmt.Sprintf("reply %d", number)}
	text := func(s string) { l.answer = respond(s, llm.Usage{}) }
	switch r := reply.(type) {
	case nil:
		return l, fmt.Errorf("%s is nil", l.name)
	case string:
		text(r)
	case []byte:
		text(string(r))
	case json.RawMessage:
		text(string(r))
	case []llm.Call:
		l.answer = func(*llm.Request) (*llm.Response, error) {
			return (&llm.Response{Calls: r, Usage: defaultUsage, Model: "llmtest", FinishReason: "tool_calls"}).Clone(), nil
		}
	case llm.Response:
		return newLine(number, &r)
	case *llm.Response:
		l.answer = func(*llm.Request) (*llm.Response, error) {
			return r.Clone(), nil // nil is what a broken Model does
		}
	case error:
		l.answer = func(*llm.Request) (*llm.Response, error) { return nil, r }
	case func(*llm.Request) (string, error):
		if r == nil {
			return l, fmt.Errorf("%s is a nil func", l.name)
		}
		l.answer = func(req *llm.Request) (*llm.Response, error) {
			s, err := r(req)
			if err != nil {
				return nil, err
			}
			return respond(s, llm.Usage{})(req)
		}
	case *Reply:
		if r == nil {
			return l, fmt.Errorf("%s is a nil *Reply", l.name)
		}
		return newLine(number, *r)
	case Reply:
		return l.from(r)
	default:
		return l.from(Reply{JSON: reply})
	}
	return l, nil
}

func (l line) from(r Reply) (line, error) {
	if r.Name != "" {
		l.name += " (" + r.Name + ")"
	}
	l.when, l.wait = r.When, r.Wait
	said := 0
	for _, is := range []bool{r.Text != "", r.JSON != nil, r.Err != nil} {
		if is {
			said++
		}
	}
	switch {
	case said > 1:
		return l, fmt.Errorf("%s has more than one of Text, JSON and Err", l.name)
	case r.Err != nil:
		l.answer = func(*llm.Request) (*llm.Response, error) { return nil, r.Err }
	case r.JSON != nil:
		raw, err := json.Marshal(r.JSON)
		if err != nil {
			return l, fmt.Errorf("%s has no JSON form: %w", l.name, err)
		}
		l.answer = respond(string(raw), r.Usage)
	default:
		l.answer = respond(r.Text, r.Usage)
	}
	return l, nil
}

func respond(text string, usage llm.Usage) func(*llm.Request) (*llm.Response, error) {
	if usage == (llm.Usage{}) {
		usage = defaultUsage
	}
	return func(*llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: text, Usage: usage, Model: "llmtest", FinishReason: "stop"}, nil
	}
}

// Complete gives the next reply.
func (m *Model) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	m.t.Helper()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req == nil {
		m.t.Errorf("llmtest: the model was asked a nil request")
		return nil, ErrScript
	}
	l, number, ok := m.take(req)
	if !ok {
		err := fmt.Errorf("%w: call %d of a script of %d", ErrScript, number, len(m.lines))
		if m.example() {
			panic(err) // without the prompt: it would fill the record of the run
		}
		m.t.Errorf("%v, whose last was %s; it was asked:\n%s", err, m.last(), describe(req))
		return nil, err
	}
	if l.when != nil {
		if err := l.when(req.Clone()); err != nil {
			m.t.Errorf("llmtest: %s was not asked what it expects: %v; it was asked:\n%s", l.name, err, describe(req))
			return nil, fmt.Errorf("%w: %s: %w", ErrScript, l.name, err)
		}
	}
	if l.wait != nil {
		select {
		case <-l.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	resp, err := l.answer(req.Clone())
	if llm.Retryable(err) {
		err = attempts.NoWait(err)
	}
	return resp, err
}

// example reports whether the script runs without a test.
func (m *Model) example() bool {
	_, ok := m.t.(nobody)
	return ok
}

// last names the last reply of the script.
func (m *Model) last() string {
	if len(m.lines) == 0 {
		return "none"
	}
	return m.lines[len(m.lines)-1].name
}

// take records the request and uses a line up. No lock is held while the
// script's own funcs run.
func (m *Model) take(req *llm.Request) (l line, number int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, req.Clone())
	number = len(m.requests)
	if m.next >= len(m.lines) {
		return line{}, number, false
	}
	m.next++
	return m.lines[m.next-1], number, true
}

func (m *Model) checkUsed() {
	m.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next < len(m.lines) {
		m.t.Errorf("llmtest: the model was asked %d times, %d replies were left; the next was %s",
			len(m.requests), len(m.lines)-m.next, m.lines[m.next].name)
	}
}

// Requests returns copies of all requests so far, in order, those that the
// script did not expect included.
func (m *Model) Requests() []*llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]*llm.Request, len(m.requests))
	for i, r := range m.requests {
		list[i] = r.Clone()
	}
	return list
}

// Last returns a copy of the last request, nil when there was none.
func (m *Model) Last() *llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.requests) == 0 {
		return nil
	}
	return m.requests[len(m.requests)-1].Clone()
}

// Remaining returns how many replies are left.
func (m *Model) Remaining() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.lines) - m.next
}

// nobody stands for a test that is not there, as in an Example.
type nobody struct{ testing.TB }

func (nobody) Helper()                           {}
func (nobody) Cleanup(func())                    {}
func (nobody) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (nobody) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
