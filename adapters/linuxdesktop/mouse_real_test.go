//go:build linux

package linuxdesktop_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/desktop"
)

// What the mouse selects, the next letter replaces.
func TestRealMouse(t *testing.T) {
	wanted(t, "mousepad")
	s := start(t, "mousepad")
	d, _ := editor(s, "one two three\nfour\n")
	text := s.find(d, "text", "")
	x, y := text.Bounds[0], text.Bounds[1]
	replaced := func(want string) {
		t.Helper()
		s.do(d, desktop.KeyboardInput, map[string]any{"keys": "X"})
		assert.Equal(t, want, s.text(d, text.ID))
		s.do(d, desktop.SetEditText, map[string]any{"id": text.ID, "text": "one two three\nfour\n"})
	}

	res := s.do(d, desktop.ClickOnCoordinates, map[string]any{"x": x + 12, "y": y + 10, "double": true})
	assert.Equal(t, "clicked twice", res.Text())
	assert.Empty(t, res.Unverified)
	replaced("X two three\nfour")

	res = s.do(d, desktop.DragOnCoordinates, map[string]any{"start_x": x + 1, "start_y": y + 10, "end_x": x + 400, "end_y": y + 10})
	assert.Empty(t, res.Unverified)
	replaced("X\nfour")

	s.do(d, desktop.SetEditText, map[string]any{"id": text.ID, "text": strings.Repeat(strings.Repeat("w", 150)+"\n", 80)})
	time.Sleep(300 * time.Millisecond)                          // it is drawn
	s.do(d, desktop.DoubleClick, map[string]any{"id": text.ID}) // in its middle
	s.do(d, desktop.KeyboardInput, map[string]any{"keys": "X"})
	assert.Equal(t, 1, strings.Count(s.text(d, text.ID), "w\nX\nw"), "a word is marked, and replaced")

	s.do(d, desktop.SetEditText, map[string]any{"id": text.ID, "text": strings.Repeat("line\n", 400)})
	s.do(d, desktop.KeyboardInput, map[string]any{"id": text.ID, "keys": "^{HOME}"})
	for _, turn := range []int{-20, 20} { // where the first line in view is, a letter tells
		res = s.do(d, desktop.WheelMouseInput, map[string]any{"id": text.ID, "wheel_dist": turn})
		assert.Equal(t, "scrolled", res.Text())
		assert.Empty(t, res.Unverified, turn)
		s.do(d, desktop.ClickOnCoordinates, map[string]any{"x": x + 2, "y": y + 10})
		s.do(d, desktop.KeyboardInput, map[string]any{"keys": "X"})
		at := strings.Index(s.text(d, text.ID), "X")
		assert.Equal(t, turn > 0, at == 0, "%d: line %d", turn, 1+at/len("line\n"))
		s.do(d, desktop.KeyboardInput, map[string]any{"keys": "{BACK}"})
	}
}

// A program that cannot start says so at once; of another the window comes later.
func TestRealLaunch(t *testing.T) {
	s := start(t)
	assert.Equal(t, "it ended at once: exit status 3", s.no(s, desktop.LaunchApplication, map[string]any{"name": "sh", "command": []any{"sh", "-c", "exit 3"}}))
	assert.Contains(t, s.no(s, desktop.LaunchApplication, map[string]any{"name": "nowhere-to-be-found"}), "executable file not found")
	res := s.do(s, desktop.LaunchApplication, map[string]any{"name": "sh", "command": []any{"sh", "-c", "sleep 60"}})
	assert.Equal(t, "started", res.Text())
	require.Empty(t, s.list())

	// It runs on the screen that was opened, whatever the process has.
	t.Setenv("DISPLAY", ":4711")
	out := filepath.Join(s.s.Dir, "display")
	bare, err := linuxdesktop.Open(t.Context(), linuxdesktop.Options{Display: s.s.Display, Bus: s.s.Bus})
	require.NoError(t, err)
	s.do(bare, desktop.LaunchApplication, map[string]any{"name": "sh", "command": []any{"sh", "-c", "echo $DISPLAY > " + out}})
	said, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, s.s.Display+"\n", string(said))
	require.NoError(t, bare.Close())

	// What a program leaves behind ends with the Desktop.
	pids := filepath.Join(s.s.Dir, "pids")
	s.do(s, desktop.LaunchApplication, map[string]any{"name": "sh", "command": []any{"sh", "-c", `trap "" TERM; sleep 60 & echo $! > ` + pids}})
	raw, err := os.ReadFile(pids)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, 0))
	require.NoError(t, s.Close())
	require.Eventually(t, func() bool { return !runs(pid) }, 2*time.Minute, 10*time.Millisecond)
}

// runs reports whether a process is there, and no zombie that nobody has waited for.
func runs(pid int) bool {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(raw), ") Z ")
}
