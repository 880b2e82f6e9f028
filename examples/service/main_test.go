package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// With this variable the test binary is the program.
const asProgram = "SERVICE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	os.Exit(program{in: os.Stdin, out: os.Stdout, problems: os.Stderr}.run(context.Background(), os.Args[1:]))
}

// The demonstration, by real processes, and what it leaves: nothing.
func TestStory(t *testing.T) {
	testStory(t, [][]string{{"-store", files}, {"-store", sqlite}, {"-store", sqlite, "-engine", onDBOS}})
}

// On a Temporal server, which make temporal-server builds.
func TestRealStoryOnTemporal(t *testing.T) {
	address, namespace := realpartstest.Temporal(t)
	testStory(t, [][]string{{"-store", sqlite, "-engine", onTemporal, "-temporal", address, "-namespace", namespace}})
}

func testStory(t *testing.T, calls [][]string) {
	t.Helper()
	tmp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, tmp)
	}
	t.Setenv(asProgram, "1")
	for _, args := range calls {
		t.Run(strings.Join(args[1:], " "), func(t *testing.T) {
			var out, problems bytes.Buffer
			status := program{out: &out, problems: &problems}.run(t.Context(), args)
			story := out.String()
			require.Equal(t, done, status, "%s%s", story, problems.String())
			assert.Empty(t, problems.String())
			for text, times := range map[string]int{
				"201 Created":               3,
				"200 OK":                    1,
				standsStill:                 1,
				"kill -9 worker":            1,
				"driving runs":              3,
				"yes: this answer counts":   1,
				"no: too late":              1,
				": ended, FINISH: ":         3,
				"add_bar_chart, save_workb": 3,
				"end FINISH at HostAgent":   1,
			} {
				assert.Equal(t, times, strings.Count(story, text), "%s\n%s", text, story)
			}
			left, err := os.ReadDir(tmp)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

// A demonstration that is cut off says so, and leaves nothing either.
func TestStoryCutOff(t *testing.T) {
	tmp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, tmp)
	}
	t.Setenv(asProgram, "1")
	ctx, cancel := context.WithCancel(t.Context())
	out, said := io.Pipe()
	status := make(chan int, 1)
	var problems bytes.Buffer
	go func() {
		status <- program{out: said, problems: &problems}.run(ctx, nil)
		_ = said.Close()
	}()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.HasSuffix(lines.Text(), standsStill) {
			cancel()
		}
	}
	cancel()
	assert.Equal(t, failed, <-status)
	assert.Contains(t, problems.String(), "context canceled")
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A server that drives runs itself, and what becomes of it with an open stream when it is to end.
func TestServeAndWork(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, said := io.Pipe()
	var problems bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- program{out: said, problems: &problems}.run(ctx, []string{"serve", "-work", "-dir", dir})
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	at := client(strings.TrimSpace(strings.TrimPrefix(line, "serving ")))

	const request = "extract the sales table from the Word document and create a bar chart in Excel"
	for id, wants := range map[string]string{"new": "201 Created", "a/b": "201 Created"} {
		got, err := at.start(ctx, id, request, job{Out: strings.ReplaceAll(id, "/", " ") + ".xlsx"})
		require.NoError(t, err)
		assert.Equal(t, wants, got)
		seq := int64(0)
		for e, err := range at.watch(ctx, id) {
			require.NoError(t, err)
			assert.Greater(t, e.Seq, seq)
			seq = e.Seq
		}
		run, err := at.get(ctx, id)
		require.NoError(t, err)
		assert.Equal(t, "FINISH", run.Outcome, run.Reason)
	}
	book, err := xlsxtest.Open(filepath.Join(dir, "a b.xlsx"))
	require.NoError(t, err)
	assert.Len(t, book.Sheets[0].Charts, 1)

	_, err = at.get(ctx, "none")
	assert.ErrorContains(t, err, "no_run")
	_, err = at.start(ctx, "waits", request, job{Out: "new.xlsx"}) // which is there by now
	require.NoError(t, err)
	resp, err := http.Get(string(at) + "/runs/waits/events") //nolint:noctx // it ends with the server
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	for events := bufio.NewScanner(resp.Body); events.Scan(); {
		if strings.Contains(events.Text(), `"kind":"stop"`) {
			cancel()
		}
	}
	assert.Equal(t, done, <-status, problems.String())
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
		{[]string{"dance"}, wrongUse, `what is "dance"?`},
		{[]string{"work", "what"}, wrongUse, "it takes 0 arguments, not 1"},
		{[]string{"answer", "a", "b"}, wrongUse, "Usage: service answer [flags] RUN ID yes|no"},
		{[]string{"serve", "-nonsense"}, wrongUse, "-address"},
		{[]string{"-store", "mysql"}, wrongUse, "not files, sqlite or postgres"},
		{[]string{"-store", "postgres"}, wrongUse, "belong together"},
		{[]string{"work", "-dsn", "host=a"}, wrongUse, "belong together"},
		{[]string{"-h"}, done, "Usage: service [flags]"},
		{[]string{"serve", "-dir", dir, "-address", "nowhere:nothing"}, failed, "nothing"},
		{[]string{"answer", "-dir", dir, "a", "b", "yes"}, failed, "there is no such run"},
	} {
		var out, problems bytes.Buffer
		assert.Equal(t, c.status, program{out: &out, problems: &problems}.run(t.Context(), c.args), c.args)
		assert.Contains(t, problems.String(), c.reason, c.args)
		assert.Empty(t, out.String(), c.args)
	}
}

// A client names files, and no places.
func TestMeta(t *testing.T) {
	t.Parallel()
	for meta, problem := range map[string]string{
		`{"out": "a.xlsx"}`:                   "",
		`{"in": "a.docx", "out": "b c.XLSX"}`: "",
		``:                                    "no meta",
		`[]`:                                  "cannot unmarshal",
		`{}`:                                  "must end in .xlsx",
		`{"out": "a.pdf"}`:                    "must end in .xlsx",
		`{"out": "../a.xlsx"}`:                "no name of a file",
		`{"out": "/etc/a.xlsx"}`:              "no name of a file",
		`{"in": "b/a.docx", "out": "a.xlsx"}`: "no name of a file",
	} {
		_, err := read(json.RawMessage(meta))
		if problem == "" {
			assert.NoError(t, err, meta)
			continue
		}
		assert.ErrorContains(t, err, problem, meta)
	}
}
