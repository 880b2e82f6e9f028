//go:build linux

package linuxdesktop_test

import (
	"image"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/libreoffice"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// screen is a desktop of its own, with a hand of the test beside that of the agent.
type screen struct {
	*linuxdesktop.Desktop
	t    testing.TB
	s    *headless.Session
	hand *x11.Display
}

// start starts one, for programs that must be installed.
func start(t testing.TB, programs ...string) *screen {
	t.Helper()
	realpartstest.Desktop(t, headless.Missing(programs...))
	s, err := headless.Start(t.Context(), &headless.Options{Size: image.Pt(1280, 1024)})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	d, err := linuxdesktop.Open(t.Context(), linuxdesktop.Options{Display: s.Display, Bus: s.Bus, Env: s.Env, Dir: s.Dir, Extensions: []linuxdesktop.Extension{libreoffice.New()}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, d.Close()) })
	hand, err := x11.Open(t.Context(), s.Display)
	require.NoError(t, err)
	t.Cleanup(hand.Close)
	return &screen{d, t, s, hand}
}

// wanted leaves out a program that AGENTFSM_PROGRAMS, a list with commas, does not name: continuous
// integration has no time for all of them.
func wanted(t *testing.T, program string) {
	t.Helper()
	if list := os.Getenv("AGENTFSM_PROGRAMS"); list != "" && !slices.Contains(strings.Split(list, ","), program) {
		t.Skipf("AGENTFSM_PROGRAMS=%s leaves out %s", list, program)
	}
}

// do runs a command, which must succeed.
func (s *screen) do(d desktop.Desktop, tool string, parameters map[string]any) desktop.Result {
	s.t.Helper()
	res, err := commands.Do(s.t.Context(), d, desktop.Command{ToolName: tool, Parameters: parameters})
	require.NoError(s.t, err)
	return res
}

// no runs a command, which must fail, and returns why.
func (s *screen) no(d desktop.Desktop, tool string, parameters map[string]any) string {
	s.t.Helper()
	res, err := desktop.Execute(s.t.Context(), d, desktop.Command{ToolName: tool, Parameters: parameters})
	require.NoError(s.t, err)
	require.Equal(s.t, desktop.Failure, res.Status, res.Text())
	return res.Error
}

// launch starts a program and returns its window, once it shows controls.
func (s *screen) launch(root string, argv ...string) desktop.Desktop {
	s.t.Helper()
	known := s.list()
	s.do(s, desktop.LaunchApplication, map[string]any{"name": argv[0], "command": argv})
	w := s.await(func(w desktop.Window) bool {
		return w.Root == root && !slices.ContainsFunc(known, func(k desktop.Window) bool { return k.ID == w.ID })
	})
	return s.narrow(w.ID)
}

func (s *screen) narrow(id string) desktop.Desktop {
	s.t.Helper()
	d, err := desktop.Scope(s.t.Context(), s.Desktop, id)
	require.NoError(s.t, err)
	return d
}

func (s *screen) list() []desktop.Window {
	s.t.Helper()
	list, err := desktop.Windows(s.t.Context(), s.Desktop)
	require.NoError(s.t, err)
	return list
}

// await waits for a window.
func (s *screen) await(is func(desktop.Window) bool) (found desktop.Window) {
	s.t.Helper()
	ok := assert.Eventually(s.t, func() bool {
		list := s.list()
		i := slices.IndexFunc(list, is)
		if i >= 0 {
			found = list[i]
		}
		return i >= 0
	}, 2*time.Minute, 20*time.Millisecond, "no such window")
	if !ok {
		running, _ := exec.CommandContext(s.t.Context(), "ps", "-eo", "pid,stat,wchan,args").Output()
		s.t.Fatalf("windows: %v\nprograms:\n%s", s.list(), running)
	}
	return found
}

// window returns the X window of an id.
func (s *screen) window(id string) x11.Window {
	s.t.Helper()
	list, err := s.hand.Windows(s.t.Context())
	require.NoError(s.t, err)
	for i, w := range s.list() {
		if w.ID == id {
			return list[i]
		}
	}
	require.FailNow(s.t, "no window", id)
	return x11.Window{}
}

