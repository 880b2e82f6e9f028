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
func (s scene) of(pid uint32) (list scene) {
	for _, w := range s {
		if w.PID == pid {
			list = append(list, w)
		}
	}
	return list
}

func (s scene) window(id x11.WindowID) (x11.Window, bool) {
	i := slices.IndexFunc(s, func(w x11.Window) bool { return w.ID == id })
	if i < 0 {
		return x11.Window{}, false
	}
	return s[i], true
}

// owner returns the window that w belongs to.
func (s scene) owner(w x11.Window) (x11.Window, bool) {
	if w.Owner == w.ID {
		return x11.Window{}, false
	}
	return s.window(w.Owner)
}

// main returns the window that w, and what owns it, belongs to in the end.
func (s scene) main(w x11.Window) x11.Window {
	for range s { // programs may say that windows own each other
		o, ok := s.owner(w)
		if !ok {
			break
		}
		w = o
	}
	return w
}

// family returns a window and those that belong to it, directly or not, the topmost first.
func (s scene) family(id x11.WindowID) []x11.Window {
	var list []x11.Window
	for _, w := range s {
		for o, ok, n := w, true, 0; ok && n <= len(s); n++ {
			if o.ID == id {
				list = append(list, w)
				break
			}
			o, ok = s.owner(o)
		}
	}
	slices.SortFunc(list, func(a, b x11.Window) int { return b.Above - a.Above })
	return list
}

// modal returns the modal window of a family that takes its input.
func modal(family []x11.Window, main x11.WindowID) (x11.Window, bool) {
	for _, w := range family {
		if w.Modal && w.ID != main {
			return w, true
		}
	}
	return x11.Window{}, false
}

// place is what the window of that family covers on the screen: the picture of it.
func place(family []x11.Window) (r image.Rectangle) {
	for _, w := range family {
		if !w.Hidden {
			r = r.Union(w.Bounds)
		}
	}
	return r
}

func windowID(id x11.WindowID) string { return "0x" + strconv.FormatUint(uint64(id), 16) }

func parseWindowID(s string) (x11.WindowID, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 32)
	return x11.WindowID(n), err == nil && s == windowID(x11.WindowID(n))
}

// describe says what a window is. Its Process stays the same while it is open.
func (s scene) describe(w x11.Window) desktop.Window {
	root := strings.ToLower(w.Class)
	if root == "" {
		root = strings.ToLower(w.Instance)
	}
	if root == "" {
		root = "unknown"
	}
	out := desktop.Window{ID: windowID(w.ID), Root: root, Process: fmt.Sprintf("%d-%s", w.PID, windowID(w.ID)), Title: w.Title, Focused: w.Active}
	if o, ok := s.owner(w); ok {
		out.Owner = windowID(o.ID)
	}
	return out
}

// members returns the windows that commands of the view are for, and which of them is the one that
// the others belong to.
func (v *view) members(s scene) (main x11.Window, family []x11.Window, err error) {
	if v.only != 0 {
		main, ok := s.window(v.only)
		if !ok {
			return x11.Window{}, nil, desktop.ErrWindowGone
		}
		return main, s.family(v.only), nil
	}
	front := -1
	for i, w := range s {
		if w.Active || !w.Hidden && (front < 0 || !s[front].Active && w.Above > s[front].Above) {
			front = i
		}
	}
	if front < 0 {
		return x11.Window{}, nil, refuse("no window is open")
	}
	main = s.main(s[front])
	return main, s.family(main.ID), nil
}

// windows is get_desktop_app_info.
func (v *view) windows(ctx context.Context, _ arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	list := make([]desktop.Window, 0, len(s))
	for _, w := range s {
		list = append(list, s.describe(w))
	}
	return desktop.JSONResult(list)
}

// appWindow is get_app_window.
func (v *view) appWindow(ctx context.Context, _ arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	main, family, err := v.members(s)
	if err != nil {
		return desktop.Result{}, err
	}
	w := s.describe(main)
	front := main
	if m, ok := modal(family, main.ID); ok {
		w.Dialog, front = windowID(m.ID), m
	}
	w.Focus = v.focusIn(ctx, s, front)
	list := []desktop.Window{w}
	known := map[x11.WindowID]bool{main.ID: true}
	for len(list) < len(family) { // the owner of each stands before it
		before := len(list)
		for _, m := range family {
			if o, _ := s.owner(m); !known[m.ID] && known[o.ID] {
				known[m.ID] = true
				list = append(list, s.describe(m))
			}
		}
		if len(list) == before {
			break
		}
	}
	return desktop.JSONResult(list)
}

// selectWindow is select_application_window.
func (v *view) selectWindow(ctx context.Context, a arguments) (desktop.Result, error) {
	if err := v.take(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.give()
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	id, _ := parseWindowID(a.ID)
	w, ok := s.window(id)
	if !ok {
		return desktop.Result{}, refuse("there is no window %q", clip(a.ID, 40))
	}
	if m, ok := modal(s.family(w.ID), w.ID); ok {
		w = m // it gets the input
	}
	if err := v.front(ctx, w); err != nil {
		return desktop.Result{}, err
	}
	return desktop.TextResult("it has the focus"), nil
}
