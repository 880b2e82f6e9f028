//go:build linux

package linuxdesktop_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

	s.do(d, desktop.SetEditText, map[string]any{"id": text.ID, "text": "word"})
	s.do(d, desktop.ClickOnCoordinates, map[string]any{"x": x + 12, "y": y + 10})
	time.Sleep(time.Second) // or it and the next would be one double click
	s.do(d, desktop.DoubleClick, map[string]any{"id": text.ID})
	replaced("X") // its last line

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
}
