package linuxdesktop

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

var (
	// folded are one control each, with the names of what is inside, until show_controls unfolds them.
	folded = atspi.Set("tool bar", "menu bar", "status bar", "statusbar")
	// acts are the roles of what a person acts on.
	acts = atspi.Set("push button", "toggle button", "check box", "radio button", "combo box", "entry", "text", "spin button", "slider", "menu", "menu item",
		"check menu item", "radio menu item", "list item", "page tab", "link", "password text", "table cell", "icon")
)

// outline makes controls of objects.
type outline struct {
	*call
	origin image.Point // of the window's picture
	id     x11.WindowID
	seen   map[string]shown
}

func (c *call) outline() *outline {
	return &outline{call: c, origin: c.place().Min, seen: map[string]shown{}}
}

// dialog is the control of an owned window.
func (o *outline) dialog(w x11.Window, inside []desktop.Control) desktop.Control {
	c := desktop.Control{ID: windowID(w.ID), Type: "Dialog", Name: clip(atspi.OneLine(w.Title), maxName), Bounds: o.bounds(w.Bounds), Children: inside}
	if w.Modal {
		c.State = []string{"modal"}
	}
	return c
}

// window lists the controls of one window.
func (o *outline) window(ctx context.Context, w x11.Window) ([]desktop.Control, error) {
	n, cut, err := o.awaitReady(ctx, w)
	if err != nil {
		return nil, err
	}
	o.id = w.ID
	list := o.list(n.Children)
	if cut {
		list = append(list, desktop.Control{ID: windowID(w.ID) + "-more", Type: "note", Value: "The window has more controls than one look reads: scroll, or close what is not needed."})
	}
	return list, nil
}

func (o *outline) bounds(r image.Rectangle) [4]int {
	if r.Empty() {
		return [4]int{}
	}
	return [4]int{r.Min.X - o.origin.X, r.Min.Y - o.origin.Y, r.Dx(), r.Dy()}
}

func (o *outline) list(nodes []*atspi.Node) []desktop.Control {
	var out []desktop.Control
	for _, n := range nodes {
		out = append(out, o.of(n)...)
	}
	return out
}

// of returns the control of an object, or, of a box, those inside it.
func (o *outline) of(n *atspi.Node) []desktop.Control {
	if atspi.Boxes[n.Role] {
		inside := o.list(n.Children)
		isText := n.Role == "static" // of a page
		if atspi.OneLine(n.Name) == "" || len(inside) == 0 && !isText || len(inside) == 1 && !isText {
			return inside
		}
		c := o.one(n)
		c.Children = inside
		return []desktop.Control{c}
	}
	c := o.one(n)
	switch {
	case o.isFolded(n):
		if c.Value == "" {
			return nil
		}
	case atspi.Tables[n.Role]:
		c.Children = o.cells(n)
	case n.Role == "paragraph" || n.Role == "heading": // its text is its value
		c.Children = withoutTexts(o.list(n.Children), "")
	case n.Role == "document web":
		c.Children = o.list(n.Children)
	default:
		c.Children = withoutTexts(o.list(n.Children), c.Name+"\n"+c.Value)
	}
	if n.Role == "label" && c.Name == "" && c.Value == "" && len(c.Children) == 0 {
		return nil
	}
	return []desktop.Control{c}
}

