package desktoptest

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	_ "image/gif"  // what a picture may be
	_ "image/jpeg" // besides a PNG
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// observe runs one of the funcs of package desktop that look; false where the desktop does not
// have the tool, or it fails.
func observe[T any](s *subject, d desktop.Desktop, tool string, look func() (T, error)) (v T, ok bool) {
	if _, ok := s.box(d).Tool(tool); !ok {
		return v, false
	}
	v, err := bounded(s, fmt.Sprintf("Execute of %q", tool), look)
	if err != nil {
		s.add("%q is listed and cannot be used: %v", tool, err)
	}
	return v, err == nil
}

// windows lists the windows where the desktop can.
func (s *subject) windows(d desktop.Desktop) ([]desktop.Window, bool) {
	return observe(s, d, desktop.GetDesktopAppInfo, func() ([]desktop.Window, error) { return desktop.Windows(s.t.Context(), d) })
}

// appWindows are the window that commands act on, and those that it owns.
func (s *subject) appWindows(d desktop.Desktop) ([]desktop.Window, bool) {
	return observe(s, d, desktop.GetAppWindow, func() ([]desktop.Window, error) {
		w, owned, err := desktop.AppWindow(s.t.Context(), d)
		return append([]desktop.Window{w}, owned...), err
	})
}

// tree returns the controls, false where they cannot be seen.
func (s *subject) tree(d desktop.Desktop) ([]desktop.Control, bool) {
	return observe(s, d, desktop.GetUITree, func() ([]desktop.Control, error) { return desktop.UITree(s.t.Context(), d) })
}

// open reports whether there is a window, or nobody can tell.
func (s *subject) open(d desktop.Desktop) bool {
	windows, listed := s.windows(d)
	return len(windows) > 0 || !listed
}

// findWindows checks what is seen of windows and controls.
func findWindows(s *subject, d desktop.Desktop) {
	windows, _ := s.windows(d)
	focused := 0
	for i, w := range windows {
		if strings.TrimSpace(w.Root) == "" {
			s.add("window %d (%q) has no root: nobody can tell which program it is", i, w.ID)
		}
		if w.Focused {
			focused++
		}
	}
	if focused > 1 {
		s.add("%d windows have the focus: there is one at most", focused)
	}
	if s.open(d) {
		s.inside(d, "")
	}
}

// inside checks what is seen of the window that commands act on. want is its
// id, "" for any.
func (s *subject) inside(d desktop.Desktop, want string) {
	list, ok := s.appWindows(d)
	if ok && want != "" && list[0].ID != want {
		s.add("narrowed to the window %q, get_app_window describes %q: nobody can tell that it is this one", want, list[0].ID)
	}
	controls, _ := s.tree(d)
	nameless, n := 0, 0
	each(controls, func(c desktop.Control) {
		if n++; c.ID == "" {
			nameless++
		}
	})
	if nameless > 0 {
		s.add("%d of %d controls of get_ui_tree have no id: nobody can act on them", nameless, n)
	}
}

// findPictures looks at the screenshots that a desktop takes.
func findPictures(s *subject, d desktop.Desktop) {
	for _, tool := range []string{desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot} {
		if tool == desktop.CaptureWindowScreenshot && !s.open(d) {
			continue
		}
		res, ok := observe(s, d, tool, func() (desktop.Result, error) {
			return commands.Do(s.t.Context(), d, desktop.Command{ToolName: tool, Looks: true})
		})
		img := res.Image()
		if ok && img == nil {
			s.add("%q returns no image", tool)
		} else if ok && pictureProblem(img) != "" {
			s.add("%q: %s", tool, pictureProblem(img))
		}
	}
}

// pictureProblem reads an image. Forms that are not known here are believed.
func pictureProblem(img *desktop.Image) string {
	switch {
	case len(img.Data) == 0:
		return "the image is empty"
	case !strings.HasPrefix(img.MediaType, "image/"):
		return fmt.Sprintf("the media type of the image is %q, and not one such as image/png", img.MediaType)
	}
	_, format, err := image.Decode(bytes.NewReader(img.Data))
	switch said := strings.TrimPrefix(img.MediaType, "image/"); {
	case err == nil && said != format:
		return fmt.Sprintf("the media type of the image is %q, but it is a %s", img.MediaType, format)
	case err != nil && (said == "png" || said == "jpeg" || said == "gif"):
		return fmt.Sprintf("the image cannot be read as %s: %v", img.MediaType, err)
	}
	return ""
}

