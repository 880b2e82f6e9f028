package linuxdesktop

import (
	"context"
	"errors"
	"image"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// find returns the object of an id, which must be in a window of the view, and that window. What is inside
// the object is not read.
func (v *view) find(ctx context.Context, s scene, id string) (*node, x11.Window, error) {
	main, family, err := v.members(s)
	if err != nil {
		return nil, x11.Window{}, err
	}
	ref, ok := atspi.ParseID(id)
	if !ok {
		return nil, x11.Window{}, refuse("there is no control %q", clip(id, 40))
	}
	n := &node{ref: ref}
	err = v.fill(ctx, n)
	switch {
	case ctx.Err() != nil:
		return nil, x11.Window{}, context.Cause(ctx)
	case errors.Is(err, atspi.ErrSilent):
		return nil, x11.Window{}, err
	case err != nil || n.states == 0 || n.is(atspi.Defunct):
		return nil, x11.Window{}, refuse("the control %s is not there any more", id)
	}
	w, err := v.windowOf(ctx, s, main, family, id, n)
	return n, w, err
}

// windowOf returns the window of the view that a control is in: where it was shown, or, of one that another
// view has shown, where it is found. Its parents do not tell: some programs name others.
func (v *view) windowOf(ctx context.Context, s scene, main x11.Window, family []x11.Window, id string, n *node) (x11.Window, error) {
	v.mu.Lock()
	was, known := v.shown[id]
	v.mu.Unlock()
	for _, w := range family {
		if known && w.ID == was.window {
			return w, nil
		}
	}
	front := family
	blocking, isModal := modal(family, main.ID)
	if isModal {
		front = []x11.Window{blocking}
	}
	for _, w := range front {
		ref, err := v.frameOf(ctx, s, w)
		if err != nil {
			continue
		}
		tree, _, err := v.read(ctx, ref)
		if err != nil {
			return x11.Window{}, err
		}
		if holds(tree, n.ref) {
			return w, nil
		}
	}
	if isModal {
		return x11.Window{}, behind(blocking)
	}
	return x11.Window{}, refuse("the control %s is not in this window", id)
}

// behind says that a modal dialog takes the input.
func behind(dialog x11.Window) error {
	return refuse("the dialog %q is open: nothing else of the window can be used before it is closed", clip(dialog.Title, maxName))
}

func holds(n *node, ref atspi.Ref) bool {
	if n.ref == ref {
		return true
	}
	for _, c := range n.children {
		if holds(c, ref) {
			return true
		}
	}
	return false
}

// target is what an act is for.
type target struct {
	*node
	window x11.Window
}

// aim returns the control that an act is for, if it is what was shown, can be used, and no dialog is in
// front of it. name is what the command calls it; nil: nothing.
func (v *view) aim(ctx context.Context, id string, name *string) (*target, error) {
	s, err := v.look(ctx)
	if err != nil {
		return nil, err
	}
	n, w, err := v.find(ctx, s, id)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	was, known := v.shown[id]
	v.mu.Unlock()
	is := nameOf(n)
	switch {
	case known && was.role != n.role:
		return nil, refuse("the control %s was a %s called %q, and is a %s called %q by now", id, was.role, clip(was.name, maxName), n.role, clip(is, maxName))
	case known && was.name != is && !writable(n):
		return nil, refuse("the %s %s was called %q, and is called %q by now", n.role, id, clip(was.name, maxName), clip(is, maxName))
	case name != nil && *name != "" && oneLine(*name) != is && *name != clip(is, maxName):
		return nil, refuse("the control %s is called %q, not %q", id, clip(is, maxName), clip(*name, maxName))
	case !n.is(atspi.Showing) || n.bounds.Empty():
		return nil, refuse("the control %s is not on the screen: scroll to it", id)
	case !n.is(atspi.Sensitive) && !n.is(atspi.Enabled) && acts[n.role]:
		return nil, refuse("the control %s is disabled", id)
	}
	main, family, err := v.members(s)
	if err != nil {
		return nil, err
	}
	if m, ok := modal(family, main.ID); ok && m.ID != w.ID {
		return nil, behind(m)
	}
	return &target{n, w}, nil
}

// writable reports whether a control may be called otherwise by now because somebody wrote into it.
func writable(n *node) bool {
	return n.is(atspi.Editable) || n.is(atspi.MultiLine) || n.role == "document text" || n.role == "paragraph" || tables[n.role]
}

// point returns where a point of the window's picture is on the screen, and the window of the view there.
func (v *view) point(ctx context.Context, x, y int) (image.Point, x11.Window, error) {
	s, err := v.look(ctx)
	if err != nil {
		return image.Point{}, x11.Window{}, err
	}
	main, family, err := v.members(s)
	if err != nil {
		return image.Point{}, x11.Window{}, err
	}
	at := place(family).Min.Add(image.Pt(x, y))
	blocking, isModal := modal(family, main.ID)
	for _, w := range family { // the topmost first
		if w.Hidden || !at.In(w.Bounds) {
			continue
		}
		if isModal && w.ID != blocking.ID {
			return at, w, behind(blocking)
		}
		return at, w, v.expected(w)
	}
	return at, main, refuse("the point %d, %d is not in the window", x, y)
}
