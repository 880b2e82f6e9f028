package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// installed ends a test where what the program needs is not installed.
func installed(t *testing.T) {
	t.Helper()
	realpartstest.Playwright(t, "")
	realpartstest.Filesystem(t)
}

// browser runs the program with no terminal.
func browser(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	installed(t)
	var o, e bytes.Buffer
	status = run(t.Context(), args, person.Console{In: strings.NewReader(""), Out: &o, Err: &e})
	return status, o.String(), e.String()
}

func TestRealTwoRuns(t *testing.T) {
	dir := t.TempDir()
	record := filepath.Join(dir, "steps.jsonl")
	status, out, errs := browser(t, "-seed", "8", "-runs", "2", "-confirm", "yes", "-hostile", "-v", "-out", dir, "-jsonl", record)
	require.Zero(t, status, "%s\n%s", out, errs)
	assert.Contains(t, out, "2 runs of 2 ended in FINISH")
	assert.Equal(t, 2, strings.Count(out, "It is the right one"))
	assert.NotContains(t, out, "had to be killed")
	summaries, err := filepath.Glob(filepath.Join(dir, "run-*", "summary.md"))
	require.NoError(t, err)
	assert.Len(t, summaries, 2)
	lines, err := os.ReadFile(record)
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(lines), `"outcome":"FINISH"`))
}

func TestRealWithoutApproval(t *testing.T) {
	dir := t.TempDir()
	status, out, errs := browser(t, "-seed", "2", "-confirm", "ask", "-out", dir) // and there is nobody at the terminal
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "FAIL after")
	assert.Contains(t, out, "The supplier's database has no order.")
	assert.Contains(t, errs, "not approved")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestRealInterrupted(t *testing.T) {
	installed(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs bytes.Buffer
	out := writerFunc(func(b []byte) {
		if bytes.Contains(b, []byte("supplier/2:CONTINUE")) {
			cancel()
		}
	})
	dir := t.TempDir()
	status := run(ctx, []string{"-confirm", "yes", "-out", dir}, person.Console{In: strings.NewReader(""), Out: out, Err: &errs})
	assert.Equal(t, 1, status)
	assert.Contains(t, errs.String(), "context canceled")
	assert.NotContains(t, errs.String(), "had to be killed")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
