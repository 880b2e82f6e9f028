//go:build linux

package linuxdesktop_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

// Menus of Qt programs have their entries one level deeper than those of GTK programs.
func TestRealMenusOfQt(t *testing.T) {
	wanted(t, "featherpad")
	s := start(t, "featherpad")
	d := s.launch("featherpad", "featherpad", "--standalone")
	text := s.find(d, "text", "")
	s.do(d, desktop.KeyboardInput, map[string]any{"id": text.ID, "keys": "abc"})
	s.do(d, desktop.SelectMenu, map[string]any{"path": []any{"Edit", "Select All"}})
	s.do(d, desktop.KeyboardInput, map[string]any{"id": text.ID, "keys": "x"})
	assert.Equal(t, "x", s.text(d, text.ID))
	assert.Contains(t, s.no(d, desktop.SelectMenu, map[string]any{"path": []any{"File", "Sell"}}), `there is no "Sell", only New, Open,`)
	res := s.do(d, desktop.SelectMenu, map[string]any{"path": []any{"File", "Save As"}})
	assert.Contains(t, res.Text(), "a window")
}
