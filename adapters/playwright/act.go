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
func (b *browser) aim(ctx context.Context, id, name string) (*node, error) {
	was, ok := b.shown.controls[id]
	if !ok {
		return nil, refuse("the control %q was not shown by the last look at the page", clip(id, 60))
	}
	s, err := b.same(ctx)
	if err != nil {
		return nil, err
	}
	if s.dialog != nil {
		return nil, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
	}
	n := find(s.nodes, id)
	if n == nil && !refForm.MatchString(id) {
		return nil, refuse("with the control %q nothing can be done", clip(id, 60))
	}
	if n == nil {
		return nil, refuse("the control %s is not there any more", id)
	}
	is := (&outline{frames: b.frames()}).identity(n)
	if is == (control{}) {
		return nil, refuse("the control %s was a %s called %q, and is nothing that can be used by now", id, was.typ, was.name)
	}
	if is != was {
		return nil, refuse("the control %s was a %s called %q, and is a %s called %q by now", id, was.typ, was.name, is.typ, is.name)
	}
	if name != "" && name != is.name {
		return nil, refuse("the control %s is called %q", id, is.name)
	}
	if slices.Contains(n.states, "disabled") {
		return nil, refuse("the control %s is disabled", id)
	}
	return n, nil
}

// same looks at the page, which must be the one that was shown.
func (b *browser) same(ctx context.Context) (*sight, error) {
	s, err := b.settle(ctx)
	if err != nil {
		return nil, err
	}
	if b.shown.controls == nil || s.url != b.shown.url || s.tab != b.shown.tab || len(s.tabs) < b.shown.tabs {
		return nil, refuse("the page is another one than the one that was shown")
	}
	return s, nil
}

// identity is what a control of an element is called.
func (o *outline) identity(n *node) control {
	for _, c := range o.element(n) {
		if c.ID == n.ref {
			return control{typ: c.Type, name: c.Name}
		}
	}
	return control{}
}

// perform calls a tool of the server that changes something, and looks what became
// of it.
func (b *browser) perform(ctx context.Context, did, tool string, args map[string]any) (desktop.Result, error) {
	if _, err := b.do(ctx, tool, args); err != nil {
		if !isRefusal(err) {
			return desktop.Result{}, err
		}
		if _, lost := b.settle(ctx); lost != nil { // that is the reason, then
			return desktop.Result{}, lost
		}
		return desktop.Result{}, err
	}
	return b.after(ctx, did)
}

// after says what there is behind an act.
func (b *browser) after(ctx context.Context, did string) (desktop.Result, error) {
	before := b.at
	s, err := b.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if s.dialog != nil && s.dialog.kind == fileChooser {
		if err := b.drop(ctx, s.dialog); err != nil {
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

func (b *browser) click(ctx context.Context, a arguments) (desktop.Result, error) {
	if strings.HasPrefix(a.ID, "tab") || a.ID == idDialog {
		return desktop.Result{}, refuse("click on what is on the page; for tabs and dialogs there are other tools")
	}
	n, err := b.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	args := b.aimed("browser_click", n, map[string]any{})
	if a.Button != "" && a.Button != "left" {
		args["button"] = a.Button
	}
	if a.Double {
		args["doubleClick"] = true
	}
	return b.perform(ctx, "clicked", "browser_click", args)
}

func (b *browser) setText(ctx context.Context, a arguments) (desktop.Result, error) {
	n, err := b.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	return b.perform(ctx, "set", "browser_type", b.aimed("browser_type", n, map[string]any{"text": a.Text}))
}

func (b *browser) selectOption(ctx context.Context, a arguments) (desktop.Result, error) {
	n, err := b.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	all, _ := options(n)
	for _, wanted := range a.Options {
		// The server would wait for one that is not there.
		if chooses(n) && !slices.Contains(all, wanted) {
			return desktop.Result{}, refuse("there is no option %q; there are: %s", clip(wanted, 60), clip(strings.Join(all, " | "), maxValue))
		}
	}
	return b.perform(ctx, "chosen", "browser_select_option", b.aimed("browser_select_option", n, map[string]any{"values": a.Options}))
}

func (b *browser) navigate(ctx context.Context, url string) (desktop.Result, error) {
	if problem := b.origins.problem(url); problem != "" {
		return desktop.Result{}, refusal(problem)
	}
	if !b.lost {
		s, err := b.settle(ctx) // whether this is still the browser that was seen
		if err != nil && !isRefusal(err) || b.lost {
			return desktop.Result{}, err
		}
		if s != nil && s.dialog != nil {
			return desktop.Result{}, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
		}
	}
	b.lost, b.opened, b.at = false, true, ""
	return b.perform(ctx, "opened", "browser_navigate", map[string]any{"url": url})
}

func (b *browser) back(ctx context.Context) (desktop.Result, error) {
	s, err := b.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if s.dialog != nil {
		return desktop.Result{}, refuse("a dialog of the page is open and must be answered first: %s", s.dialog.message)
	}
	b.at = "" // an empty page may be before this one
	res, err := b.perform(ctx, "went back", "browser_navigate_back", nil)
	if err == nil && b.at == blank {
		return desktop.Result{}, refuse("there is no page before this one: the page is empty now")
	}
	return res, err
}

func (b *browser) changeTab(ctx context.Context, tool, id string) (desktop.Result, error) {
	was, ok := b.shown.controls[id]
	if !ok || was.typ != typeTab {
		return desktop.Result{}, refuse("the browser tab %q was not shown by the last look", clip(id, 60))
	}
	s, err := b.same(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	for i, t := range s.tabs {
		if idTab(i) != id || t.title != was.name {
			continue
		}
		b.at = "" // the other tab may be empty
		if tool == selectTab {
			return b.perform(ctx, "selected", "browser_tabs", map[string]any{"action": "select", "index": i})
		}
		return b.perform(ctx, "closed", "browser_tabs", map[string]any{"action": "close", "index": i})
	}
	return desktop.Result{}, refuse("the browser tabs are others by now")
}

func (b *browser) answer(ctx context.Context, accept bool, a arguments) (desktop.Result, error) {
	was, ok := b.shown.controls[idDialog]
	if !ok {
		return desktop.Result{}, refuse("no dialog was shown by the last look at the page")
	}
	s, err := b.same(ctx)
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
	b.at = s.url
	return b.perform(ctx, "answered", "browser_handle_dialog", args)
}

// upload clicks on what asks for a file and gives it one of Options.Files.
func (b *browser) upload(ctx context.Context, a arguments) (desktop.Result, error) {
	n, err := b.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	if _, err := b.do(ctx, "browser_click", b.aimed("browser_click", n, map[string]any{})); err != nil {
		return desktop.Result{}, err
	}
	s, err := b.settle(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if s.dialog == nil || s.dialog.kind != fileChooser {
		return desktop.Result{}, refuse("the control %s was clicked on and did not ask for a file", n.ref)
	}
	res, err := b.perform(ctx, "uploaded", "browser_file_upload", map[string]any{"paths": []string{b.opts.Files[a.File]}})
	if isRefusal(err) { // the server says no to the path, and the chooser stays open
		if dropped := b.drop(ctx, s.dialog); dropped != nil {
			return desktop.Result{}, dropped
		}
	}
	return res, err
}
