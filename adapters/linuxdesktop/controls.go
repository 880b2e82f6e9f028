package linuxdesktop

import (
	"context"
	"fmt"
	"image"
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

// controls is get_ui_tree. While a modal dialog is open, it is all that is listed.
func (v *view) controls(ctx context.Context, _ arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	main, family, err := v.members(s)
	if err != nil {
		return desktop.Result{}, err
	}
	if m, ok := modal(family, main.ID); ok {
		family = []x11.Window{m}
	}
	o := &outline{view: v, origin: place(s.family(main.ID)).Min, seen: map[string]shown{}}
	var dialogs, inside []desktop.Control
	for _, w := range family {
		if w.Hidden && w.ID != main.ID {
			continue
		}
		list, err := o.window(ctx, s, w)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return desktop.Result{}, context.Cause(ctx)
		case w.ID == main.ID:
			return desktop.Result{}, err
		default: // its buttons may come a moment later; the window behind it can be seen
			list = []desktop.Control{{ID: windowID(w.ID) + "-unread", Type: "note", Value: err.Error()}}
		}
		if w.ID == main.ID {
			inside = list
			continue
		}
		dialogs = append(dialogs, o.dialog(w, list))
	}
	v.mu.Lock()
	v.shown, v.seen = o.seen, map[x11.WindowID]bool{}
	v.mu.Unlock()
	v.saw(s.family(main.ID))
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

// expected refuses a window that has come up since the view was looked at: what goes to whatever is in front was not meant
// for it.
func (v *view) expected(w x11.Window) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen == nil || v.seen[w.ID] {
		return nil
	}
	return refuse("the window %q has opened since the last look: look first", clip(w.Title, maxName))
}

// dialog is the control of an owned window.
func (o *outline) dialog(w x11.Window, inside []desktop.Control) desktop.Control {
	c := desktop.Control{ID: windowID(w.ID), Type: "Dialog", Name: clip(oneLine(w.Title), maxName), Bounds: o.bounds(w.Bounds), Children: inside}
	if w.Modal {
		c.State = []string{"modal"}
	}
	return c
}

// window lists the controls of one window.
func (o *outline) window(ctx context.Context, s scene, w x11.Window) ([]desktop.Control, error) {
	n, cut, err := o.awaitReady(ctx, s, w)
	if err != nil {
		return nil, err
	}
	o.id = w.ID
	list := o.list(n.children)
	if cut {
		list = append(list, desktop.Control{ID: windowID(w.ID) + "-more", Type: "note", Value: "The window has more controls than one look reads: scroll, or close what is not needed."})
	}
	return list, nil
}

// outline makes controls of nodes.
type outline struct {
	*view
	origin image.Point // of the window's picture
	id     x11.WindowID
	seen   map[string]shown
}

func (o *outline) bounds(r image.Rectangle) [4]int {
	if r.Empty() {
		return [4]int{}
	}
	return [4]int{r.Min.X - o.origin.X, r.Min.Y - o.origin.Y, r.Dx(), r.Dy()}
}

func (o *outline) list(nodes []*node) []desktop.Control {
	var out []desktop.Control
	for _, n := range nodes {
		out = append(out, o.of(n)...)
	}
	return out
}

// of returns the control of an object, or, of a box, those inside it.
func (o *outline) of(n *node) []desktop.Control {
	if boxes[n.role] {
		inside := o.list(n.children)
		named, least := oneLine(n.name) != "", 1
		if n.role == "static" { // a text of a page
			least = -1
		}
		if !named || len(inside) <= least {
			return inside
		}
		c := o.one(n)
		c.Children = inside
		return []desktop.Control{c}
	}
	c := o.one(n)
	switch {
	case folded[n.role] && !o.isUnfolded(c.ID):
		if c.Value == "" {
			return nil
		}
	case tables[n.role]:
		c.Children = o.cells(n)
	case n.role == "paragraph" || n.role == "heading":
		// Its text is its value.
		c.Children = withoutTexts(o.list(n.children), "")
	case n.role == "document web":
		c.Children = o.list(n.children)
	default:
		c.Children = withoutTexts(o.list(n.children), c.Name+"\n"+c.Value)
	}
	if n.role == "label" && c.Name == "" && c.Value == "" && len(c.Children) == 0 {
		return nil
	}
	return []desktop.Control{c}
}

