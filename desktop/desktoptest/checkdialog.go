package desktoptest

import (
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// findDialog opens a modal dialog of a window and looks for it there and elsewhere.
func findDialog(s *subject) []string {
	if s.opts.OpenDialog == nil {
		return nil
	}
	return s.with(func(d desktop.Desktop) []string {
		windows := s.mains(d)
		if len(windows) == 0 {
			return nil
		}
		var p problems
		views := s.views(d, windows) // before: an agent is narrowed when the dialog opens
		before := s.idsSeen(views)
		owner, dialog, problem := opened("OpenDialog", windows, func(id string) string { return s.opts.OpenDialog(d, id) })
		if p.put(problem) {
			return p
		}
		s.findListed(&p, d, owner, dialog)
		var inDialog map[string]bool
		for _, v := range views {
			if v.window.ID == owner {
				s.findOwned(&p, v, dialog)
				inDialog = s.findFirst(&p, v, dialog, before[owner])
			}
		}
		for _, v := range views {
			if v.window.ID != owner {
				s.findStray(&p, v, dialog, inDialog, before[v.window.ID])
			}
		}
		if len(p) > 0 || len(views) == 0 {
			return p
		}
		if again := s.at(&p, d, owner); again != nil { // an agent may also come when it is open
			v := view{again, desktop.Window{ID: owner}}
			s.findOwned(&p, v, dialog)
			s.findFirst(&p, v, dialog, before[owner])
		}
		return p
	})
}

// findListed looks for the dialog in the list of windows.
func (s *subject) findListed(p *problems, d desktop.Desktop, owner, dialog string) {
	windows, ok, problem := s.windows(d)
	if p.put(problem) || !ok {
		return
	}
	i := slices.IndexFunc(windows, func(w desktop.Window) bool { return w.ID == dialog })
	switch {
	case i < 0:
		p.add("get_desktop_app_info does not list the dialog %q of the window %q", dialog, owner)
	case windows[i].Owner != owner:
		p.add("get_desktop_app_info lists the dialog %q of the window %q with the Owner %q", dialog, owner, windows[i].Owner)
	}
}

// findOwned looks for the dialog in what describes its window.
func (s *subject) findOwned(p *problems, v view, dialog string) {
	list, ok, problem := s.appWindows(v)
	if p.put(problem) || !ok {
		return
	}
	owner, w := v.window.ID, list[0]
	if w.ID != owner {
		p.add("narrowed to the window %q, in front of which the dialog %q is, get_app_window describes %q first", owner, dialog, w.ID)
		return
	}
	if w.Dialog != dialog {
		p.add("narrowed to the window %q, in front of which the dialog %q is, get_app_window says that the Dialog is %q", owner, dialog, w.Dialog)
	}
	i := slices.IndexFunc(list, func(o desktop.Window) bool { return o.ID == dialog })
	switch {
	case i < 0:
		p.add("narrowed to the window %q, get_app_window does not list its dialog %q", owner, dialog)
	case list[i].Owner != owner:
		p.add("narrowed to the window %q, get_app_window lists its dialog %q with the Owner %q", owner, dialog, list[i].Owner)
	}
}

// findFirst looks for the dialog's controls in front of those that the window had before, and
// returns their ids.
func (s *subject) findFirst(p *problems, v view, dialog string, before map[string]bool) map[string]bool {
	controls, ok, problem := s.tree(v)
	if p.put(problem) || !ok {
		return nil
	}
	added := idsIn(controls)
	for id := range before {
		delete(added, id)
	}
	switch {
	case len(added) == 0:
		p.add("narrowed to the window %q, get_ui_tree has no controls of its dialog %q", v.window.ID, dialog)
	case before[controls[0].ID]:
		p.add("narrowed to the window %q, get_ui_tree lists the control %q of the window before those of its dialog %q",
			v.window.ID, controls[0].ID, dialog)
	case len(controls[0].Children) == 0:
		p.add("narrowed to the window %q, get_ui_tree begins with %q, which has nothing in it: list a control for the dialog %q, and inside it what the dialog has",
			v.window.ID, controls[0].ID, dialog)
	default:
		return idsIn(controls[:1])
	}
	return nil
}

// findStray looks for the dialog in a window that it does not belong to.
func (s *subject) findStray(p *problems, v view, dialog string, inDialog, before map[string]bool) {
	list, ok, problem := s.appWindows(v)
	p.put(problem)
	if ok && (list[0].Dialog == dialog || slices.ContainsFunc(list, func(o desktop.Window) bool { return o.ID == dialog })) {
		p.add("narrowed to the window %q, get_app_window knows of the dialog %q of another window", v.window.ID, dialog)
	}
	controls, _, problem := s.tree(v)
	p.put(problem)
	for id := range idsIn(controls) {
		if inDialog[id] && !before[id] {
			p.add("narrowed to the window %q, get_ui_tree has controls of the dialog %q of another window", v.window.ID, dialog)
			return
		}
	}
}
