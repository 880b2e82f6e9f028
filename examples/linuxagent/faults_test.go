//go:build unix

package main

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
)

// machine is a folder for PATH: the commands that there are, as links, and scripts
// in place of some.
func machine(t testing.TB, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash", "sh", "awk", "head", "tail", "tr", "sleep", "cat", "mv", "grep"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		if script, replaced := scripts[name]; replaced {
			if script != "" {
				text := "#!/bin/sh\nreal=" + path + "\nhere=" + dir + "\n" + script + "\n"
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700)) //nolint:gosec // a program
			}
			continue
		}
		require.NoError(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

// A command that fails is a sub-task that fails; the host plans it again, once.
func TestFailingCommand(t *testing.T) {
	for name, tt := range map[string]struct {
		scripts map[string]string
		status  int
		reason  string
	}{
		"awk is not there":    {map[string]string{"awk": ""}, 1, "FAIL: a command failed: "},
		"head is not there":   {map[string]string{"head": ""}, 1, "FAIL: a command failed: exit status 127"},
		"awk is broken":       {map[string]string{"awk": "echo broken >&2; exit 2"}, 1, "FAIL: a command failed: broken"},
		"awk prints else":     {map[string]string{"awk": "echo a; echo b"}, 1, "FAIL: a command failed: awk printed something else"},
		"grep is not there":   {map[string]string{"grep": ""}, 1, "FAIL: a command failed: "},
		"grep prints else":    {map[string]string{"grep": "echo many"}, 1, "FAIL: a command failed: grep printed something else"},
		"the list fails":      {map[string]string{"head": "exit 9"}, 1, "FAIL: a command failed: exit status 9"},
		"once":                {map[string]string{"head": "test -e $here/once && exec $real \"$@\"; : > $here/once; exit 9"}, 0, ""},
		"all tools are there": {nil, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", machine(t, tt.scripts))
			dir := t.TempDir()
			path := filepath.Join(dir, "answer.xlsx")
			o := linuxagent(t, "-workbook", path, "-confirm", "yes")
			require.Equal(t, tt.status, o.status, o.errors)
			if tt.status != 0 {
				assert.Contains(t, o.errors, tt.reason)
				assert.Equal(t, "HostAgent:FAIL", o.last())
				assert.Empty(t, contents(t, dir))
				assert.Equal(t, 2, o.count("LinuxAgent/terminal/reports:FAIL"), "planned again once")
				return
			}
			assert.Equal(t, []string{"south.csv", "3047.45"}, sheet(t, path, "Answer")[1])
			if name == "once" {
				assert.Equal(t, 1, o.count("LinuxAgent/terminal/reports:FAIL"))
				assert.Equal(t, 3, o.count("HostAgent:ASSIGN"))
			}
		})
	}
}

// A cancelled run leaves no process and no file.
func TestCancelled(t *testing.T) {
	bin := machine(t, map[string]string{"awk": "sleep 1000 & echo $$ $! > $here/new; mv $here/new $here/pids; wait"})
	t.Setenv("PATH", bin)
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(bin, "pids")); err == nil {
				cancel(errors.New("enough"))
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	o := runWith(ctx, console{in: strings.NewReader("")}, "-workbook", filepath.Join(dir, "answer.xlsx"), "-confirm", "yes")
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.errors, "CANCELLED: context canceled: enough")
	assert.Equal(t, "LinuxAgent/terminal/reports:CONTINUE", o.last())
	assert.Empty(t, contents(t, dir))
	text, err := os.ReadFile(filepath.Join(bin, "pids"))
	require.NoError(t, err)
	for field := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(field)
		require.NoError(t, err)
		assert.Eventually(t, func() bool { return !running(pid) }, 2*time.Minute, 5*time.Millisecond, "process %d", pid)
	}
}

// running reports whether a process is there and is more than a dead one that
// nobody has asked for yet.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err != nil || !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

// Whatever cannot be done ends in FAIL, or in no run at all, and leaves nothing.
func TestFail(t *testing.T) {
	t.Parallel()
	data := map[string]string{"a.csv": "name,n\nx,1\n"}
	for name, tt := range map[string]struct {
		files  map[string]string
		book   string // what the workbook is before; "": there is none
		args   []string
		reason string
	}{
		"no files":              {map[string]string{"a.txt": "n\n1\n"}, "", nil, "FAIL: there are no CSV files"},
		"no such column":        {data, "", []string{"-column", "m"}, `FAIL: no file has numbers in a column "m"; there are: "name", "n"`},
		"no numbers":            {data, "", []string{"-column", "name"}, `FAIL: no file has numbers in a column "name"`},
		"no workbook":           {data, "hello", nil, "FAIL: xlsx: "},
		"half a workbook":       {data, "PK\x03\x04 and so on", nil, "FAIL: xlsx: "},
		"no such folder":        {nil, "", []string{"-dir", "nosuchfolder"}, `terminal: Dir "nosuchfolder"`},
		"a file":                {nil, "", []string{"-dir", "main.go"}, `terminal: Dir "main.go": is not a directory`},
		"no folder to write to": {data, "", []string{"-workbook", filepath.Join(os.TempDir(), "nosuchfolder", "a.xlsx")}, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := folder(t, tt.files), t.TempDir()
			path := filepath.Join(out, "answer.xlsx")
			if tt.book != "" {
				require.NoError(t, os.WriteFile(path, []byte(tt.book), 0o600))
			}
			before := contents(t, out)
			args := append([]string{"-dir", dir, "-column", "n", "-workbook", path, "-confirm", "yes"}, tt.args...)
			o := linuxagent(t, args...)
			assert.Equal(t, 1, o.status)
			assert.Contains(t, o.errors, tt.reason)
			assert.Equal(t, before, contents(t, out))
			assert.Len(t, contents(t, dir), len(tt.files))
		})
	}
}

// The policy judges lines of bash, so no other shell gets one.
func TestNeedsBash(t *testing.T) {
	for name, tt := range map[string]struct{ script, says string }{
		"there is none":   {"", "bash is needed and not in PATH"},
		"it is another":   {`exec sh "$@"`, `the version of this shell is "0"`},
		"it is too old":   {"echo 3", `the version of this shell is "3"`},
		"it says nothing": {"exit 1", `the version of this shell is ""`},
		"it says else":    {"echo else", `the version of this shell is "else"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", machine(t, map[string]string{"bash": tt.script}))
			path := filepath.Join(t.TempDir(), "answer.xlsx")
			o := linuxagent(t, "-workbook", path, "-confirm", "yes")
			assert.Equal(t, 1, o.status)
			assert.Contains(t, strings.ReplaceAll(o.errors, "\n", " "), tt.says)
			assert.Empty(t, o.positions, "nothing was begun")
			assert.NoFileExists(t, path)
		})
	}
}
