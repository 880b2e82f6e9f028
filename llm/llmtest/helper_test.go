package llmtest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

const key = "sk-0123456789abcdefghij"

// always is a fake that gives one answer.
func always(resp *llm.Response, err error) func(testing.TB) llm.Model {
	return func(testing.TB) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return resp.Clone(), err
		})
	}
}

func blocked(testing.TB) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
}

func said(text, finish string) *llm.Response {
	return &llm.Response{Text: text, FinishReason: finish, Usage: llm.Usage{InputTokens: 12, OutputTokens: 34}, Model: "fake"}
}

func ask(texts ...string) *llm.Request {
	req := &llm.Request{}
	for _, text := range texts {
		req.Messages = append(req.Messages, llm.Text(llm.User, text))
	}
	return req
}

func prompt(t *testing.T, sections ...llm.Section) string {
	t.Helper()
	text, err := llm.Prompt(sections...)
	require.NoError(t, err)
	return text
}

func text(t *testing.T, m llm.Model, req *llm.Request) string {
	t.Helper()
	resp, err := m.Complete(t.Context(), req)
	require.NoError(t, err)
	return resp.Text
}

// fakeTB is a test that may fail without failing the one that looks on. Methods
// that are not here panic.
type fakeTB struct {
	testing.TB

	mu       sync.Mutex
	errors   []string
	fatal    string
	skipped  bool
	cleanups []func()
}

func (f *fakeTB) Helper()             {}
func (f *fakeTB) Logf(string, ...any) {}
func (f *fakeTB) Name() string        { return "TestFake" }
func (f *fakeTB) Skipped() bool       { return f.skipped }
func (f *fakeTB) Cleanup(fn func())   { f.cleanups = append(f.cleanups, fn) }

func (f *fakeTB) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

func (f *fakeTB) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.errors) > 0 || f.fatal != ""
}

// Fatalf does not end the goroutine, as a *testing.T would: what comes after it
// must not panic either.
func (f *fakeTB) Fatalf(format string, args ...any) { f.fatal = fmt.Sprintf(format, args...) }

// end is the end of the test.
func (f *fakeTB) end() {
	for _, fn := range f.cleanups {
		fn()
	}
	f.cleanups = nil
}

func (f *fakeTB) failures() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.errors, "\n")
}
