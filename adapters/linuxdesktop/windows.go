package linuxdesktop

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

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
	i := slices.IndexFunc(s, func(w x11.Window) bool { return w.ID == id })
	if i < 0 {
		return x11.Window{}, false
	}
	return s[i], true
}

// named returns the window of an id that a command has.
func (s scene) named(id string) (x11.Window, error) {
	n, _ := parseWindowID(id)
	w, ok := s.window(n)
	if !ok {
		return w, refuse("there is no window %q", clip(id, 40))
	}
	return w, nil
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
func (s scene) family(id x11.WindowID) []x11.Window {
	var list []x11.Window
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
	family []x11.Window // with main, the topmost first
	dialog *x11.Window  // that takes the input; nil: none
}

// group returns the windows that commands of the view are for.
func (v *view) group(ctx context.Context) (*group, error) {
	s, err := v.look(ctx)
	if err != nil {
		return nil, err
	}
	g := &group{scene: s}
	if v.only != 0 {
		var ok bool
		if g.main, ok = s.window(v.only); !ok {
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
	if g.dialog != nil {
		return *g.dialog
	}
	if i := slices.IndexFunc(g.family, func(w x11.Window) bool { return w.Active }); i >= 0 {
		return g.family[i]
	}
	return g.main
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

func parseWindowID(s string) (x11.WindowID, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 32)
	return x11.WindowID(n), err == nil && s == windowID(x11.WindowID(n))
}

// describe says what a window is. Its Process stays the same while it is open.
func (s scene) describe(w x11.Window) desktop.Window {
	out := desktop.Window{ID: windowID(w.ID), Root: w.Program(), Process: fmt.Sprintf("%d-%s", w.PID, windowID(w.ID)), Title: w.Title, Focused: w.Active}
	if owners := s.owners(w); len(owners) > 1 {
		out.Owner = windowID(owners[1].ID)
	}
	return out
}

// windows is get_desktop_app_info.
func (v *view) windows(ctx context.Context, _ arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	list := make([]desktop.Window, len(s))
	for i, w := range s {
		list[i] = s.describe(w)
	}
	return jsonResult(list, err)
}

// appWindow is get_app_window.
func (v *view) appWindow(ctx context.Context, _ arguments) (desktop.Result, error) {
	g, err := v.group(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	w, front := g.describe(g.main), g.main
	if g.dialog != nil {
		w.Dialog, front = windowID(g.dialog.ID), *g.dialog
	}
	w.Focus = v.focusIn(ctx, g.scene, front)
	list := []desktop.Window{w}
	owned := slices.DeleteFunc(slices.Clone(g.family), func(w x11.Window) bool { return w.ID == g.main.ID })
	slices.SortStableFunc(owned, func(a, b x11.Window) int { return len(g.owners(a)) - len(g.owners(b)) }) // the owner of each stands before it
	for _, m := range owned {
		list = append(list, g.describe(m))
	}
	return jsonResult(list, nil)
}

// selectWindow is select_application_window.
func (v *view) selectWindow(ctx context.Context, a arguments) (desktop.Result, error) {
	if err := v.lock(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.unlock()
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	w, err := s.named(a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if m := s.modal(w.ID); m != nil {
		w = *m // it gets the input
	}
	return textResult("it has the focus", v.front(ctx, w))
}
