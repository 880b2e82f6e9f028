package linuxdesktop

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// scene is the windows at one moment.
type scene []x11.Window

// look lists the windows.
func (d *Desktop) look(ctx context.Context) (scene, error) {
	if err := d.x.Nudge(ctx); err != nil { // who waits for a window looks again and again
		return nil, err
	}
	list, err := d.x.Windows(ctx)
	return scene(list), err
}

// of are the windows of a process: what others open meanwhile is not what an act did.
func (s scene) of(pid uint32) scene {
	return slices.DeleteFunc(slices.Clone(s), func(w x11.Window) bool { return w.PID != pid })
}

func (s scene) window(id x11.WindowID) (x11.Window, bool) {
	for _, w := range s {
		if w.ID == id {
			return w, true
		}
	}
	return x11.Window{}, false
}

// named returns the window of an id that a command has.
func (s scene) named(id string) (x11.Window, error) {
	for _, w := range s {
		if windowID(w.ID) == id {
			return w, nil
		}
	}
	return x11.Window{}, refuse("there is no window %q", clip(id, 40))
}

// owners lists a window, the window that it belongs to, and so on up to the main one. Programs may say that windows own each
// other.
func (s scene) owners(w x11.Window) []x11.Window {
	list := []x11.Window{w}
	for {
		o, ok := s.window(w.Owner)
		if !ok || slices.ContainsFunc(list, func(known x11.Window) bool { return known.ID == o.ID }) {
			return list
		}
		list, w = append(list, o), o
	}
}

// family returns a window and those that belong to it, directly or not, the topmost first.
func (s scene) family(id x11.WindowID) (list scene) {
	for _, w := range s {
		if slices.ContainsFunc(s.owners(w), func(o x11.Window) bool { return o.ID == id }) {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b x11.Window) int { return b.Above - a.Above })
	return list
}

// modal returns the dialog that takes the input of a window, nil for none.
func (s scene) modal(main x11.WindowID) *x11.Window {
	for _, w := range s.family(main) {
		if w.Modal && w.ID != main {
			return &w
		}
	}
	return nil
}

// group is a window with those that belong to it.
type group struct {
	scene

	main   x11.Window
	family scene       // with main, the topmost first
	dialog *x11.Window // that takes the input; nil: none
}

// groupNow returns the windows that commands of the Desktop are for.
func (d *Desktop) groupNow(ctx context.Context) (*group, error) {
	s, err := d.look(ctx)
	if err != nil {
		return nil, err
	}
	g := &group{scene: s}
	if d.only != 0 {
		var ok bool
		if g.main, ok = s.window(d.only); !ok {
			return nil, desktop.ErrWindowGone
		}
	} else {
		front := -1
		for i, w := range s {
			if w.Active || !w.Hidden && (front < 0 || !s[front].Active && w.Above > s[front].Above) {
				front = i
			}
		}
		if front < 0 {
			return nil, refuse("no window is open")
		}
		owners := s.owners(s[front])
		g.main = owners[len(owners)-1]
	}
	g.family, g.dialog = s.family(g.main.ID), s.modal(g.main.ID)
	return g, nil
}

// input returns the window that keys go to: the dialog, or that with the focus, or the main one.
func (g *group) input() x11.Window {
	for _, w := range g.usable() {
		if w.Active || g.dialog != nil {
			return w
		}
	}
	return g.main
}

// usable are the windows that take input, the topmost first.
func (g *group) usable() scene {
	if g.dialog != nil {
		return scene{*g.dialog}
	}
	return g.family
}

// place is what the windows cover on the screen: the picture of them.
func (g *group) place() (r image.Rectangle) {
	for _, w := range g.family {
		if !w.Hidden {
			r = r.Union(w.Bounds)
		}
	}
	return r
}

// behind says that a dialog takes the input.
func (g *group) behind() error {
	return refuse("the dialog %q is open: nothing else of the window can be used before it is closed", clip(g.dialog.Title, maxName))
}

func windowID(id x11.WindowID) string { return "0x" + strconv.FormatUint(uint64(id), 16) }

// describe says what a window is. Its Process stays the same while it is open.
func (s scene) describe(w x11.Window) desktop.Window {
	out := desktop.Window{ID: windowID(w.ID), Root: w.Program(), Process: fmt.Sprintf("%d-%s", w.PID, windowID(w.ID)), Title: w.Title, Focused: w.Active}
	if owners := s.owners(w); len(owners) > 1 {
		out.Owner = windowID(owners[1].ID)
	}
	return out
}

// windows is get_desktop_app_info.
func (c *call) windows(ctx context.Context) (desktop.Result, error) {
	s, err := c.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	list := make([]desktop.Window, len(s))
	for i, w := range s {
		list[i] = s.describe(w)
	}
	return desktop.JSONResult(list)
}

// appWindow is get_app_window.
func (c *call) appWindow(ctx context.Context) (desktop.Result, error) {
	w, front := c.describe(c.main), c.main
	if c.dialog != nil {
		w.Dialog, front = windowID(c.dialog.ID), *c.dialog
	}
	w.Focus = c.focusIn(ctx, front)
	list := []desktop.Window{w}
	slices.SortStableFunc(c.family, func(a, b x11.Window) int { return len(c.owners(a)) - len(c.owners(b)) }) // owners first
	for _, owned := range c.family {
		if owned.ID != c.main.ID {
			list = append(list, c.describe(owned))
		}
	}
	return desktop.JSONResult(list)
}

// selectWindow is select_application_window.
func (c *call) selectWindow(ctx context.Context) (desktop.Result, error) {
	if err := c.lock(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer c.unlock()
	s, err := c.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	w, err := s.named(c.args.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if m := s.modal(w.ID); m != nil {
		w = *m // it gets the input
	}
	return desktop.TextResult("it has the focus"), c.front(ctx, w)
}
