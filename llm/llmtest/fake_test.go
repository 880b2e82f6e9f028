package llmtest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// fakeTB is a test that may fail without failing the one that looks on. Methods
// that are not here panic.
type fakeTB struct {
	testing.TB

	mu       sync.Mutex
	errors   []string
	logs     []string
	fatal    string
	skipped  bool
	cleanups []func()
}

func (f *fakeTB) Helper() {}

func (f *fakeTB) Name() string { return "TestFake" }

func (f *fakeTB) Skipped() bool { return f.skipped }

func (f *fakeTB) Cleanup(fn func()) { f.cleanups = append(f.cleanups, fn) }

func (f *fakeTB) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

func (f *fakeTB) Logf(format string, args ...any) {
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}

func (f *fakeTB) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.errors) > 0 || f.fatal != ""
}

// Fatalf does not end the goroutine, as a *testing.T would: what comes behind it
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
