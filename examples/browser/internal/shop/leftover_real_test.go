//go:build linux

package shop_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// running are the command lines of processes that have a folder in them, whoever
// started them.
func running(folder string) (list []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(folder)) {
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}

// short is a folder whose name is not longer than that of a socket may be.
func short(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "k") //nolint:usetesting // that has a long name
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(folder)) })
	return folder
}

// leavesNothing checks, when a test and its cases have ended, that neither a temporary
// file nor a goroutine of them is left. The cases may run at the same time.
func leavesNothing(t *testing.T) {
	t.Helper()
	temporary, before := short(t), goroutines()
	t.Setenv("TMPDIR", temporary)
	t.Cleanup(func() {
		entries, err := os.ReadDir(temporary)
		require.NoError(t, err)
		assert.Empty(t, entries)
		noMore(t, before)
	})
}

// goroutines are the stacks of all that run, without their numbers and addresses.
func goroutines() []string {
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	list := strings.Split(string(stacks), "\n\n")
	for i, stack := range list {
		if at := strings.LastIndex(stack, "created by "); at >= 0 {
			stack = stack[at:]
		}
		list[i] = stack
	}
	slices.Sort(list)
	return list
}

// noMore waits until as many run as before.
func noMore(t *testing.T, before []string) {
	t.Helper()
	var now []string
	for range 500 {
		if now = goroutines(); len(now) <= len(before) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%d goroutines are left over:\n%s", len(now)-len(before), strings.Join(now, "\n"))
}
