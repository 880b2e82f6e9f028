package linuxdesktop

import (
	"context"
	"errors"
	"image"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// target is what an act is for.
type target struct {
	*atspi.Node
	window x11.Window
}

// find returns the object of an id, which must be in a window of the view, and that window. What is inside the object is not
// read.
func (v *view) find(ctx context.Context, g *group, id string) (*atspi.Node, x11.Window, error) {
	ref, ok := atspi.ParseID(id)
	if !ok {
		return nil, x11.Window{}, refuse("there is no control %q", clip(id, 40))
	}
	n := &atspi.Node{Ref: ref}
	err := v.tree.Fill(ctx, n)
	switch {
	case ctx.Err() != nil:
		return nil, x11.Window{}, context.Cause(ctx)
	case errors.Is(err, atspi.ErrSilent):
		return nil, x11.Window{}, err
	case err != nil || n.States == 0 || n.Is(atspi.Defunct):
		return nil, x11.Window{}, refuse("the control %s is not there any more", id)
	}
	w, err := v.windowOf(ctx, g, id, n)
	return n, w, err
}

// windowOf returns the window of the view that a control is in: where it was shown, or, of one that another view has shown, where
// it is found. Its parents do not tell: some programs name others.
func (v *view) windowOf(ctx context.Context, g *group, id string, n *atspi.Node) (x11.Window, error) {
	was, known := v.wasShown(id)
	for _, w := range g.family {
		if known && w.ID == was.window {
			return w, nil
		}
	}
	front := g.family
	if g.dialog != nil {
		front = []x11.Window{*g.dialog}
	}
	for _, w := range front {
		ref, err := v.frameOf(ctx, g.scene, w)
		if err != nil {
			continue
		}
		tree, _, err := v.tree.Read(ctx, ref)
		if err != nil {
			return x11.Window{}, err
		}
		if tree.Holds(n.Ref) {
			return w, nil
		}
	}
	if g.dialog != nil {
		return x11.Window{}, g.behind()
	}
	return x11.Window{}, refuse("the control %s is not in this window", id)
}

// aim returns the control that an act is for, if it is what was shown, can be used, and no dialog is in front of it. name is what
// the command calls it; nil: nothing.
func (v *view) aim(ctx context.Context, id string, name *string) (*target, error) {
	g, err := v.group(ctx)
	if err != nil {
		return nil, err
	}
	n, w, err := v.find(ctx, g, id)
	if err != nil {
		return nil, err
	}
	was, known := v.wasShown(id)
	is := n.Title()
	short := clip(is, maxName)
	switch {
	case known && was.role != n.Role:
		return nil, refuse("the control %s was a %s called %q, and is a %s called %q by now", id, was.role, clip(was.name, maxName), n.Role, short)
	case known && was.name != is && !writable(n):
		return nil, refuse("the %s %s was called %q, and is called %q by now", n.Role, id, clip(was.name, maxName), short)
	case name != nil && *name != "" && atspi.OneLine(*name) != is && *name != short:
		return nil, refuse("the control %s is called %q, not %q", id, short, clip(*name, maxName))
	case !n.Is(atspi.Showing) || n.Bounds.Empty():
		return nil, refuse("the control %s is not on the screen: scroll to it", id)
	case disabled(n):
		return nil, refuse("the control %s is disabled", id)
	case g.dialog != nil && g.dialog.ID != w.ID:
		return nil, g.behind()
	}
	return &target{n, w}, nil
}

// writable reports whether a control may have another name by now because its text was changed.
func writable(n *atspi.Node) bool {
	return n.Is(atspi.Editable) || n.Is(atspi.MultiLine) || n.Role == "document text" || n.Role == "paragraph" || atspi.Tables[n.Role]
}

// point returns where a point of the window's picture is on the screen, and the window of the view there.
func (v *view) point(ctx context.Context, x, y int) (image.Point, x11.Window, error) {
	g, err := v.group(ctx)
	if err != nil {
		return image.Point{}, x11.Window{}, err
	}
	at := g.place().Min.Add(image.Pt(x, y))
	for _, w := range g.family { // the topmost first
		switch {
		case w.Hidden || !at.In(w.Bounds):
		case g.dialog != nil && w.ID != g.dialog.ID:
			return at, w, g.behind()
		default:
			return at, w, v.expected(w)
		}
	}
	return at, g.main, refuse("the point %d, %d is not in the window", x, y)
}

// pageDepth is how far down in a page a control may be.
const pageDepth = 100

// onPage refuses a point of a page at which something else of the page is than the control: what lies over it, or is beside the
// part of it that shows. Browsers say what is at a point, and name the right parents. Other programs do not.
func (v *view) onPage(ctx context.Context, t *target, at image.Point) error {
	path, page, err := v.pageOf(ctx, t.Ref)
	if err != nil || page.Null() {
		return err
	}
	hit, err := v.tree.At(ctx, page, at)
	if err != nil || hit.Null() {
		return stop(ctx, err)
	}
	pushed := acts[t.Role] && t.Role != "text" && t.Role != "entry"
	for _, up := range path {
		if up == hit && (up == t.Ref || !pushed) { // a text is hit by what it is in
			return nil
		}
	}
	for is, n := hit, 0; !is.Null() && is != page && n < pageDepth; n++ {
		if is == t.Ref {
			return nil
		}
		if is, err = v.tree.Parent(ctx, is); err != nil {
			return stop(ctx, err)
		}
	}
	role, _ := v.tree.Role(ctx, hit) // what cannot be asked has none
	name, _ := v.tree.Name(ctx, hit)
	return refuse("the %s %q of the page is there instead: scroll, or close what lies over it", role, clip(atspi.OneLine(name), maxName))
}

// pageOf returns the page that an object is in, none if it is in no page, and the objects on the way up.
func (v *view) pageOf(ctx context.Context, ref atspi.Ref) (path []atspi.Ref, page atspi.Ref, err error) {
	for n := 0; !ref.Null() && n < pageDepth; n++ {
		path = append(path, ref)
		role, err := v.tree.Role(ctx, ref)
		switch {
		case err != nil:
			return nil, atspi.Ref{}, stop(ctx, err)
		case role == "document web":
			page = ref // one in a frame is in another
		case role == "frame" || role == "application":
			return path, page, nil
		}
		if ref, err = v.tree.Parent(ctx, ref); err != nil {
			return path, page, stop(ctx, err)
		}
	}
	return path, page, nil
}
