package linuxdesktop

import (
	"context"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// shown is a control as a view has shown it: an act on it is for that one and no other.
type shown struct {
	window x11.WindowID
	role   string
	name   string
}

// wasShown returns what the control of an id was when it was shown.
func (v *view) wasShown(id string) (shown, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	was, ok := v.shown[id]
	return was, ok
}

// controls is get_ui_tree. While a modal dialog is open, it is all that is listed.
func (v *view) controls(ctx context.Context, _ arguments) (desktop.Result, error) {
	g, err := v.group(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	listed := g.family
	if g.dialog != nil {
		listed = []x11.Window{*g.dialog}
	}
	o := v.outline(g)
	var dialogs, inside []desktop.Control
	for _, w := range listed {
		isMain := w.ID == g.main.ID
		if w.Hidden && !isMain {
			continue
		}
		list, err := o.window(ctx, g.scene, w)
		switch {
		case ctx.Err() != nil:
			return desktop.Result{}, context.Cause(ctx)
		case err != nil && isMain:
			return desktop.Result{}, err
		case err != nil: // its buttons may come a moment later; the window behind it can be seen
			list = []desktop.Control{{ID: windowID(w.ID) + "-unread", Type: "note", Value: err.Error()}}
		}
		if isMain {
			inside = list
		} else {
			dialogs = append(dialogs, o.dialog(w, list))
		}
	}
	v.mu.Lock()
	v.shown, v.seen = o.seen, nil
	v.mu.Unlock()
	v.saw(g.family)
	return desktop.JSONResult(append(dialogs, inside...))
}

// saw notes windows that the view has shown.
func (v *view) saw(windows []x11.Window) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil {
		v.seen = map[x11.WindowID]bool{}
	}
	for _, w := range windows {
		v.seen[w.ID] = true
	}
}

// expected refuses a window that has opened since the last look: what goes to whatever is in front was not meant for it.
func (v *view) expected(w x11.Window) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil || v.seen[w.ID] {
		return nil
	}
	return refuse("the window %q has opened since the last look: look first", clip(w.Title, maxName))
}

// control is get_control.
func (v *view) control(ctx context.Context, a arguments) (desktop.Result, error) {
	g, err := v.group(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	o := v.outline(g)
	for _, w := range g.family {
		if w.ID != g.main.ID && windowID(w.ID) == a.ID {
			return desktop.JSONResult(o.dialog(w, nil))
		}
	}
	n, w, err := v.find(ctx, g, a.ID)
	if err == nil {
		n, _, err = v.tree.Read(ctx, n.Ref) // its value may be in what is inside
	}
	if err != nil {
		return desktop.Result{}, err
	}
	o.id = w.ID
	c := o.one(n)
	if n.Role == "table cell" {
		c = valued(c, n)
	}
	v.mu.Lock()
	v.shown[c.ID] = o.seen[c.ID]
	v.mu.Unlock()
	return desktop.JSONResult(c)
}

// texts is the tool of that name: all of the text that is inside a control.
func (v *view) texts(ctx context.Context, a arguments) (desktop.Result, error) {
	n, _, err := v.Find(ctx, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if n.Role == "password text" {
		return desktop.Result{}, refuse("a password is not read")
	}
	if text, err := v.tree.Text(ctx, n.Ref, maxText); err == nil && atspi.OneLine(text) != "" {
		return desktop.TextResult(strings.ReplaceAll(text, "\ufffc", "")), nil
	}
	if n, _, err = v.tree.Read(ctx, n.Ref); err != nil {
		return desktop.Result{}, err
	}
	text := textIn(n)
	if text == "" && !n.Labelled() {
		text = n.Title()
	}
	return desktop.TextResult(clip(text, maxText)), nil
}

// maxText is how much of a text the tool texts returns, in characters.
const maxText = 30_000

// showControls is show_controls.
func (v *view) showControls(_ context.Context, a arguments) (desktop.Result, error) {
	if is, _ := v.wasShown(a.ID); !folded[is.role] {
		return desktop.Result{}, refuse("the control %q has nothing to show", clip(a.ID, 40))
	}
	d := v.Desktop
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unfolded[a.ID] = !d.unfolded[a.ID]; d.unfolded[a.ID] {
		return desktop.TextResult("what is inside is listed from now on"), nil
	}
	return desktop.TextResult("what is inside is hidden from now on"), nil
}
