package playwright

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// aim returns the element that a command means, if it is still what was shown. A ref
// is not enough: two tabs have the same refs, and so has a browser that was started again.
func (v *view) aim(ctx context.Context, id, name string) (*node, error) {
	was, ok := v.shown.controls[id]
	if !ok {
		return nil, refuse("the control %q was not shown by the last look at the page", clip.Name(id, 60))
	}
	s, err := v.same(ctx)
	if err != nil {
		return nil, err
	}
	ref := refOf(id)
	if ref == "" {
		return nil, refuse("with the control %q nothing can be done", clip.Name(id, 60))
	}
	n := find(s.nodes, ref, true)
	if n == nil {
		return nil, refuse("the control %s is not there any more", id)
	}
	o := v.outline()
	all := map[string]control{}
	named(o.list(s.nodes), o.about, all)
	is, ok := all[ref]
	switch {
	case !ok:
		return nil, refuse("the control %s was a %s called %q, and is nothing that can be used by now", id, was.typ, was.name)
	case is.typ != was.typ || is.name != was.name:
		return nil, refuse("the control %s was a %s called %q, and is a %s called %q by now", id, was.typ, was.name, is.typ, is.name)
	case is.about != was.about:
		return nil, refuse("the %s %q (%s) belonged to %q, and belongs to %q by now",
			is.typ, is.name, id, cut(was.about, maxWithin), cut(is.about, maxWithin))
	case n.role == "iframe":
		return nil, refuse("act on a control inside the frame %s; nobody sees what a click on the frame would do", id)
	case name != "" && name != is.name:
		return nil, refuse("the control %s is called %q", id, is.name)
	case slices.Contains(n.states, "disabled"):
		return nil, refuse("the control %s is disabled", id)
	}
	if problem := v.origins.astray(s.url, n); problem != "" {
		return nil, refusal(problem)
	}
	return n, nil
}

// same looks at the page, which must be the one that was shown, with no dialog in front.
func (v *view) same(ctx context.Context) (*sight, error) {
	s, err := v.settle(ctx)
	if err != nil {
		return nil, err
	}
	if !v.stays(s) {
		return nil, refuse("the page is another one than the one that was shown")
	}
	return s, s.blocked()
}

// stays reports whether a page is the one that was shown.
func (v *view) stays(s *sight) bool {
	was := v.shown
	return was.controls != nil && was.instance == v.instance && s.url == was.url && s.tab == was.tab && len(s.tabs) >= was.tabs
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
	case !pageClosed(err.Error()) || len(s.tabs) >= v.shown.tabs:
		return desktop.Result{}, err
	}
	v.at = before
	res, err := v.after(ctx, did)
	res.Unverified = "the browser tab closed before the server said that this was done"
	return res, err
}

// after says what there is after an act.
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
		did += "; the page is " + cut(s.url, 2*maxURL) + " now"
	}
	if s.dialog != nil {
		did += "; a dialog is open (" + s.dialog.kind + "): " + s.dialog.message
	}
	if len(s.tabs) > 1 {
		did += "; there are several browser tabs"
	}
	return desktop.TextResult(did), nil
}

// aimed adds the element that a tool of the server acts on.
func aimed(n *node, args map[string]any) map[string]any {
	args["target"] = n.ref
	args["element"] = cut(join(n.role, oneLine(n.name)), maxURL) // for a person who watches
	return args
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

func (v *view) selectOption(ctx context.Context, a arguments) (desktop.Result, error) {
	n, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	values := slices.Clone(a.Options)
	if !chooses(n) {
		return v.perform(ctx, "chosen", "browser_select_option", aimed(n, map[string]any{"values": values}))
	}
	all, _ := options(n)
	for i, wanted := range values {
		at := slices.IndexFunc(all, func(name string) bool { return oneLine(name) == oneLine(wanted) })
		if at < 0 { // the server would wait for it
			return desktop.Result{}, refuse("there is no option %q; there are: %s", clip.Name(wanted, 60), cut(strings.Join(all, " | "), maxValue))
		}
		values[i] = all[at]
	}
	res, err := v.perform(ctx, "chosen", "browser_select_option", aimed(n, map[string]any{"values": values}))
	if err != nil {
		return res, err
	}
	// The server takes a name for a value, too: of options whose values are the names of others it may choose another one.
	s, err := v.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	is := find(s.nodes, n.ref, true)
	if is == nil || is.role != n.role || is.name != n.name {
		return res, nil // another page, or another part of it: the next look shows that
	}
	_, now := options(is)
	for _, name := range now {
		if !slices.Contains(values, name) {
			return desktop.Result{}, refuse("the page has chosen %q, not %q", clip.Name(name, 60), cut(strings.Join(values, " | "), maxValue))
		}
	}
	return res, nil
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
			return desktop.Result{}, s.blocked()
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
		return desktop.Result{}, s.blocked()
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
		return desktop.Result{}, refuse("the browser tab %q was not shown by the last look", clip.Name(id, 60))
	}
	s, err := v.same(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	i := slices.IndexFunc(v.tabs(s), func(c desktop.Control) bool { return c.ID == id && c.Name == was.name })
	if i < 0 {
		return desktop.Result{}, refuse("the browser tabs are others by now")
	}
	v.at = "" // the other tab may be empty
	action, did := "select", "selected"
	if tool == closeTab {
		action, did = "close", "closed"
	}
	return v.perform(ctx, did, "browser_tabs", map[string]any{"action": action, "index": i})
}

func (v *view) answer(ctx context.Context, accept bool, a arguments) (desktop.Result, error) {
	was, ok := v.shown.controls[idDialog]
	if !ok {
		return desktop.Result{}, refuse("no dialog was shown by the last look at the page")
	}
	s, err := v.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if !v.stays(s) || s.dialog == nil || s.dialog.control().Name != was.name || s.dialog.control().Type != was.typ {
		return desktop.Result{}, refuse("the dialog that was shown is not open any more")
	}
	args := map[string]any{"accept": accept}
	if accept && s.dialog.kind == "prompt" {
		args["promptText"] = a.Text
	}
	return v.perform(ctx, "answered", "browser_handle_dialog", args)
}
