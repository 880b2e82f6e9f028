package linuxdesktop

import (
	"context"
	"errors"
	"image"
	"slices"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// Find returns the object of an id, which must be in a window of the Desktop, and that window. What is inside the object is not
// read.
func (c *call) Find(ctx context.Context, id string) (t screen.Target, err error) {
	ref, ok := atspi.ParseID(id)
	if !ok {
		return t, refuse("there is no control %q", clip(id, 40))
	}
	t.Node = &atspi.Node{Ref: ref}
	err = c.tree.Fill(ctx, t.Node)
	switch {
	case ctx.Err() != nil:
		return t, context.Cause(ctx)
	case errors.Is(err, atspi.ErrSilent):
		return t, err
	case err != nil || t.States == 0 || t.Is(atspi.Defunct):
		return t, refuse("the control %s is not there any more", id)
	}
	t.Window, err = c.windowOf(ctx, ref)
	return t, err
}

// windowOf returns the window of the Desktop that a control is in: where it was shown, or, of one that another Desktop has shown, where
// it is found. Its parents do not tell: some programs name others.
func (c *call) windowOf(ctx context.Context, ref atspi.Ref) (x11.Window, error) {
	was, _ := c.wasShown(ref.ID())
	if w, ok := c.family.window(was.window); ok {
		return w, nil
	}
	for _, w := range c.usable() {
		n, _, err := c.Controls(ctx, w)
		if atspi.Fatal(ctx, err) {
			return w, err
		}
		if err == nil && n.Holds(ref) {
			return w, nil
		}
	}
	if c.dialog != nil {
		return x11.Window{}, c.behind()
	}
	return x11.Window{}, refuse("the control %s is not in this window", ref.ID())
}

// Aim returns the control that an act is for, if it is what was shown, can be used, and no dialog is in front of it. name is what
// the command calls it; "": nothing.
func (c *call) Aim(ctx context.Context, id, name string) (screen.Target, error) {
	t, err := c.Find(ctx, id)
	if err != nil {
		return t, err
	}
	was, known := c.wasShown(id)
	is := t.Title()
	short := clip(is, maxName)
	switch {
	case known && (was.role != t.Role || was.name != is && !writable(t.Node)):
		return t, refuse("the control %s was a %s called %q, and is a %s called %q by now", id, was.role, clip(was.name, maxName), t.Role, short)
	case name != "" && atspi.OneLine(name) != is && name != short:
		return t, refuse("the control %s is called %q, not %q", id, short, clip(name, maxName))
	case !t.Is(atspi.Showing) || t.Bounds.Empty():
		return t, refuse("the control %s is not on the screen: scroll to it", id)
	case disabled(t.Node):
		return t, refuse("the control %s is disabled", id)
	case c.dialog != nil && c.dialog.ID != t.Window.ID:
		return t, c.behind()
	}
	return t, nil
}

// writable reports whether a control may have another name by now because its text was changed.
func writable(n *atspi.Node) bool {
	return n.Is(atspi.Editable) || n.Is(atspi.MultiLine) || n.Role == "document text" || n.Role == "paragraph" || atspi.Tables[n.Role]
}

// point returns a point of the window's picture, which must be in a window of the Desktop.
func (c *call) point(x, y int) (t screen.Target, err error) {
	t.Point = c.place().Min.Add(image.Pt(x, y))
	for _, w := range c.family { // the topmost first
		if w.Hidden || !t.Point.In(w.Bounds) {
			continue
		}
		if t.Window = w; c.dialog != nil && w.ID != c.dialog.ID {
			return t, c.behind()
		}
		return t, c.expected(w)
	}
	return t, refuse("the point %d, %d is not in the window", x, y)
}

// onPage refuses a point of a page at which something else of the page is than the control: what lies over it, or is beside the
// part of it that shows. Browsers say what is at a point, and name the right parents. Other programs do not.
func (c *call) onPage(ctx context.Context, t screen.Target, at image.Point) error {
	path, page, err := c.pathTo(ctx, t.Ref)
	if err != nil || page.Null() {
		return err
	}
	hit, err := c.tree.At(ctx, page, at)
	if err != nil || hit.Null() {
		return stop(ctx, err)
	}
	under, _, err := c.pathTo(ctx, hit)
	pushed := acts[t.Role] && t.Role != "text" && t.Role != "entry"
	if err != nil || under == nil || slices.Contains(under, t.Ref) || !pushed && slices.Contains(path, hit) {
		return err // a text is hit by what it is in
	}
	role, _ := c.tree.Role(ctx, hit) // what cannot be asked has none
	name, _ := c.tree.Name(ctx, hit)
	return refuse("the %s %q of the page is there instead: scroll, or close what lies over it", role, clip(atspi.OneLine(name), maxName))
}

// pathTo returns an object and those that it is in, and the page among them, if there is one. It is nil if the program does not say.
func (c *call) pathTo(ctx context.Context, ref atspi.Ref) (path []atspi.Ref, page atspi.Ref, err error) {
	const deepest = 100
	for range deepest {
		role, err := c.tree.Role(ctx, ref)
		if err != nil {
			return nil, atspi.Ref{}, stop(ctx, err)
		}
		path = append(path, ref)
		switch role {
		case "document web":
			page = ref // one in a frame is in another
		case "frame", "application":
			return path, page, nil
		}
		if ref, err = c.tree.Parent(ctx, ref); err != nil || ref.Null() {
			return path, page, stop(ctx, err)
		}
	}
	return path, page, nil
}