// withoutTexts leaves out texts that are a part of what is said already; "": all.
func withoutTexts(list []desktop.Control, said string) (out []desktop.Control) {
	for _, c := range list {
		inline := c.Type == "static" || c.Type != "link" && (&atspi.Node{Role: c.Type}).Inlined()
		if said == "" && (inline || c.Type == "text") || inline && strings.Contains(said, c.Name) && strings.Contains(said, c.Value) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// one is a control without what is inside it.
func (o *outline) one(n *atspi.Node) desktop.Control {
	c := desktop.Control{ID: n.Ref.ID(), Type: n.Role, Name: clip(n.Title(), maxName), State: statesOf(n), Bounds: o.bounds(n.Bounds)}
	switch {
	case n.Role == "password text":
		c.Value = "***"
	case atspi.Tables[n.Role]:
		c.Value = fmt.Sprintf("%d rows, %d columns", n.Rows, n.Columns)
		if n.Count > atspi.ShownCells {
			c.Value += "; read_table reads it"
		}
	case o.isFolded(n):
		if names := namesIn(n); names != "" {
			c.Value = clip(names, atspi.MaxText) + " [+]"
		}
	default:
		whole, _ := n.Flat()
		if text := clip(atspi.OneLine(whole), atspi.MaxText); text != c.Name {
			c.Value = text
		}
		if n.Role == "combo box" && c.Value == "" {
			c.Value = clip(chosen(n), atspi.MaxText)
		}
		if n.Count > atspi.Many && !atspi.Boxes[n.Role] {
			c.Value = strings.TrimSpace(fmt.Sprintf("%s (%d inside)", c.Value, n.Count))
		}
	}
	if n.Role == "alert" { // agents take one for a dialog, and a bar that says something is none
		c.Type = "notification"
	}
	o.seen[c.ID] = shown{o.id, n.Role, n.Title()}
	return c
}

// valued gives a cell without a value the text of what is inside it.
func valued(c desktop.Control, n *atspi.Node) desktop.Control {
	if text := clip(textIn(n), atspi.MaxText); c.Value == "" && text != c.Name {
		c.Value = text
	}
	return c
}

// chosen is the text that a combo box shows.
func chosen(n *atspi.Node) string {
	for _, c := range n.Children {
		if text := atspi.OneLine(c.Text); text != "" && (c.Role == "text" || c.Role == "entry") {
			return text
		}
	}
	return ""
}

// namesIn are the names of what is inside a folded control.
func namesIn(n *atspi.Node) string {
	var names []string
	for _, c := range n.Children {
		name := cmp.Or(c.Title(), atspi.OneLine(c.Text), namesIn(c))
		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " | ")
}

// cells are those of a small table.
func (o *outline) cells(n *atspi.Node) []desktop.Control {
	var out []desktop.Control
	if n.Count > atspi.ShownCells {
		return nil
	}
	for _, cell := range n.Children {
		c := valued(o.one(cell), cell)
		if cell.Role != "table cell" {
			c.Children = o.list(cell.Children)
		} else if c.Name == "" && c.Value == "" && cell.Bounds.Empty() { // it stands for a picture, or so
			continue
		}
		out = append(out, c)
	}
	return out
}

// textIn is the text of what is inside an object, a line for each.
func textIn(n *atspi.Node) string {
	if text, _ := n.Flat(); atspi.OneLine(text) != "" {
		return atspi.OneLine(text)
	}
	var lines []string
	for _, c := range n.Children {
		text := textIn(c)
		if text == "" && len(c.Children) == 0 {
			text = atspi.OneLine(c.Name)
		}
		if text != "" && (len(lines) == 0 || lines[len(lines)-1] != text) { // some programs say it twice
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// disabled reports whether nobody can act on a control now.
func disabled(n *atspi.Node) bool {
	return !n.Is(atspi.Sensitive) && !n.Is(atspi.Enabled) && acts[n.Role]
}

// statesOf are the states that one would not expect.
func statesOf(n *atspi.Node) (list []string) {
	add := func(name string, is bool) {
		if is {
			list = append(list, name)
		}
	}
	add("focused", n.Is(atspi.Focused))
	add("checked", n.Is(atspi.Checked) || n.Is(atspi.Pressed) && n.Role == "toggle button")
	add("selected", n.Is(atspi.Selected) && n.Role != "menu")
	add("expanded", n.Is(atspi.Expanded))
	add("disabled", disabled(n))
	add("offscreen", n.Bounds.Empty() && !atspi.Boxes[n.Role])
	return list
}

func (o *outline) isFolded(n *atspi.Node) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return folded[n.Role] && !o.unfolded[n.Ref.ID()]
}