// one is a control without what is inside it.
func (o *outline) one(n *node) desktop.Control {
	c := desktop.Control{ID: n.ref.ID(), Type: typeOf(n), Name: clip(nameOf(n), maxName), State: statesOf(n), Bounds: o.bounds(n.bounds)}
	switch {
	case n.role == "password text":
		c.Value = "***"
	case tables[n.role]:
		c.Value = fmt.Sprintf("%d rows, %d columns", n.rows, n.columns)
		if !o.cellByCell(n) {
			c.Value += "; read_table reads it"
		}
	case folded[n.role] && !o.isUnfolded(c.ID):
		if names := namesIn(n); names != "" {
			c.Value = clip(names, maxValue) + " [+]"
		}
	default:
		whole, _ := n.flat()
		if text := clip(oneLine(whole), maxValue); text != c.Name {
			c.Value = text
		}
		if n.role == "combo box" && c.Value == "" {
			c.Value = clip(chosen(n), maxValue)
		}
		if n.count > many && !boxes[n.role] {
			c.Value = strings.TrimSpace(fmt.Sprintf("%s (%d inside)", c.Value, n.count))
		}
	}
	o.seen[c.ID] = shown{o.id, n.role, nameOf(n)}
	return c
}

// typeOf is the role of a control. Agents take an alert for a dialog, and a bar that says something is none.
func typeOf(n *node) string {
	if n.role == "alert" {
		return "notification"
	}
	return n.role
}

func nameOf(n *node) string {
	if name := oneLine(n.name); name != "" {
		return name
	}
	return strings.TrimSuffix(oneLine(n.label), ":")
}

// chosen is the text that a combo box shows.
func chosen(n *node) string {
	for _, c := range n.children {
		if text := oneLine(c.text); text != "" && (c.role == "text" || c.role == "entry") {
			return text
		}
	}
	return ""
}

// namesIn are the names of what is inside a folded control.
func namesIn(n *node) string {
	var names []string
	for _, c := range n.children {
		name := nameOf(c)
		if name == "" {
			name = oneLine(c.text)
		}
		if name == "" {
			name = namesIn(c)
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " | ")
}

// cellByCell reports whether the cells of a table are listed.
func (o *outline) cellByCell(n *node) bool {
	return n.count <= showCells
}

// cells are those of a small table.
func (o *outline) cells(n *node) []desktop.Control {
	if !o.cellByCell(n) {
		return nil
	}
	var out []desktop.Control
	for _, cell := range n.children {
		c := o.one(cell)
		if c.Value == "" {
			if text := clip(textIn(cell), maxValue); text != c.Name {
				c.Value = text
			}
		}
		if cell.role != "table cell" {
			c.Children = o.list(cell.children)
		} else if c.Name == "" && c.Value == "" && cell.bounds.Empty() { // it stands for a picture, or so
			continue
		}
		out = append(out, c)
	}
	return out
}

// textIn is the text of what is inside an object, a line for each.
func textIn(n *node) string {
	if text, _ := n.flat(); oneLine(text) != "" {
		return oneLine(text)
	}
	var lines []string
	for _, c := range n.children {
		text := textIn(c)
		if text == "" && len(c.children) == 0 {
			text = oneLine(c.name)
		}
		if text != "" && (len(lines) == 0 || lines[len(lines)-1] != text) { // some programs say it twice
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// statesOf are the states that one would not expect.
func statesOf(n *node) (list []string) {
	add := func(is bool, name string) {
		if is {
			list = append(list, name)
		}
	}
	add(n.is(atspi.Focused), "focused")
	add(n.is(atspi.Checked) || n.is(atspi.Pressed) && n.role == "toggle button", "checked")
	add(n.is(atspi.Selected) && n.role != "menu", "selected")
	add(n.is(atspi.Expanded), "expanded")
	add(!n.is(atspi.Sensitive) && !n.is(atspi.Enabled) && acts[n.role], "disabled")
	add(n.bounds.Empty() && !boxes[n.role], "offscreen")
	return list
}

// acts are the roles of what a person acts on.
var acts = set("push button", "toggle button", "check box", "radio button", "combo box", "entry", "text", "spin button", "slider", "menu", "menu item",
	"check menu item", "radio menu item", "list item", "page tab", "link", "password text", "table cell", "icon")

func (o *outline) isUnfolded(id string) bool {
	o.Desktop.mu.Lock()
	defer o.Desktop.mu.Unlock()
	return o.unfolded[id]
}

// showControls is show_controls.
func (v *view) showControls(_ context.Context, a arguments) (desktop.Result, error) {
	v.mu.Lock()
	is, ok := v.shown[a.ID]
	v.mu.Unlock()
	if !ok || !folded[is.role] {
		return desktop.Result{}, refuse("the control %q has nothing to show", clip(a.ID, 40))
	}
	d := v.Desktop
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unfolded[a.ID] {
		delete(d.unfolded, a.ID)
		return desktop.TextResult("what is inside is hidden from now on"), nil
	}
	d.unfolded[a.ID] = true
	return desktop.TextResult("what is inside is listed from now on"), nil
}
