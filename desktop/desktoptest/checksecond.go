package desktoptest

import (
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// findSecond opens another window of a process and narrows the desktop to both.
func findSecond(s *subject) []string {
	if s.opts.OpenSecond == nil {
		return nil
	}
	return s.with(func(d desktop.Desktop) []string {
		windows := s.mains(d)
		if len(windows) == 0 {
			return nil
		}
		var p problems
		views := s.views(d, windows) // before: an agent is narrowed when the other window opens
		first, second, problem := opened("OpenSecond", windows, func(id string) string { return s.opts.OpenSecond(d, id) })
		if p.put(problem) {
			return p
		}
		if second == first {
			p.add("the second window of the process has the id of the first, %q", first)
			return p
		}
		for _, v := range views {
			if v.window.ID == first {
				p = append(p, s.inside(v, first)...)
			}
		}
		listed, ok, problem := s.windows(d)
		p.put(problem)
		if ok && !slices.ContainsFunc(listed, func(w desktop.Window) bool { return w.ID == second }) {
			p.add("get_desktop_app_info does not list %q, the second window of the process of %q", second, first)
		}
		if _, ok := d.(desktop.Scoper); !ok {
			return p
		}
		one, other := s.at(&p, d, first), s.at(&p, d, second)
		if one != nil && other != nil && len(p) == 0 {
			p = append(p, s.inside(one, first)...)
			p = append(p, s.inside(other, second)...)
		}
		return p
	})
}
