package playwright

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// window is the browser's one window.
func (v *view) window(ctx context.Context) (desktop.Result, error) {
	s := &sight{}
	if !v.lost {
		found, err := v.present(ctx)
		switch {
		case err == nil:
			s = found
		case !isRefusal(err):
			return desktop.Result{}, err
		}
	}
	title := join(s.title, clip(withoutQuery(s.url), maxURL))
	if title == "" {
		title = v.opts.Name
	}
	w := desktop.Window{ID: v.windowID(), Root: v.opts.Name, Process: v.windowID(), Title: title, Focused: true}
	if s.dialog != nil {
		w.Dialog = idDialog
	}
	if n := active(s.nodes); n != nil {
		w.Focus = n.ref
	}
	return desktop.JSONResult([]desktop.Window{w})
}

// active returns the element that has the focus, the innermost one.
func active(nodes []*node) *node {
	for _, n := range nodes {
		if inner := active(n.children); inner != nil {
			return inner
		}
		if n.ref != "" && slices.Contains(n.states, "focused") {
			return n
		}
	}
	return nil
}

// screenshot is capture_window_screenshot.
func (v *view) screenshot(ctx context.Context, save string) (desktop.Result, error) {
	if save != "" {
		return desktop.Result{}, refuse("the picture cannot be kept in a file")
	}
	s, err := v.present(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if v.origins != nil && blankPage(s.url) {
		return desktop.Result{}, refuse("the page is empty")
	}
	res, err := v.do(ctx, "browser_take_screenshot", map[string]any{"type": "png", "scale": "css"})
	if err != nil {
		return desktop.Result{}, err
	}
	// The page may have become another while the picture was taken.
	if _, err := v.settle(ctx); err != nil {
		return desktop.Result{}, err
	}
	img := res.Image()
	if img == nil {
		return desktop.Result{}, refuse("the server returned no picture")
	}
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: img}}}, nil
}

// texts reads a control, or all of the page.
func (v *view) texts(ctx context.Context, id string) (desktop.Result, error) {
	s, err := v.present(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	o := &outline{frames: v.frames()}
	if s.dialog != nil {
		if id == idDialog || id == idPage {
			return desktop.TextResult(s.dialog.message), nil
		}
		return desktop.Result{}, refuse("a dialog is open: %s", s.dialog.message)
	}
	nodes := s.nodes
	if id != idPage {
		n := find(nodes, refOf(id), v.frames())
		if n == nil {
			return desktop.Result{}, refuse("there is no control %q", clip(id, 60))
		}
		nodes = []*node{n}
	}
	var text strings.Builder
	for _, n := range nodes {
		o.all(&text, n)
	}
	return desktop.TextResult(clip(strings.TrimSpace(text.String()), maxText)), nil
}

// all writes the whole text of an element, each passage on a line of its own.
func (o *outline) all(w *strings.Builder, n *node) {
	switch {
	case n.role == "iframe" && !o.frames:
		return
	case passages[n.role] || places[n.role]:
		w.WriteString("\n")
	}
	switch {
	case deeds[n.role]:
		space(w, oneLine(n.name))
		if value := o.valueOf(n); n.role != "button" && n.role != "link" || n.name == "" {
			space(w, value)
		}
		if n.role == "link" || n.role == "button" || chooses(n) || n.name != "" {
			return
		}
	case len(n.children) == 0 && n.text == "":
		space(w, oneLine(n.name))
	default:
		space(w, oneLine(n.text))
	}
	for i, c := range n.children {
		if i > 0 && n.role == "row" {
			w.WriteString(" |")
		}
		o.all(w, c)
	}
}
