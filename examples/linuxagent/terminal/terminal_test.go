//go:build unix

package terminal_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/linuxagent/terminal"
)

func open(t testing.TB, cfg terminal.Config) desktop.Desktop {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	d, err := terminal.New(cfg)
	require.NoError(t, err)
	return d
}

func run(t testing.TB, d desktop.Desktop, line string) (terminal.Output, desktop.Result) {
	t.Helper()
	result, err := desktop.Execute(t.Context(), d, desktop.Shell(line))
	require.NoError(t, err)
	var out terminal.Output
	require.NoError(t, result.Decode(&out))
	return out, result
}

// What every desktop must keep to.
func TestConformance(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return open(t, terminal.Config{}) }, &desktoptest.Options{
		Safe:    desktop.Shell("true"),
		Failing: desktop.Shell("false"),
		Slow:    desktop.Shell("sleep 1000"),
		Effect:  desktop.Shell("echo done >> effects"),
		Effects: func(d desktop.Desktop) int {
			result, err := desktop.Execute(t.Context(), d, desktop.Shell("cat effects 2>/dev/null | wc -l"))
			require.NoError(t, err)
			var out terminal.Output
			require.NoError(t, result.Decode(&out))
			n, err := strconv.Atoi(strings.TrimSpace(out.Stdout))
			require.NoError(t, err)
			return n
		},
	})
}

func TestRun(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "s3cret")
	dir := t.TempDir()
	d := open(t, terminal.Config{Dir: dir})
	for _, tt := range []struct {
		name, line string
		want       terminal.Output
		problem    string // "": a success
	}{
		{"prints", "echo a; echo b >&2", terminal.Output{Stdout: "a\n", Stderr: "b\n"}, ""},
		{"nothing", ":", terminal.Output{}, ""},
		{"exit status", "echo a; echo why >&2; echo more >&2; exit 3", terminal.Output{Stdout: "a\n", Stderr: "why\nmore\n", Exit: 3}, "exit status 3: why"},
		{"no such command", "nosuchcommand 2>/dev/null", terminal.Output{Exit: 127}, "exit status 127"},
		{"killed by a signal", "kill -9 $$", terminal.Output{Exit: -1}, "signal: killed"},
		{"no input", "cat; read x; echo $?", terminal.Output{Stdout: "1\n"}, ""},
		{"its environment", "echo $SECRET_TOKEN-$LC_ALL", terminal.Output{Stdout: "-C\n"}, ""},
		{"a hyphen in front", "-x; echo here", terminal.Output{Stdout: "here\n"}, ""},
		{"a failed background", "(exit 3) & wait $!", terminal.Output{Exit: 3}, "exit status 3"},
		{"bytes that are no text", `printf 'a\377b'`, terminal.Output{Stdout: "a\ufffdb", Note: "stdout is not UTF-8; what is not stands as \ufffd"}, ""},
	} {
		out, result := run(t, d, tt.line)
		if strings.HasPrefix(tt.line, "-x") {
			out.Stderr = "" // each shell has its own words
		}
		assert.Equal(t, tt.want, out, tt.name)
		assert.Equal(t, tt.problem, result.Error, tt.name)
		assert.Equal(t, tt.problem == "", result.Status == desktop.Success, tt.name)
	}
	out, _ := run(t, d, "cd / && pwd; X=1")
	assert.Equal(t, "/\n", out.Stdout)
	out, _ = run(t, d, "pwd; echo $X")
	want, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	assert.Equal(t, want+"\n\n", out.Stdout, "a line changes nothing for the next")
}