// view is a desktop narrowed to one window.
type view struct {
	desktop.Desktop
	window desktop.Window
}

// mains are the windows that belong to no other.
func (s *subject) mains(d desktop.Desktop) []desktop.Window {
	return slices.DeleteFunc(s.all(d), func(w desktop.Window) bool { return w.Owner != "" })
}

// all are the windows that are listed, and that of the Options, of which nothing but the id is
// known.
func (s *subject) all(d desktop.Desktop) []desktop.Window {
	windows, _ := s.windows(d)
	if id := s.opts.Window; id != "" && !slices.ContainsFunc(windows, func(w desktop.Window) bool { return w.ID == id }) {
		windows = append(windows, desktop.Window{ID: id})
	}
	return windows
}

// views narrows the desktop to each of these windows, where it can be narrowed.
func (s *subject) views(d desktop.Desktop, windows []desktop.Window) (list []view) {
	scoper, ok := d.(desktop.Scoper)
	for _, w := range windows {
		if ok {
			list = append(list, view{s.narrow(scoper, w.ID), w})
		}
	}
	return list
}

// narrow returns the desktop narrowed to a window that is there.
func (s *subject) narrow(scoper desktop.Scoper, id string) desktop.Desktop {
	scoped, err := s.scope(scoper, id)
	if err != nil {
		s.stop("Scope of the window %q, which is there, fails: %v", id, err)
	}
	return scoped
}

func (s *subject) scope(d desktop.Scoper, id string) (desktop.Desktop, error) {
	scoped, err := bounded(s, fmt.Sprintf("Scope of %q", id), func() (desktop.Desktop, error) { return d.Scope(s.t.Context(), id) })
	if err == nil && nilcheck.IsNil(scoped) {
		s.stop("Scope of the window %q returns neither a desktop nor an error", id)
	}
	return scoped, err
}

// at returns the desktop for commands in a window. "" is the one that they act on anyhow. Nil:
// it cannot be narrowed to that window, and acts on another.
func (s *subject) at(d desktop.Desktop, id string) desktop.Desktop {
	if id == "" {
		return d
	}
	if scoper, ok := d.(desktop.Scoper); ok {
		return s.narrow(scoper, id)
	}
	if list, _ := s.appWindows(d); len(list) > 0 && list[0].ID == id {
		return d
	}
	return nil
}

// findScope narrows the desktop to each window, where it can be narrowed.
func findScope(s *subject, d desktop.Desktop) {
	scoper, ok := d.(desktop.Scoper)
	if !ok {
		return
	}
	if _, err := s.scope(scoper, "an id that no window has"); err == nil {
		s.stop("Scope of a window that does not exist returns a desktop: commands would act on another window")
	}
	windows := s.all(d)
	s.views(d, windows)                     // twice, as when the same window is worked in again
	for _, v := range s.views(d, windows) { // only when it has been narrowed to all of them: one must not narrow another
		s.during(func() { s.usable(s.tools(v)) }, "narrowed to the window %q: ", v.window.ID)
		s.inside(v, v.window.ID)
		r := s.execute(s.t.Context(), v, desktop.Command{ToolName: "a_tool_that_nobody_has"})
		s.refused(r, desktop.ErrUnknownTool, "a command of a tool that does not exist, in the scope of a window,")
	}
}

// findIDs looks twice at the desktop and at each window.
func findIDs(s *subject, d desktop.Desktop) {
	look := func(d desktop.Desktop) {
		first, second := map[string]string{}, map[string]string{}
		controls, _ := s.tree(d)
		placed(controls, "", first)
		controls, _ = s.tree(d)
		placed(controls, "", second)
		for place, id := range first {
			if now, ok := second[place]; ok && now != id {
				s.stop("%s has the id %q in one look and %q in the next, with nothing in between", place, id, now)
			}
		}
	}
	if s.open(d) {
		look(d)
	}
	for _, v := range s.views(d, s.mains(d)) {
		s.during(func() { look(v) }, "narrowed to the window %q, ", v.window.ID)
	}
}

// placed maps what tells a control from others besides its id to its id: the type and name of each
// control around it and its own, and its number among those that have the same.
func placed(list []desktop.Control, around string, ids map[string]string) {
	count := map[string]int{}
	for _, c := range list {
		place := around + called(c)
		count[place]++
		place = fmt.Sprintf("%s number %d", place, count[place])
		ids[place] = c.ID
		placed(c.Children, place+", ", ids)
	}
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
