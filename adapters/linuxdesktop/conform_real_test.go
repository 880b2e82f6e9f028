//go:build linux

package linuxdesktop_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// program is one that the conformance suite runs with.
type program struct {
	needs  []string
	argv   func(dir string) []string
	root   string
	typed  string // the type of the control that is typed into
	dialog string // keys that open a modal dialog; "": the program has none
	second string // keys that open another window
	moves  string // keys that move that control; "": it has none
}

var conforming = map[string]program{
	"mousepad": {
		[]string{"mousepad"}, func(string) []string { return []string{"mousepad", "--disable-server"} },
		"mousepad", "text", "^o", "^+n", "^m",
	},
	"calc": {
		[]string{"soffice"}, func(string) []string { return []string{"soffice", "--calc", "--norestore", "--nologo"} },
		"libreoffice-calc", "", "^o", "^n", "",
	},
	"featherpad": {
		[]string{"featherpad"}, func(string) []string { return []string{"featherpad", "--standalone"} },
		"featherpad", "text", "^o", "", "",
	},
	"xfce4-terminal": {
		[]string{"xfce4-terminal"}, func(string) []string { return []string{"xfce4-terminal", "--disable-server", "--command=cat"} },
		"xfce4-terminal", "terminal", "", "^+n", "",
	},
	"chromium": {
		[]string{"chromium"}, func(dir string) []string {
			return []string{
				"chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
				"--disable-sync", "--password-store=basic", "--force-renderer-accessibility", "--user-data-dir=" + filepath.Join(dir, "chromium"),
				"data:text/html,<title>page</title><label>Amount <input autofocus></label>",
			}
		},
		"chromium", "entry", "", "^n", "^{+}",
	},
}

func TestRealConformance(t *testing.T) {
	for name, p := range conforming {
		t.Run(name, func(t *testing.T) {
			wanted(t, name)
			for i := range realpartstest.Runs(10) {
				t.Run(strconv.Itoa(1+i), func(t *testing.T) { conform(t, p) })
			}
		})
	}
}

// conform runs the suite with one program.
func conform(t *testing.T, p program) {
	screens := map[desktop.Desktop]*screen{}
	opts := &desktoptest.Options{
		Safe:    desktop.Command{ToolName: desktop.GetDesktopAppInfo, Parameters: map[string]any{}}, // a picture changes by itself
		Failing: desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "77.1"}},
		Slow:    desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}},
		CloseWindow: func(d desktop.Desktop, id string) {
			screens[d].kill(id)
		},
		Grace: time.Minute,
	}
	if p.typed != "" {
		opts.Effect = desktop.Command{ToolName: desktop.KeyboardInput, Parameters: map[string]any{"keys": "x"}}
		opts.Effects = func(d desktop.Desktop) int {
			s := screens[d]
			return strings.Count(s.text(d, s.find(d, p.typed, "").ID), "x")
		}
	}
	if p.dialog != "" {
		opts.OpenDialog = func(d desktop.Desktop, id string) string {
			s := screens[d]
			s.keys(id, p.dialog)
			dialog := s.await(func(w desktop.Window) bool { return w.Owner == id }).ID
			s.find(s.narrow(id), "push button", "")
			return dialog
		}
	}
	if p.second != "" {
		opts.OpenSecond = func(d desktop.Desktop, id string) string {
			s := screens[d]
			known := map[string]bool{}
			for _, w := range s.list() {
				known[w.ID] = true
			}
			s.keys(id, p.second)
			return s.await(func(w desktop.Window) bool { return w.Owner == "" && !known[w.ID] }).ID
		}
	}
	if p.moves != "" {
		opts.MoveControl = func(d desktop.Desktop) (string, string) {
			s := screens[d]
			w := s.list()[0]
			view := s.narrow(w.ID)
			c := s.find(view, p.typed, "")
			s.keys(w.ID, p.moves)
			require.Eventually(t, func() bool { return s.find(view, p.typed, "").Bounds != c.Bounds }, 2*time.Minute, 20*time.Millisecond)
			return w.ID, c.ID
		}
	}
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		s := start(t, p.needs...)
		view := s.launch(p.root, p.argv(s.s.Dir)...)
		s.controls(view)
		if p.typed != "" {
			s.find(view, p.typed, "")
		}
		screens[s.Desktop] = s
		return s.Desktop
	}, opts)
}
