package llmtest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
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

// parrot repeats what it is asked, and counts.
func parrot() llm.Model {
	var mu sync.Mutex
	calls := 0
	return llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		calls++
		last := req.Messages[len(req.Messages)-1]
		return said(fmt.Sprintf("%d: %s", calls, last.Parts[0].Text), "stop"), nil
	})
}

// recording switches recording on for a test that is not run in parallel.
func recording(t *testing.T, on bool) {
	t.Helper()
	t.Setenv("CI", "")
	t.Setenv(llmtest.RecordVariable, map[bool]string{true: "1", false: ""}[on])
}

// record plays a conversation with a recorder around the model, and returns the
// file's path and content.
func record(t *testing.T, opts llmtest.CassetteOptions, talk func(llm.Model)) (path, content string) {
	t.Helper()
	recording(t, true)
	path = filepath.Join(t.TempDir(), "testdata", "talk.json")
	f := &fakeTB{}
	tape := llmtest.Cassette(f, path, &opts)
	require.Empty(t, f.fatal)
	require.True(t, tape.Recording())
	talk(tape)
	f.end()
	require.Empty(t, f.failures())
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	recording(t, false)
	return path, string(raw)
}

// recorded is a file in which a parrot was asked these.
func recorded(t *testing.T, asked ...*llm.Request) (path string) {
	t.Helper()
	path, _ = record(t, llmtest.CassetteOptions{Record: parrot()}, func(m llm.Model) {
		for _, req := range asked {
			text(t, m, req)
		}
	})
	return path
}

// replay opens a cassette that has no model around it.
func replay(t *testing.T, path string, opts *llmtest.CassetteOptions) (*llmtest.Tape, *fakeTB) {
	t.Helper()
	f := &fakeTB{}
	tape := llmtest.Cassette(f, path, opts)
	require.Empty(t, f.fatal)
	require.False(t, tape.Recording())
	return tape, f
}

// replayed plays a whole conversation from a file.
func replayed(t *testing.T, path string, opts *llmtest.CassetteOptions, talk func(llm.Model)) {
	t.Helper()
	tape, f := replay(t, path, opts)
	talk(tape)
	f.end()
	require.Empty(t, f.failures())
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
