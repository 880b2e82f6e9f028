package desktoptest

import (
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// findGone closes a window without the focus and, on another desktop, the one that has it.
func findGone(s *subject) {
	s.with(func(d desktop.Desktop) { s.closeOne(d, false) })
	s.with(func(d desktop.Desktop) { s.closeOne(d, true) })
}

// closeOne closes a window that has, or has not, the focus; or another, where there is none
// such.
func (s *subject) closeOne(d desktop.Desktop, focused bool) {
	views := s.views(d, s.mains(d))
	if len(views) == 0 {
		return
	}
	v := views[max(0, slices.IndexFunc(views, func(v view) bool { return v.window.Focused == focused }))]
	box := s.box(v)
	s.opts.CloseWindow(d, v.window.ID)
	for _, tool := range []string{desktop.GetAppWindow, desktop.GetUITree} {
		if _, ok := box.Tool(tool); ok {
			s.missed(v, tool)
		}
	}
	for _, o := range views {
		sameProcess := o.window.Process != "" && o.window.Root == v.window.Root && o.window.Process == v.window.Process
		if o.window.ID != v.window.ID && !sameProcess { // a crash takes those of its process with it
			s.during(func() { s.inside(o, o.window.ID) }, "after the window %q was closed: ", v.window.ID)
		}
	}
}

// missed says what is wrong with the answer to a look at a window that is closed.
func (s *subject) missed(v view, tool string) {
	r := s.execute(s.t.Context(), v, desktop.Command{ToolName: tool, Parameters: map[string]any{}, Looks: true})
	gone := errors.Is(r.err, desktop.ErrWindowGone) || r.err == nil && r.Status == desktop.Failure && r.Gone
	if !gone {
		s.add("%q, narrowed to the window %q, which was closed since, ends with %v: return a failure that is Gone, or an error that wraps desktop.ErrWindowGone",
			tool, v.window.ID, r)
	}
}

// opened calls a func of the Options with one window after another until it opens something,
// and returns in which it did.
func (s *subject) opened(option string, windows []desktop.Window, open func(id string) string) (window, id string) {
	for _, w := range windows {
		if id := open(w.ID); id != "" {
			return w.ID, id
		}
	}
	s.stop("Options.%s returns no id for any of the %d windows", option, len(windows))
	return "", ""
}

func indexOf(windows []desktop.Window, id string) int {
	return slices.IndexFunc(windows, func(w desktop.Window) bool { return w.ID == id })
}

// findDialog opens a modal dialog of a window and looks for it there and elsewhere.
func findDialog(s *subject, d desktop.Desktop) {
	windows := s.mains(d)
	if len(windows) == 0 {
		return
	}
	views := s.views(d, windows) // before: an agent is narrowed when the dialog opens
	before := map[string]map[string]bool{}
	for _, v := range views {
		controls, _ := s.tree(v)
		before[v.window.ID] = idsIn(controls)
	}
	owner, dialog := s.opened("OpenDialog", windows, func(id string) string { return s.opts.OpenDialog(d, id) })
	if listed, ok := s.windows(d); ok {
		s.ownedBy(owner, listed, dialog, "get_desktop_app_info")
	}
	var inDialog map[string]bool
	look := func(d desktop.Desktop) {
		s.during(func() { inDialog = s.findOwned(d, owner, dialog, before[owner]) }, "narrowed to the window %q, ", owner)
	}
	for _, v := range views {
		if v.window.ID == owner {
			look(v)
		}
	}
	for _, v := range views {
		if v.window.ID != owner {
			s.during(func() { s.findStray(v, dialog, inDialog, before[v.window.ID]) }, "narrowed to the window %q, ", v.window.ID)
		}
	}
	if scoper, ok := d.(desktop.Scoper); ok && len(s.problems) == 0 { // an agent may also come when it is open
		look(s.narrow(scoper, owner))
	}
}

// ownedBy looks for the dialog in a list of windows.
func (s *subject) ownedBy(owner string, list []desktop.Window, dialog, tool string) {
	switch i := indexOf(list, dialog); {
	case i < 0:
		s.add("%s does not list the dialog %q of the window %q", tool, dialog, owner)
	case list[i].Owner != owner:
		s.add("%s lists the dialog %q of the window %q with the Owner %q", tool, dialog, owner, list[i].Owner)
	}
}

// findOwned looks for the dialog in its window: get_app_window describes it, and its controls come
// before those that the window had. It returns the ids of its controls.
func (s *subject) findOwned(d desktop.Desktop, owner, dialog string, before map[string]bool) map[string]bool {
	if list, ok := s.appWindows(d); ok {
		if list[0].ID != owner || list[0].Dialog != dialog {
			s.stop("get_app_window describes %q with the Dialog %q, and not %q with the Dialog %q", list[0].ID, list[0].Dialog, owner, dialog)
		}
		s.ownedBy(owner, list, dialog, "get_app_window")
	}
	controls, ok := s.tree(d)
	if !ok {
		return nil
	}
	switch {
	case len(controls) == 0 || before[controls[0].ID]:
		s.add("get_ui_tree does not begin with the controls of the dialog %q", dialog)
	case len(controls[0].Children) == 0:
		s.add("get_ui_tree begins with %q, which has nothing in it: list a control for the dialog %q, and inside it what the dialog has",
			controls[0].ID, dialog)
	default:
		return idsIn(controls[:1])
	}
	return nil
}

// findStray looks for the dialog in a window that it does not belong to.
func (s *subject) findStray(v view, dialog string, inDialog, before map[string]bool) {
	list, ok := s.appWindows(v)
	if ok && (list[0].Dialog == dialog || indexOf(list, dialog) >= 0) {
		s.add("get_app_window knows of the dialog %q of another window", dialog)
	}
	controls, _ := s.tree(v)
	each(controls, func(c desktop.Control) {
		if inDialog[c.ID] && !before[c.ID] {
			s.add("get_ui_tree has controls of the dialog %q of another window", dialog)
		}
	})
}

// findSecond opens another window of a process and narrows the desktop to both.
func findSecond(s *subject, d desktop.Desktop) {
	windows := s.mains(d)
	if len(windows) == 0 {
		return
	}
	views := s.views(d, windows) // before: an agent is narrowed when the other window opens
	first, second := s.opened("OpenSecond", windows, func(id string) string { return s.opts.OpenSecond(d, id) })
	if second == first {
		s.stop("the second window of the process has the id of the first, %q", first)
	}
	for _, v := range views {
		if v.window.ID == first {
			s.inside(v, first)
		}
	}
	if listed, ok := s.windows(d); ok && indexOf(listed, second) < 0 {
		s.add("get_desktop_app_info does not list %q, the second window of the process of %q", second, first)
	}
	for _, v := range s.views(d, []desktop.Window{{ID: first}, {ID: second}}) {
		s.inside(v, v.window.ID)
	}
}

// findMoved moves a control and looks for it.
func findMoved(s *subject, d desktop.Desktop) {
	before := map[string][]desktop.Control{}
	before[""], _ = s.tree(d)
	for _, v := range s.views(d, s.mains(d)) {
		before[v.window.ID], _ = s.tree(v)
	}
	window, id := s.opts.MoveControl(d)
	at := s.at(d, window)
	if at == nil {
		return
	}
	now, ok := s.tree(at)
	if !ok {
		return
	}
	if _, ok := d.(desktop.Scoper); !ok {
		window = "" // as which it was seen
	}
	was, is := findControl(before[window], id), findControl(now, id)
	if was == nil {
		s.stop("Options.MoveControl returns the control %q, which was not in the window %q before", id, window)
	}
	if is == nil || is.Name != was.Name || is.Type != was.Type {
		s.stop("the id %q, which %s had before it moved, is now that of another control, or of none", id, called(*was))
	}
	if was.Bounds == is.Bounds && was.Bounds != [4]int{} {
		s.add("the control %q moved, and get_ui_tree says that its Bounds are %v as before", id, is.Bounds)
	}
	alone, ok := observe(s, at, desktop.GetControl, func() (c desktop.Control, err error) {
		res, err := commands.Do(s.t.Context(), at, desktop.Command{
			ToolName: desktop.GetControl, Parameters: map[string]any{"id": id}, Looks: true,
		})
		if err == nil {
			err = res.Decode(&c)
		}
		return c, err
	})
	is.Children, alone.Children = nil, nil
	if want, got := written(is), written(alone); ok && got != want { // as JSON, where an empty list and none are the same
		s.add("get_control returns %s after the control %q moved, and get_ui_tree %s", got, id, want)
	}
}

// large is how many controls the window of Options.LargeWindow has.
const large = 2000

// findLarge looks at a window with many controls.
func findLarge(s *subject, d desktop.Desktop) {
	id := s.opts.LargeWindow(d)
	at := s.at(d, id)
	if at == nil {
		return
	}
	s.during(func() { s.inside(at, "") }, "with many controls in the window %q: ", id)
	if controls, ok := s.tree(at); ok && len(idsIn(controls)) < large && len(s.problems) == 0 {
		s.add("get_ui_tree has %d controls in the window %q of Options.LargeWindow, which has %d or more", len(idsIn(controls)), id, large)
	}
}
