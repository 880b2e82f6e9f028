package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is wrong with a call is a status and a reason, and changes nothing.
func TestCalls(t *testing.T) {
	t.Parallel()
	dir := old(t)
	require.Equal(t, suspended, dir.run(t).status)
	id := dir.waits(t)
	seq := dir.look(t).Seq
	for _, c := range []struct {
		args   []string
		status int
		reason string
	}{
		{[]string{"answer", "nothing", id, "yes"}, failed, "there is no such run"},
		{[]string{"answer", taleRun, "nothing", "yes"}, failed, "no such question"},
		{[]string{"answer", taleRun, id}, wrongUse, "Usage: resume answer"},
		{[]string{"show", "nothing"}, failed, "there is no such run"},
		{[]string{"show"}, wrongUse, "Usage: resume show"},
		{[]string{"replay", "nothing"}, failed, "there is no such run"},
		{[]string{"fork", "nothing", "other", id, "no"}, failed, "there is no such run"},
		{[]string{"fork", taleRun, "other", "nothing", "no"}, failed, "no such question"},
		{[]string{"fork", taleRun, "other", id, "no"}, failed, "waits: answer it"},
		{[]string{"run", "-out", "other.xlsx"}, wrongUse, "the run writes"},
		{[]string{"run", "-in", "other.docx"}, wrongUse, `the run reads "a sample"`},
		{[]string{"run", "-request", "draw a bar chart of the costs"}, wrongUse, "another request"},
		{[]string{"run", "-run", "other", "-out", "chart.pdf"}, wrongUse, "must end in .xlsx"},
		{[]string{"run", "-run", strings.Repeat("x", 1000)}, failed, "run"},
		{[]string{"run", "what"}, wrongUse, "Usage: resume run"},
		{[]string{"list", "-nonsense"}, wrongUse, "Usage: resume list"},
		{[]string{"list", "-h"}, done, "-journals"},
		{[]string{"dance"}, wrongUse, `what is "dance"?`},
	} {
		s := dir.resume(t, c.args...)
		assert.Equal(t, c.status, s.status, c.args)
		assert.Contains(t, s.problems, c.reason, c.args)
		assert.Empty(t, s.out, c.args)
	}
	assert.Equal(t, seq, dir.look(t).Seq)
	assert.NotContains(t, dir.resume(t, "list").out, "other")

	var problems bytes.Buffer
	assert.Equal(t, done, program{out: io.Discard, problems: &problems}.run(t.Context(), []string{"-h"}))
	assert.Contains(t, problems.String(), "resume answer -h")
}

// Nobody has answered: it asks the same again.
func TestNotAnswered(t *testing.T) {
	t.Parallel()
	dir := old(t)
	first := dir.run(t)
	id := dir.waits(t)
	second := dir.run(t)
	assert.Equal(t, suspended, second.status)
	assert.Contains(t, first.out, "SUSPENDED at HostAgent:CONFIRM")
	assert.Contains(t, second.out, "SUSPENDED at HostAgent:CONFIRM")
	assert.Equal(t, id, dir.waits(t))
}

// The first answer counts, and is the only one that is written.
func TestAnsweredTwice(t *testing.T) {
	t.Parallel()
	dir := old(t)
	require.Equal(t, suspended, dir.run(t).status)
	id := dir.waits(t)
	require.Equal(t, done, dir.resume(t, "answer", taleRun, id, "yes").status)
	seq := dir.look(t).Seq
	again := dir.resume(t, "answer", taleRun, id, "no")
	assert.Equal(t, done, again.status)
	assert.Contains(t, again.out, "that answer counts")
	assert.Equal(t, seq, dir.look(t).Seq)
	require.Equal(t, suspended, dir.run(t).status)
	late := dir.resume(t, "answer", taleRun, id, "no") // the run has gone on since
	assert.Equal(t, done, late.status, late.problems)
	assert.Contains(t, dir.acts(t), "launch_application")
}

// Only what begins a run makes a folder.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"list"}, {"answer", "a", "b", "yes"}, {"show", "a"}, {"replay", "a"}, {"fork", "a", "b", "c", "no"},
	} {
		dir := at(t.TempDir())
		s := dir.resume(t, args...)
		assert.Equal(t, failed, s.status, args)
		assert.Contains(t, s.problems, "there is no folder of journals", args)
		left, err := os.ReadDir(string(dir))
		require.NoError(t, err)
		assert.Empty(t, left, args)
	}
	dir := at(t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(string(dir), "journals"), nil, 0o600))
	for _, command := range []string{"run", "list"} {
		assert.Equal(t, failed, dir.resume(t, command).status, command)
	}
}

