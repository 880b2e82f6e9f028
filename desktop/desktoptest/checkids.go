package desktoptest

import (
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// findIDs looks twice at the desktop and at each window.
func findIDs(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		for _, v := range append([]view{{Desktop: d}}, s.views(d, s.mains(d))...) {
			first, ok, _ := s.tree(v.Desktop) // other checks say what is wrong with a tree
			if !ok {
				continue
			}
			second, ok, _ := s.tree(v.Desktop)
			if problem := renamed(first, second); ok && problem != "" {
				p.add("%s%s, with nothing in between", v.where(), problem)
			}
		}
		return p
	})
}

// renamed says which control has another id in the second tree.
func renamed(first, second []desktop.Control) (problem string) {
	now := map[string]desktop.Control{}
	placed(second, "", func(place string, c desktop.Control) { now[place] = c })
	placed(first, "", func(place string, c desktop.Control) {
		if is, ok := now[place]; ok && is.ID != c.ID && problem == "" {
			problem = fmt.Sprintf("%s has the id %q in one look and %q in the next", called(c), c.ID, is.ID)
		}
	})
	return problem
}

// placed calls f for every control with what tells it from others besides its id: the type and
// name of each control around it and its own, and its number among those that have the same.
func placed(list []desktop.Control, around string, f func(place string, c desktop.Control)) {
	count := map[string]int{}
	for _, c := range list {
		place := fmt.Sprintf("%s/%q %q", around, c.Type, c.Name)
		count[place]++
		place = fmt.Sprint(place, count[place])
		f(place, c)
		placed(c.Children, place, f)
	}
}

// large is how many controls the window of Options.LargeWindow has.
const large = 2000

// findLarge looks at a window with many controls.
func findLarge(s *subject) []string {
	if s.opts.LargeWindow == nil {
		return nil
	}
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		id := s.opts.LargeWindow(d)
		at := s.at(&p, d, id)
		if at == nil {
			return p
		}
		controls, ok, problem := s.tree(at)
		if line, _, _ := strings.Cut(problem, "\n"); line != "" { // of thousands that have one id, the first is enough
			p.add("with many controls in the window %q: %s", id, line)
		}
		n, nameless := 0, 0
		each(controls, func(c desktop.Control) {
			n++
			if c.ID == "" {
				nameless++
			}
		})
		switch {
		case ok && n < large:
			p.add("get_ui_tree has %d controls in the window %q of Options.LargeWindow, which has %d or more", n, id, large)
		case ok && nameless > 0:
			p.add("%d of %d controls in the window %q have no id", nameless, n, id)
		}
		return p
	})
}
