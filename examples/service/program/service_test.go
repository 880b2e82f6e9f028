package program

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/runs"
)

// With this variable the test binary is the program.
const asProgram = "SERVICE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	os.Exit(Run(context.Background(), os.Args[1:], person.Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, Rules))
}

// inFolder has the program use a folder, which must be empty at the end.
func inFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	t.Setenv(asProgram, "1")
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

// A worker is killed between a payment and its record, and nothing is paid twice.
func TestStory(t *testing.T) {
	inFolder(t)
	var out, errs bytes.Buffer
	require.Equal(t, 0, Run(t.Context(), nil, person.Console{Out: &out, Err: &errs}, Rules), "%s%s", out.String(), errs.String())
	for text, times := range map[string]int{
		"201 Created":             2,
		"200 OK":                  1,
		standsStill:               1,
		"kill -9 worker":          1,
		"result pay_refund: fail": 1, // nobody knows whether it happened
		"look list_payments":      1, // so the agent looks
		"yes: this answer counts": 1,
		"no: too late":            1,
		"It was paid 1 time(s)":   2,
		"the same in all 4 steps": 1,
	} {
		assert.Equal(t, times, strings.Count(out.String(), text), "%s\n%s", text, out.String())
	}
}

// A demonstration that is cut off says so, and leaves no process and no file.
func TestStoryCutOff(t *testing.T) {
	inFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, said := io.Pipe()
	status := make(chan int, 1)
	var errs bytes.Buffer
	go func() {
		status <- Run(ctx, nil, person.Console{Out: said, Err: &errs}, Rules)
		_ = said.Close()
	}()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasSuffix(lines.Text(), standsStill) {
			cancel()
		}
	}
	assert.Equal(t, 1, <-status)
	assert.Contains(t, errs.String(), "context canceled")
}

// A server that drives runs itself ends in order, though a stream is open.
func TestServeAndWork(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, said := io.Pipe()
	var errs bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- Run(ctx, []string{"serve", "-work", "-dir", dir}, person.Console{Out: said, Err: &errs}, Rules)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	at := client(strings.TrimSpace(strings.TrimPrefix(line, "serving ")))

	for id, want := range map[string]struct{ request, outcome, says string }{
		"paid":    {"refund 15 euros of order 1001", "FINISH", "are refunded"},
		"unknown": {"refund 15 euros of order 9", "FAIL", "there is no order 9"},
		"large":   {"refund 45 euros of order 1001", "FAIL", "cannot be refunded"},
		"other":   {"buy a house", "FAIL", "do not understand"},
	} {
		_, err := at.start(ctx, id, want.request)
		require.NoError(t, err)
		require.NoError(t, at.watch(ctx, id, func(runs.Event) error { return nil }))
		state, err := at.get(ctx, id)
		require.NoError(t, err)
		assert.Equal(t, want.outcome, state.Outcome, id)
		assert.Contains(t, state.Answer+state.Reason, want.says, id)
	}
	_, err = at.get(ctx, "none")
	require.ErrorContains(t, err, "no_run")
	var shown bytes.Buffer
	assert.Equal(t, 0, Run(ctx, []string{"show", "-dir", dir, "paid"}, person.Console{Out: &shown, Err: &errs}, Rules))
	assert.Contains(t, shown.String(), "pay_refund")

	_, err = at.start(ctx, "waits", "refund 60 euros of order 1002")
	require.NoError(t, err)
	err = at.watch(ctx, "waits", func(e runs.Event) error {
		if e.Kind == "stop" {
			cancel()
		}
		return nil
	})
	require.Error(t, err)
	assert.Equal(t, 0, <-status, errs.String())
}

// What is wrong with a call is a status and a reason.
func TestCalls(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args   []string
		status int
		reason string
	}{
		{[]string{"dance"}, 2, "usage: service"},
		{[]string{"work", "what"}, 2, "usage: service"},
		{[]string{"answer", "a", "b"}, 2, "RUN ID yes|no"},
		{[]string{"serve", "-nonsense"}, 2, "-address"},
		{[]string{"work", "-h"}, 0, "-hold"},
		{[]string{"serve", "-dir", dir, "-address", "nowhere:nothing"}, 1, "nothing"},
		{[]string{"answer", "-dir", dir, "a", "b", "yes"}, 1, "no such run"},
		{[]string{"replay", "-dir", dir, "a"}, 1, "no such run"},
	} {
		var out, errs bytes.Buffer
		assert.Equal(t, c.status, Run(t.Context(), c.args, person.Console{Out: &out, Err: &errs}, Rules), c.args)
		assert.Contains(t, errs.String(), c.reason, c.args)
	}
}