// A damaged journal is an error of each subcommand, and nothing is done; other runs are
// told all the same. A torn end is cut off, and said.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := old(t)
	require.Equal(t, suspended, dir.run(t).status)
	require.Equal(t, suspended, dir.run(t, "-run", "other").status)
	id := dir.waits(t)
	file := dir.store(t).File(taleRun)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)

	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	require.NoError(t, os.WriteFile(file, flipped, 0o600))
	s := dir.resume(t, "run")
	assert.Equal(t, failed, s.status)
	assert.Contains(t, s.problems, file)
	// A list goes by the mark of a run, and does not read its journal. Without the mark it does.
	require.NoError(t, os.Remove(strings.TrimSuffix(file, ".journal")+".mark"))
	for _, args := range [][]string{
		{"run"}, {"list"}, {"answer", taleRun, id, "yes"}, {"show", taleRun}, {"replay", taleRun}, {"fork", taleRun, "third", id, "no"},
	} {
		s := dir.resume(t, args...)
		assert.Equal(t, failed, s.status, args)
		assert.Contains(t, s.problems, file, args)
		if args[0] == "list" {
			assert.Contains(t, s.out, "other: SUSPENDED at HostAgent:CONFIRM")
		}
	}
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, flipped, after)
	assert.Equal(t, []string{"select_application_window"}, dir.acts(t))

	require.NoError(t, os.WriteFile(file, whole[:len(whole)-20], 0o600))
	s = dir.run(t)
	assert.Equal(t, suspended, s.status)
	assert.Contains(t, s.problems, "an append that was left half written")
}

// What the journal does not have is needed as well.
func TestWithoutItsWorld(t *testing.T) {
	t.Parallel()
	dir := old(t)
	require.Equal(t, suspended, dir.run(t).status)
	w := (&call{files: dir.store(t)}).world(taleRun)
	require.NoError(t, os.WriteFile(w.file(deskFile), []byte("{}\nmore\n"), 0o600))
	assert.Contains(t, dir.run(t).problems, "the log of the desktop cannot be used")
	require.NoError(t, os.WriteFile(w.file(jobFile), []byte("?"), 0o600))
	assert.Contains(t, dir.run(t).problems, jobFile)
	require.NoError(t, os.RemoveAll(string(w)))
	for _, args := range [][]string{{"run"}, {"replay", taleRun}} {
		s := dir.resume(t, args...)
		assert.Equal(t, failed, s.status)
		assert.Contains(t, s.problems, jobFile)
	}
}

// Another answer in another run: what came of the first one stays as it is.
func TestFork(t *testing.T) {
	t.Parallel()
	dir := old(t)
	require.Equal(t, suspended, dir.run(t).status)
	host := dir.waits(t)
	require.Equal(t, done, dir.resume(t, "answer", taleRun, host, "yes").status)
	require.Equal(t, suspended, dir.run(t).status)
	agent := dir.waits(t)
	ended := dir.finish(t)
	require.Equal(t, done, ended.status, ended.problems)

	for as, c := range map[string]struct {
		id, word string
		status   int
		says     string
	}{
		"never":   {host, "no", failed, "launch_application was not executed"}, // Excel runs by now
		"neither": {agent, "no", failed, "not approved: save_workbook: no"},
		"same":    {agent, "yes", done, ""},
	} {
		s := dir.resume(t, "fork", taleRun, as, c.id, c.word)
		require.Equal(t, done, s.status, s.problems)
		s = dir.run(t, "-run", as)
		assert.Equal(t, c.status, s.status, as)
		assert.Contains(t, s.problems, c.says, as)
		assert.Equal(t, done, dir.resume(t, "replay", as).status)
	}
	assert.Contains(t, dir.resume(t, "fork", taleRun, "same", agent, "no").problems, `there is a run "same" already`)
	assert.Equal(t, ended.out[strings.Index(ended.out, "FINISH"):], dir.run(t).out)
	assert.Contains(t, dir.resume(t, "show", "-v", "neither").out, "not approved: save_workbook: no")
}

// Of two processes that want a run the first one has it. The other does nothing, and goes on when
// the first one has ended.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	dir := old(t)
	require.Equal(t, suspended, dir.run(t).status)
	require.Equal(t, done, dir.resume(t, "answer", taleRun, dir.waits(t), "yes").status)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said, out := io.Pipe()
	var problems bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- program{out: out, problems: &problems}.run(ctx, []string{
			"run", "-journals", filepath.Join(string(dir), "journals"), "-hold", "add_bar_chart",
		})
		_ = out.Close()
	}()
	for heard := ""; !strings.Contains(heard, "stands still"); {
		part := make([]byte, 200)
		n, err := said.Read(part)
		require.NoError(t, err)
		heard += string(part[:n])
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	s := dir.run(t)
	assert.Equal(t, failed, s.status)
	assert.Contains(t, s.problems, `somebody else drives the run: run "chart"`)
	cancel()
	assert.Equal(t, failed, <-status)
	assert.NotEmpty(t, problems.String())
	s = dir.finish(t)
	require.Equal(t, done, s.status, s.problems)
	assert.Len(t, chart(t, dir)[0].Charts, 1)
}

// An interrupted process says so, and the next one goes on.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	dir := old(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var problems bytes.Buffer
	args := []string{"run", "-journals", filepath.Join(string(dir), "journals"), "-out", dir.out()}
	assert.Equal(t, failed, program{out: io.Discard, problems: &problems}.run(ctx, args))
	assert.NotEmpty(t, problems.String())
	s := dir.finish(t)
	assert.Equal(t, done, s.status, s.problems)
}
