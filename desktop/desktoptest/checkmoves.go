package desktoptest

import (
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// findMoved moves a control and looks for it.
func findMoved(s *subject) []string {
	if s.opts.MoveControl == nil {
		return nil
	}
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		before := map[string][]desktop.Control{}
		before[""], _, _ = s.tree(d)
		for _, v := range s.views(d, s.mains(d)) {
			before[v.window.ID], _, _ = s.tree(v)
		}
		window, id := s.opts.MoveControl(d)
		at := s.at(&p, d, window)
		if at == nil {
			return p
		}
		now, ok, problem := s.tree(at)
		if p.put(problem) || !ok {
			return p
		}
		if _, ok := d.(desktop.Scoper); !ok {
			window = "" // as which it was seen
		}
		was := findControl(before[window], id)
		if was == nil {
			p.add("Options.MoveControl returns the control %q, which was not in the window %q before", id, window)
			return p
		}
		is := findControl(now, id)
		if problem := lost(*was, is, now); p.put(problem) {
			return p
		}
		if was.Bounds == is.Bounds && was.Bounds != [4]int{} {
			p.add("the control %q moved, and get_ui_tree says that its Bounds are %v as before", id, is.Bounds)
		}
		p.put(s.asInTree(at, *is))
		return p
	})
}

// lost says that a control is not found by its id any more. is has that id now, or is nil.
func lost(was desktop.Control, is *desktop.Control, now []desktop.Control) (problem string) {
	switch {
	case is == nil:
		problem = fmt.Sprintf("%s has the id %q no more after it moved", called(was), was.ID)
		each(now, func(c desktop.Control) {
			if c.Name == was.Name && c.Type == was.Type {
				problem = fmt.Sprintf("%s had the id %q before it moved, and now has %q", called(was), was.ID, c.ID)
			}
		})
	case is.Name != was.Name || is.Type != was.Type:
		problem = fmt.Sprintf("the id %q, which %s had before it moved, is now that of %s", was.ID, called(was), called(*is))
	}
	return problem
}

// asInTree compares what get_control says, where there is such a tool.
func (s *subject) asInTree(d desktop.Desktop, inTree desktop.Control) string {
	alone, ok, problem := observe(s, d, desktop.GetControl, func() (c desktop.Control, err error) {
		res, err := commands.Do(s.t.Context(), d, desktop.Command{
			ToolName: desktop.GetControl, Parameters: map[string]any{"id": inTree.ID}, Looks: true,
		})
		if err == nil {
			err = res.Decode(&c)
		}
		return c, err
	})
	inTree.Children, alone.Children = nil, nil
	want, got := written(inTree), written(alone)
	if ok && got != want {
		return fmt.Sprintf("get_control returns %s after the control %q moved, and get_ui_tree %s", got, inTree.ID, want)
	}
	return problem
}
