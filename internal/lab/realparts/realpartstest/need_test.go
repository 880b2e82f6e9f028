package realpartstest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// fake is a test that notes how it ends.
type fake struct {
	testing.TB

	name, skipped, failed string
}

func (f *fake) Helper()                  {}
func (f *fake) Name() string             { return f.name }
func (f *fake) Context() context.Context { return context.Background() }

func (f *fake) Skip(args ...any) {
	f.skipped = fmt.Sprint(args...)
	runtime.Goexit()
}

func (f *fake) Skipf(format string, args ...any) { f.Skip(fmt.Sprintf(format, args...)) }

func (f *fake) Fatalf(format string, args ...any) {
	f.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// ended runs a test of that name to its end.
func ended(name string, test func(t testing.TB)) *fake {
	f := &fake{name: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(f)
	}()
	<-done
	return f
}

// short sets -short for the time of a test.
func short(t *testing.T, to string) {
	t.Helper()
	was := flag.Lookup("test.short").Value.String()
	require.NoError(t, flag.Set("test.short", to))
	t.Cleanup(func() { require.NoError(t, flag.Set("test.short", was)) })
}

func TestNeed(t *testing.T) {
	for name, c := range map[string]struct{ test, short, skipped, failed string }{
		"long":          {test: "TestRealShop/yes", short: "false"},
		"short":         {test: "TestRealShop/yes", short: "true", skipped: "make e2e"},
		"benchmark":     {test: "BenchmarkRealAppend", short: "false"},
		"another name":  {test: "TestShop/TestReal", short: "false", failed: "TestShop needs programs of others"},
		"short, too":    {test: "TestShop", short: "true", failed: "TestShop needs programs of others"},
		"of a fuzz run": {test: "FuzzReal", short: "false", failed: "FuzzReal needs"},
	} {
		t.Run(name, func(t *testing.T) {
			short(t, c.short)
			f := ended(c.test, realpartstest.Need)
			assert.Equal(t, c.skipped == "", f.skipped == "", f.skipped)
			assert.Contains(t, f.skipped, c.skipped)
			assert.Equal(t, c.failed == "", f.failed == "", f.failed)
			assert.Contains(t, f.failed, c.failed)
		})
	}
}

func TestDesktop(t *testing.T) {
	short(t, "false")
	t.Setenv("CI", "true")
	assert.Equal(t, &fake{name: "TestRealDesktop"}, ended("TestRealDesktop", func(t testing.TB) { realpartstest.Desktop(t, nil) }))
	assert.Contains(t, ended("TestDesktop", func(t testing.TB) { realpartstest.Desktop(t, nil) }).failed, "has to begin with TestReal")
	short(t, "true")
	lacks := ended("TestRealDesktop", func(t testing.TB) { realpartstest.Desktop(t, errors.New("there is no Xvfb")) })
	assert.Contains(t, lacks.skipped, "-short leaves out")
	assert.Empty(t, lacks.failed)
}

// Each part that is missing is named: in CI by a failure, elsewhere by a skip.
func TestMissingParts(t *testing.T) {
	short(t, "false")
	nothing, parts := t.TempDir(), t.TempDir()
	server := filepath.Join(parts, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
	require.NoError(t, os.MkdirAll(filepath.Dir(server), 0o700))
	require.NoError(t, os.WriteFile(server, nil, 0o600))
	for name, c := range map[string]struct {
		variable string // that has no such part in it
		test     func(t testing.TB)
		says     string
	}{
		"npm part":   {"AGENTFSM_REALPARTS", func(t testing.TB) { realpartstest.Filesystem(t) }, "server-filesystem"},
		"aimock":     {"AGENTFSM_REALPARTS", func(t testing.TB) { realpartstest.Start(t, nil) }, "aimock"},
		"Node":       {"PATH", func(t testing.TB) { realpartstest.Everything(t) }, "there is no Node"},
		"Chromium":   {"AGENTFSM_CHROMIUM", func(t testing.TB) { realpartstest.Chromium(t) }, "there is no Chromium"},
		"desktop":    {"PATH", func(t testing.TB) { realpartstest.Desktop(t, errors.New("there is no Xvfb")) }, "there is no Xvfb: run internal/lab/realparts/install.sh desktop"},
		"PostgreSQL": {"AGENTFSM_POSTGRES", func(t testing.TB) { realpartstest.Postgres(t) }, "there is no PostgreSQL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("AGENTFSM_REALPARTS", parts)
			t.Setenv(c.variable, nothing)
			t.Setenv("CI", "true")
			f := ended("TestRealPart", c.test)
			assert.Empty(t, f.skipped)
			assert.Contains(t, f.failed, c.says)
			assert.Contains(t, f.failed, "run internal/lab/realparts/install.sh")

			t.Setenv("CI", "")
			again := ended("TestRealPart", c.test)
			assert.Empty(t, again.failed)
			assert.Equal(t, "NOT TESTED: "+f.failed, again.skipped)
		})
	}
}

// AGENTFSM_RUNS makes long tests shorter, and none longer.
func TestRuns(t *testing.T) {
	for value, want := range map[string]int{"": 20, "1": 1, "19": 19, "21": 20, "0": 20, "-1": 20, "some": 20} {
		t.Setenv("AGENTFSM_RUNS", value)
		assert.Equal(t, want, realpartstest.Runs(20), "AGENTFSM_RUNS=%q", value)
	}
}
