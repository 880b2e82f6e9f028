package desktoptest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// findGone closes a window without the focus and, on another desktop, the one that has it.
func findGone(s *subject) []string {
	if s.opts.CloseWindow == nil {
		return nil
	}
	p := problems(s.with(func(d desktop.Desktop) []string { return s.closeOne(d, false) }))
	if len(p) == 0 {
		p = s.with(func(d desktop.Desktop) []string { return s.closeOne(d, true) })
	}
	return p
}

// closeOne closes a window that has, or has not, the focus; or another, where there is none
// such.
func (s *subject) closeOne(d desktop.Desktop, focused bool) []string {
	var p problems
	views := s.views(d, s.mains(d))
	if len(views) == 0 {
		return nil
	}
	v := views[max(0, slices.IndexFunc(views, func(v view) bool { return v.window.Focused == focused }))]
	tools := s.looks(v)
	s.opts.CloseWindow(d, v.window.ID)
	for _, tool := range tools {
		p.put(s.missed(v, tool))
	}
	for _, o := range views {
		if o.window.ID == v.window.ID || sameProcess(v.window, o.window) { // a crash takes those of its process with it
			continue
		}
		for _, problem := range s.inside(o, o.window.ID) {
			p.add("after the window %q was closed: %s", v.window.ID, problem)
		}
	}
	return p
}

func sameProcess(a, b desktop.Window) bool {
	return a.Process != "" && a.Root == b.Root && a.Process == b.Process
}

// looks are the tools that tell whether the window of a view is there.
func (s *subject) looks(v view) (tools []string) {
	box, problem := s.box(v)
	if problem != "" {
		return nil // the check of Scope reports it
	}
	for _, name := range []string{desktop.GetAppWindow, desktop.GetUITree} {
		if _, ok := box.Tool(name); ok {
			tools = append(tools, name)
		}
	}
	return tools
}

// missed says what is wrong with the answer to a look at a window that is closed.
func (s *subject) missed(v view, tool string) string {
	cmd := desktop.Command{ToolName: tool, Parameters: map[string]any{}, Looks: true, CallID: callID}
	r := s.execute(s.t.Context(), v, cmd)
	what := fmt.Sprintf("%q, narrowed to the window %q, which was closed since,", tool, v.window.ID)
	const instead = "return a failure that is Gone, or an error that wraps desktop.ErrWindowGone"
	switch {
	case r.problem != "":
		return r.problem
	case errors.Is(r.err, desktop.ErrWindowGone):
		return ""
	case r.err != nil:
		return fmt.Sprintf("%s ends with the error %q, as a broken transport does: %s", what, r.err, instead)
	case r.Status != desktop.Failure:
		return fmt.Sprintf("%s ends with %v, so it describes another window, or one that is not there: %s", what, r, instead)
	case !r.Gone:
		return fmt.Sprintf("%s ends with %v and does not say that the window is gone: %s", what, r, instead)
	}
	return ""
}