func TestClipped(t *testing.T) {
	t.Parallel()
	const kept = 64 << 10
	d := open(t, terminal.Config{})
	out, result := run(t, d, "head -c 1000000 /dev/zero | tr '\\0' a; printf 12345 >&2")
	require.Equal(t, desktop.Success, result.Status)
	assert.Equal(t, terminal.Output{Stdout: strings.Repeat("a", kept), Stderr: "12345", Note: "934464 more bytes of stdout are left out"}, out)

	out, _ = run(t, d, "printf 'a'; for i in 1 2 3 4 5 6 7 8 9; do head -c 9000 /dev/zero | tr '\\0' '\\303' | sed 's/./&\\xa9/g'; done")
	assert.NotContains(t, out.Note, "UTF-8", "no character is cut in two")
	assert.LessOrEqual(t, len(out.Stdout), kept)

	out, result = run(t, d, "yes")
	assert.Equal(t, "it printed more than 64 MiB and was stopped", result.Error)
	assert.Equal(t, desktop.Failure, result.Status)
	assert.Len(t, out.Stdout, kept)
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := open(t, terminal.Config{Dir: dir, Timeout: 300 * time.Millisecond})
	out, result := run(t, d, "echo before; echo $$ > pids; sleep 1000 & echo $! >> pids; wait")
	assert.Equal(t, desktop.Failure, result.Status)
	assert.Equal(t, "it took longer than 300ms and was killed", result.Error)
	assert.Equal(t, terminal.Output{Stdout: "before\n", Exit: -1}, out)
	gone(t, dir, 2)
}

// gone waits until no process of those in the file pids is there any more.
func gone(t testing.TB, dir string, want int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "pids"))
	require.NoError(t, err)
	pids := strings.Fields(string(text))
	require.Len(t, pids, want)
	for _, field := range pids {
		pid, err := strconv.Atoi(field)
		require.NoError(t, err)
		assert.Eventually(t, func() bool { return !running(pid) }, 2*time.Minute, 5*time.Millisecond, "process %d of %q", pid, pids)
	}
}

// running reports whether a process is there and runs. One that is dead and that
// nobody has asked for yet, because its parent is gone, does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || !exists("/proc/self")
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A cancelled call leaves no process, however deep.
func TestCancel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := open(t, terminal.Config{Dir: dir})
	ctx, cancel := context.WithCancelCause(t.Context())
	mine := errors.New("enough")
	done := make(chan error)
	go func() {
		_, err := desktop.Execute(ctx, d, desktop.Shell(
			`trap '' TERM INT HUP; sleep 1000 & a=$!; (trap '' TERM; sh -c 'echo $$ > deep; exec sleep 1000') & b=$!; `+
				`while ! test -s deep; do sleep 0.01; done; echo $$ $a $b $(cat deep) > pids.new; mv pids.new pids; sleep 1000 | cat`))
		done <- err
	}()
	require.Eventually(t, func() bool { return exists(filepath.Join(dir, "pids")) }, 2*time.Minute, 5*time.Millisecond)
	cancel(mine)
	require.ErrorIs(t, <-done, mine)
	gone(t, dir, 4)
}

// What a command line leaves behind does not outlive it, and does not hold it up.
func TestBackground(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := open(t, terminal.Config{Dir: dir})
	out, result := run(t, d, "sleep 1000 & echo $! > pids; echo started")
	assert.Equal(t, "started\n", out.Stdout)
	assert.Equal(t, desktop.Failure, result.Status)
	const left = "it left a program in the background; its process group was killed, and what is in another one goes on"
	assert.Equal(t, left, result.Error)
	gone(t, dir, 1)

	_, result = run(t, d, "sleep 1000 >/dev/null 2>&1 & echo $! > pids")
	assert.Equal(t, desktop.Success, result.Status, "nobody knows of it, but it is killed all the same")
	gone(t, dir, 1)

	// With set -m a job has a process group of its own.
	_, result = run(t, d, "set -m; sleep 1000 & echo $! > pids")
	assert.Equal(t, left, result.Error)
	text, err := os.ReadFile(filepath.Join(dir, "pids"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	assert.True(t, running(pid), "it goes on, as the message says")
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	gone(t, dir, 1)
}

// Without bash there is no terminal.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, name := range []string{"", filepath.Join(dir, "none"), file} {
		_, err := terminal.New(terminal.Config{Dir: name})
		require.Error(t, err, name)
	}
	t.Setenv("PATH", dir)
	_, err := terminal.New(terminal.Config{Dir: dir})
	require.ErrorIs(t, err, exec.ErrNotFound)
}

// A folder that goes away later is a broken call: nothing was run.
func TestDirGone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "dir")
	require.NoError(t, os.Mkdir(dir, 0o700))
	d := open(t, terminal.Config{Dir: dir})
	require.NoError(t, os.Remove(dir))
	_, err := desktop.Execute(t.Context(), d, desktop.Shell("true"))
	require.ErrorIs(t, err, os.ErrNotExist)
	var call *desktop.CallError
	assert.ErrorAs(t, err, &call)
}
