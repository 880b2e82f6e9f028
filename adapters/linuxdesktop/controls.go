package linuxdesktop

import (
	"context"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// shown is a control as a Desktop has shown it: an act on it is for that one and no other.
type shown struct {
	window x11.WindowID
	role   string
	name   string
}

// wasShown returns what the control of an id was when it was shown.
func (d *Desktop) wasShown(id string) (shown, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was, ok := d.shown[id]
	return was, ok
}

// controls is get_ui_tree. While a modal dialog is open, it is all that is listed.
func (c *call) controls(ctx context.Context) (desktop.Result, error) {
	o := c.outline()
	var dialogs, inside []desktop.Control
	for _, w := range c.usable() {
		isMain := w.ID == c.main.ID
		if w.Hidden && !isMain {
			continue
		}
		list, err := o.window(ctx, w)
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
	c.mu.Lock()
	c.shown = o.seen
	c.mu.Unlock()
	c.saw(c.family)
	return desktop.JSONResult(append(dialogs, inside...))
}

// saw notes windows that were shown.
func (d *Desktop) saw(windows []x11.Window) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen == nil {
		d.seen = map[x11.WindowID]bool{}
	}
	for _, w := range windows {
		d.seen[w.ID] = true
	}
}

// expected refuses a window that has opened since the last look: what goes to whatever is in front was not meant for it.
func (d *Desktop) expected(w x11.Window) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen == nil || d.seen[w.ID] {
		return nil
	}
	return refuse("the window %q has opened since the last look: look first", clip(w.Title, maxName))
}

// control is get_control.
func (c *call) control(ctx context.Context) (desktop.Result, error) {
	o := c.outline()
	for _, w := range c.family {
		if w.ID != c.main.ID && windowID(w.ID) == c.args.ID {
			return desktop.JSONResult(o.dialog(w, nil))
		}
	}
	t, err := c.Find(ctx, c.args.ID)
	if err == nil {
		t.Node, _, err = c.tree.Read(ctx, t.Ref) // its value may be in what is inside
	}
	if err != nil {
		return desktop.Result{}, err
	}
	o.id = t.Window.ID
	is := o.one(t.Node)
	if t.Role == "table cell" {
		is = valued(is, t.Node)
	}
	c.mu.Lock()
	c.shown[is.ID] = o.seen[is.ID]
	c.mu.Unlock()
	return desktop.JSONResult(is)
}

// texts is the tool of that name: all of the text that is inside a control.
func (c *call) texts(ctx context.Context) (desktop.Result, error) {
	t, err := c.Find(ctx, c.args.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if t.Role == "password text" {
		return desktop.Result{}, refuse("a password is not read")
	}
	if text, err := c.tree.Text(ctx, t.Ref, maxText); err == nil && atspi.OneLine(text) != "" {
		return desktop.TextResult(strings.ReplaceAll(text, "\ufffc", "")), nil
	}
	n, _, err := c.tree.Read(ctx, t.Ref)
	if err != nil {
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
func (c *call) showControls(context.Context) (desktop.Result, error) {
	id := c.args.ID
	if is, _ := c.wasShown(id); !folded[is.role] {
		return desktop.Result{}, refuse("the control %q has nothing to show", clip(id, 40))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unfolded[id] = !c.unfolded[id]; c.unfolded[id] {
		return desktop.TextResult("what is inside is listed from now on"), nil
	}
	return desktop.TextResult("what is inside is hidden from now on"), nil
}
