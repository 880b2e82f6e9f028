package desktoptest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// view is a desktop narrowed to one window; without a window the desktop itself.
type view struct {
	desktop.Desktop
	window desktop.Window
}

// where begins a sentence on what is seen there.
func (v view) where() string {
	if v.window.ID == "" {
		return ""
	}
	return fmt.Sprintf("narrowed to the window %q, ", v.window.ID)
}

// mains are the windows that belong to no other: those that are listed, and that of the
// Options, of which nothing but the id is known.
func (s *subject) mains(d desktop.Desktop) []desktop.Window {
	windows, _, _ := s.windows(d) // the check of windows says what is wrong with them
	windows = slices.DeleteFunc(windows, func(w desktop.Window) bool { return w.Owner != "" })
	if id := s.opts.Window; id != "" && !slices.ContainsFunc(windows, func(w desktop.Window) bool { return w.ID == id }) {
		windows = append(windows, desktop.Window{ID: id})
	}
	return windows
}

// views narrows the desktop to each of these windows, where it can be narrowed. It leaves
// out those where that fails: the check of Scope reports them.
func (s *subject) views(d desktop.Desktop, windows []desktop.Window) []view {
	scoper, ok := d.(desktop.Scoper)
	if !ok {
		return nil
	}
	var list []view
	for _, w := range windows {
		if scoped, problem, err := s.scope(scoper, w.ID); problem == "" && err == nil && !nilcheck.IsNil(scoped) {
			list = append(list, view{scoped, w})
		}
	}
	return list
}

// at returns the desktop for commands in a window. "" is the one that they act on anyhow. Nil:
// it cannot be narrowed to that window, and acts on another; or Scope fails, which is added to
// the problems.
func (s *subject) at(p *problems, d desktop.Desktop, id string) desktop.Desktop {
	if id == "" {
		return d
	}
	if scoper, ok := d.(desktop.Scoper); ok {
		return s.narrow(p, scoper, id)
	}
	if list, _, _ := s.appWindows(d); len(list) > 0 && list[0].ID == id {
		return d
	}
	return nil
}

// appWindows are the window that commands act on, and those that it owns.
func (s *subject) appWindows(d desktop.Desktop) ([]desktop.Window, bool, string) {
	return observe(s, d, desktop.GetAppWindow, func() ([]desktop.Window, error) {
		w, owned, err := desktop.AppWindow(s.t.Context(), d)
		return append([]desktop.Window{w}, owned...), err
	})
}

// tree returns the controls, false where they cannot be seen.
func (s *subject) tree(d desktop.Desktop) (controls []desktop.Control, ok bool, problem string) {
	return observe(s, d, desktop.GetUITree, func() ([]desktop.Control, error) { return desktop.UITree(s.t.Context(), d) })
}

// each calls f for every control of a tree, the outer before those in it.
func each(list []desktop.Control, f func(c desktop.Control)) {
	for _, c := range list {
		f(c)
		each(c.Children, f)
	}
}

// called is what a person calls a control.
func called(c desktop.Control) string {
	return fmt.Sprintf("the %s %q", cmp.Or(c.Type, "control"), c.Name)
}

// idsIn are the ids of a tree.
func idsIn(list []desktop.Control) map[string]bool {
	ids := map[string]bool{}
	each(list, func(c desktop.Control) { ids[c.ID] = true })
	return ids
}

// idsSeen are the ids of the controls in each window, by its id.
func (s *subject) idsSeen(views []view) map[string]map[string]bool {
	seen := map[string]map[string]bool{}
	for _, v := range views {
		controls, _, _ := s.tree(v)
		seen[v.window.ID] = idsIn(controls)
	}
	return seen
}

// opened calls a func of the Options with one window after another until it opens something,
// and returns in which it did. A problem says that it did in none.
func opened(option string, windows []desktop.Window, open func(id string) string) (window, id, problem string) {
	for _, w := range windows {
		if id := open(w.ID); id != "" {
			return w.ID, id, ""
		}
	}
	return "", "", fmt.Sprintf("Options.%s returns no id for any of the %d windows", option, len(windows))
}
