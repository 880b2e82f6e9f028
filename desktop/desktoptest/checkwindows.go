package desktoptest

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif"  // what a picture may be
	_ "image/jpeg" // besides a PNG
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// observe runs one of the funcs of package desktop that look, where the desktop
// has the tool.
func observe[T any](s *subject, d desktop.Desktop, tool string, look func() (T, error)) (v T, ok bool, problem string) {
	box, problem := s.box(d)
	if problem != "" {
		return v, false, problem
	}
	if _, ok := box.Tool(tool); !ok {
		return v, false, ""
	}
	v, problem, err := bounded(s, fmt.Sprintf("Execute of %q", tool), look)
	if problem == "" && err != nil {
		problem = fmt.Sprintf("%q is listed and cannot be used: %v", tool, err)
	}
	return v, problem == "", problem
}

// windows lists the windows where the desktop can.
func (s *subject) windows(d desktop.Desktop) ([]desktop.Window, bool, string) {
	return observe(s, d, desktop.GetDesktopAppInfo, func() ([]desktop.Window, error) { return desktop.Windows(s.t.Context(), d) })
}

// findWindows checks what is seen of windows and controls.
func findWindows(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		windows, listed, problem := s.windows(d)
		p.put(problem)
		focused := 0
		for i, w := range windows {
			if strings.TrimSpace(w.Root) == "" {
				p.add("window %d (%q) has no root: nobody can tell which program it is", i, w.ID)
			}
			if w.Focused {
				focused++
			}
		}
		if focused > 1 {
			p.add("%d windows have the focus: there is one at most", focused)
		}
		if listed && len(windows) == 0 {
			return p // nothing is open, so there is nothing in front either
		}
		p = append(p, s.inside(d, "")...)
		return p
	})
}

// inside checks what is seen of the window that commands act on. want is its
// id, "" for any.
func (s *subject) inside(d desktop.Desktop, want string) []string {
	var p problems
	w, ok, problem := observe(s, d, desktop.GetAppWindow, func() (w desktop.Window, err error) {
		w, _, err = desktop.AppWindow(s.t.Context(), d)
		return w, err
	})
	p.put(problem)
	switch {
	case !ok || want == "" || w.ID == want:
	case w.ID == "":
		p.add("narrowed to the window %q, get_app_window describes a window without id: nobody can tell that it is this one", want)
	default:
		p.add("narrowed to the window %q, get_app_window describes %q", want, w.ID)
	}
	controls, _, problem := s.tree(d)
	p.put(problem)
	each(controls, func(c desktop.Control) {
		if c.ID == "" && problem == "" { // else the id may be one that others have, too
			p.add("the control %q of get_ui_tree has no id: nobody can act on it", c.Name)
		}
	})
	return p
}

// findPictures looks at the screenshots that a desktop takes.
func findPictures(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		windows, listed, _ := s.windows(d)
		for _, tool := range []string{desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot} {
			if tool == desktop.CaptureWindowScreenshot && listed && len(windows) == 0 {
				continue
			}
			res, ok, problem := observe(s, d, tool, func() (desktop.Result, error) {
				return commands.Do(s.t.Context(), d, desktop.Command{ToolName: tool, Looks: true})
			})
			if p.put(problem) || !ok {
				continue
			}
			img := res.Image()
			if img == nil {
				p.add("%q returns no image", tool)
			} else if problem := pictureProblem(img); problem != "" {
				p.add("%q: %s", tool, problem)
			}
		}
		return p
	})
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