// keys are keys of the test's own hand, in the window of that id.
func (s *screen) keys(id, keys string) {
	s.t.Helper()
	w := s.window(id)
	require.Eventually(s.t, func() bool {
		require.NoError(s.t, s.hand.Activate(s.t.Context(), w.ID))
		time.Sleep(30 * time.Millisecond)
		active, err := s.hand.Active(s.t.Context())
		return err == nil && active == w.ID
	}, 2*time.Minute, 20*time.Millisecond)
	strokes, err := x11.Keys(keys)
	require.NoError(s.t, err)
	_, err = s.hand.Type(s.t.Context(), strokes, nil)
	require.NoError(s.t, err)
}

// kill ends the program of a window as a crash does.
func (s *screen) kill(id string) {
	s.t.Helper()
	w := s.window(id)
	require.NoError(s.t, syscall.Kill(int(w.PID), syscall.SIGKILL))
	require.Eventually(s.t, func() bool {
		return !slices.ContainsFunc(s.list(), func(w desktop.Window) bool { return w.ID == id })
	}, 2*time.Minute, 10*time.Millisecond)
}

// cover lays something over the screen that no window manager knows, as what locks a screen does. The func takes it away.
func (s *screen) cover() func() {
	s.t.Helper()
	x, err := xgb.NewConnDisplay(s.s.Display)
	require.NoError(s.t, err)
	s.t.Cleanup(x.Close)
	cover, err := xproto.NewWindowId(x)
	require.NoError(s.t, err)
	root := xproto.Setup(x).DefaultScreen(x)
	require.NoError(s.t, xproto.CreateWindowChecked(x, root.RootDepth, cover, root.Root, 0, 0, 1280, 1024, 0, xproto.WindowClassInputOutput,
		root.RootVisual, xproto.CwBackPixel|xproto.CwOverrideRedirect, []uint32{root.BlackPixel, 1}).Check())
	require.NoError(s.t, xproto.MapWindowChecked(x, cover).Check())
	return func() { require.NoError(s.t, xproto.DestroyWindowChecked(x, cover).Check()) }
}

// controls are those of a window, of all depths.
func (s *screen) controls(d desktop.Desktop) (all []desktop.Control) {
	s.t.Helper()
	list, err := desktop.UITree(s.t.Context(), d)
	require.NoError(s.t, err)
	var add func([]desktop.Control)
	add = func(list []desktop.Control) {
		for _, c := range list {
			all = append(all, c)
			add(c.Children)
		}
	}
	add(list)
	return all
}

// find waits for a control.
func (s *screen) find(d desktop.Desktop, typ, name string) (found desktop.Control) {
	s.t.Helper()
	ok := assert.Eventually(s.t, func() bool {
		list, err := desktop.UITree(s.t.Context(), d)
		if err != nil {
			return false
		}
		found = search(list, func(c desktop.Control) bool { return c.Type == typ && (name == "" || c.Name == name) })
		return found.ID != ""
	}, 2*time.Minute, 50*time.Millisecond)
	if !ok {
		s.t.Fatalf("no %s %q among %v", typ, name, s.controls(d))
	}
	return found
}

// focused waits until a control has the focus, which the program says in its own time, and returns its window.
func (s *screen) focused(d desktop.Desktop, id string) (w desktop.Window) {
	s.t.Helper()
	ok := assert.Eventually(s.t, func() bool {
		var err error
		w, _, err = desktop.AppWindow(s.t.Context(), d)
		return err == nil && w.Focus == id
	}, 2*time.Minute, 20*time.Millisecond)
	if !ok {
		s.t.Fatalf("the focus is not %s: %+v; %v", id, w, s.controls(d))
	}
	return w
}

func search(list []desktop.Control, is func(desktop.Control) bool) desktop.Control {
	for _, c := range list {
		if is(c) {
			return c
		}
		if found := search(c.Children, is); found.ID != "" {
			return found
		}
	}
	return desktop.Control{}
}

// text is what is in a control.
func (s *screen) text(d desktop.Desktop, id string) string {
	s.t.Helper()
	return strings.TrimSuffix(s.do(d, desktop.Texts, map[string]any{"id": id}).Text(), "\n")
}
