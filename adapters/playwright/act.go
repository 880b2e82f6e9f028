package playwright

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// aim returns the element that a command means, if it is still what was shown. The
// server's word for it (a ref) is not enough: two tabs have the same refs, and so has
// a browser that was started again.
func (v *view) aim(ctx context.Context, id, name string) (*node, error) {
	was, ok := v.shown.controls[id]
	if !ok {
		return nil, refuse("the control %q was not shown by the last look at the page", brief(id))
	}
	s, err := v.same(ctx)
	if err != nil {
		return nil, err
	}
	if s.dialog != nil {
		return nil, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
	}
	ref := refOf(id)
	if ref == "" {
		return nil, refuse("with the control %q nothing can be done", brief(id))
	}
	n := find(s.nodes, ref, true)
	if n == nil {
		return nil, refuse("the control %s is not there any more", id)
	}
	is, ok := (&outline{frames: v.frames()}).identity(s.nodes, ref)
	switch {
	case !ok:
		return nil, refuse("the control %s was a %s called %q, and is nothing that can be used by now", id, was.typ, was.name)
	case is.typ != was.typ || is.name != was.name:
		return nil, refuse("the control %s was a %s called %q, and is a %s called %q by now", id, was.typ, was.name, is.typ, is.name)
	case is.about != was.about:
		return nil, refuse("the %s %q (%s) belonged to %q, and belongs to %q by now", is.typ, is.name, id, clip(was.about, maxWithin), clip(is.about, maxWithin))
	case n.role == "iframe":
		return nil, refuse("act on a control inside the frame %s; nobody sees what a click on the frame would do", id)
	}
	if name != "" && name != is.name {
		return nil, refuse("the control %s is called %q", id, is.name)
	}
	if slices.Contains(n.states, "disabled") {
		return nil, refuse("the control %s is disabled", id)
	}
	if problem := v.origins.astray(s.url, n); problem != "" {
		return nil, refusal(problem)
	}
	return n, nil
}

// same looks at the page, which must be the one that was shown.
func (v *view) same(ctx context.Context) (*sight, error) {
	s, err := v.settle(ctx)
	if err != nil {
		return nil, err
	}
	if v.shown.controls == nil || v.shown.instance != v.instance || s.url != v.shown.url || s.tab != v.shown.tab || len(s.tabs) < v.shown.tabs {
		return nil, refuse("the page is another one than the one that was shown")
	}
	return s, nil
}

// perform calls a tool of the server that changes something, and looks what became
// of it.
func (v *view) perform(ctx context.Context, did, tool string, args map[string]any) (desktop.Result, error) {
	before := v.at
	_, err := v.do(ctx, tool, args)
	if err == nil {
		return v.after(ctx, did)
	}
	if !isRefusal(err) {
		return desktop.Result{}, err
	}
	s, lost := v.settle(ctx)
	switch {
	case lost != nil: // that is the reason, then
		return desktop.Result{}, lost
	case !closed(err) || len(s.tabs) >= v.shown.tabs:
		return desktop.Result{}, err
	}
	v.at = before
	res, err := v.after(ctx, did)
	res.Unverified = "the browser tab closed before the server said that this was done"
	return res, err
}

// closed reports whether the page of a command closed, or its browser, before the
// server had an answer: the page may have closed by that very command.
func closed(err error) bool { return strings.Contains(err.Error(), "has been closed") }

// after says what there is behind an act.
func (v *view) after(ctx context.Context, did string) (desktop.Result, error) {
	before := v.at
	s, err := v.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if s.dialog != nil && s.dialog.kind == fileChooser {
		if err := v.drop(ctx, s.dialog); err != nil {
			return desktop.Result{}, err
		}
		return desktop.Result{}, refuse("it asks for a file: that was cancelled")
	}
	if s.url != before {
		did += "; the page is " + clip(s.url, 2*maxURL) + " now"
	}
	if s.dialog != nil {
		did += "; a dialog is open (" + s.dialog.kind + "): " + s.dialog.message
	}
	if len(s.tabs) > 1 {
		did += "; there are several browser tabs"
	}
	return desktop.TextResult(did), nil
}

func (v *view) click(ctx context.Context, a arguments) (desktop.Result, error) {
	if strings.HasPrefix(a.ID, "tab") || a.ID == idDialog {
		return desktop.Result{}, refuse("click on what is on the page; for tabs and dialogs there are other tools")
	}
	n, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	args := aimed(n, map[string]any{})
	if a.Button != "" && a.Button != "left" {
		args["button"] = a.Button
	}
	if a.Double {
		args["doubleClick"] = true
	}
	return v.perform(ctx, "clicked", "browser_click", args)
}

func (v *view) setText(ctx context.Context, a arguments) (desktop.Result, error) {
	n, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.perform(ctx, "set", "browser_type", aimed(n, map[string]any{"text": a.Text}))
}

func (v *view) navigate(ctx context.Context, url string) (desktop.Result, error) {
	if problem := v.origins.problem(url); problem != "" {
		return desktop.Result{}, refusal(problem)
	}
	if !v.lost {
		s, err := v.settle(ctx) // whether this is still the browser that was seen
		if err != nil && !isRefusal(err) || v.lost {
			return desktop.Result{}, err
		}
		if s != nil && s.dialog != nil {
			return desktop.Result{}, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
		}
	}
	v.lost, v.opened, v.at = false, true, ""
	return v.perform(ctx, "opened", "browser_navigate", map[string]any{"url": url})
}

func (v *view) back(ctx context.Context) (desktop.Result, error) {
	s, err := v.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if s.dialog != nil {
		return desktop.Result{}, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
	}
	v.at = "" // an empty page may be before this one
	res, err := v.perform(ctx, "went back", "browser_navigate_back", nil)
	if err == nil && v.at == blank {
		return desktop.Result{}, refuse("there is no page before this one: the page is empty now")
	}
	return res, err
}

func (v *view) changeTab(ctx context.Context, tool, id string) (desktop.Result, error) {
	was, ok := v.shown.controls[id]
	if !ok || was.typ != typeTab {
		return desktop.Result{}, refuse("the browser tab %q was not shown by the last look", brief(id))
	}
	s, err := v.same(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	for i, t := range s.tabs {
		if idTab(i) != id || t.title != was.name && !(v.foreign(t) && was.name == "") {
			continue
		}
		v.at = "" // the other tab may be empty
		if tool == selectTab {
			return v.perform(ctx, "selected", "browser_tabs", map[string]any{"action": "select", "index": i})
		}
		return v.perform(ctx, "closed", "browser_tabs", map[string]any{"action": "close", "index": i})
	}
	return desktop.Result{}, refuse("the browser tabs are others by now")
}

func (v *view) answer(ctx context.Context, accept bool, a arguments) (desktop.Result, error) {
	was, ok := v.shown.controls[idDialog]
	if !ok {
		return desktop.Result{}, refuse("no dialog was shown by the last look at the page")
	}
	s, err := v.same(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if s.dialog == nil || s.dialog.control().Name != was.name || s.dialog.control().Type != was.typ {
		return desktop.Result{}, refuse("the dialog that was shown is not open any more")
	}
	args := map[string]any{"accept": accept}
	if accept && s.dialog.kind == "prompt" {
		args["promptText"] = a.Text
	}
	v.at = s.url
	return v.perform(ctx, "answered", "browser_handle_dialog", args)
}
