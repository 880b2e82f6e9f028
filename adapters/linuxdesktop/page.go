package linuxdesktop

import (
	"context"
	"image"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
)

// pageDepth is how far down in a page a control may be.
const pageDepth = 100

// onPage refuses a point of a page at which something else of the page is than the control: what lies over it, or is beside the
// part of it that shows. Browsers say what is at a point, and name the right parents. Other programs do not.
func (v *view) onPage(ctx context.Context, t *target, at image.Point) error {
	page, err := v.pageOf(ctx, t.ref)
	if err != nil || page.Null() {
		return err
	}
	hit, err := v.tree.At(ctx, page, at)
	if err != nil || hit.Null() {
		return stop(ctx, err)
	}
	for is, n := hit, 0; !is.Null() && is != page && n < pageDepth; n++ {
		if is == t.ref {
			return nil
		}
		if is, err = v.tree.Parent(ctx, is); err != nil {
			return stop(ctx, err)
		}
	}
	for up, n := t.ref, 0; !t.pushed() && !up.Null() && n < pageDepth; n++ {
		if up == hit { // a text is hit by what it is in
			return nil
		}
		if up, err = v.tree.Parent(ctx, up); err != nil {
			return stop(ctx, err)
		}
	}
	role, _ := v.tree.Role(ctx, hit) // what cannot be asked has none
	name, _ := v.tree.Name(ctx, hit)
	return refuse("the %s %q of the page is there instead: scroll, or close what lies over it", role, clip(oneLine(name), maxName))
}

// pushed reports whether a click does something with a control itself.
func (t *target) pushed() bool { return acts[t.role] && t.role != "text" && t.role != "entry" }

// pageOf returns the page that an object is in, none where it is in no page.
func (v *view) pageOf(ctx context.Context, ref atspi.Ref) (page atspi.Ref, err error) {
	for n := 0; !ref.Null() && n < pageDepth; n++ {
		role, err := v.tree.Role(ctx, ref)
		if err != nil {
			return atspi.Ref{}, stop(ctx, err)
		}
		switch role {
		case "document web":
			page = ref // one in a frame is in another
		case "frame", "application":
			return page, nil
		}
		if ref, err = v.tree.Parent(ctx, ref); err != nil {
			return page, stop(ctx, err)
		}
	}
	return page, nil
}
