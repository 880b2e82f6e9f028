package linuxdesktop

import (
	"cmp"
	"context"
	"image"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// click is click_input.
func (v *view) click(ctx context.Context, a arguments) (desktop.Result, error) {
	t, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.press(ctx, t, a)
}

// doubleClick is double_click.
func (v *view) doubleClick(ctx context.Context, a arguments) (desktop.Result, error) {
	a.Double = true
	return v.click(ctx, a)
}

func (v *view) press(ctx context.Context, t *target, a arguments) (desktop.Result, error) {
	return v.act(ctx, t.window, func() (string, error) {
		at, err := v.placed(ctx, t)
		if err != nil {
			return "", err
		}
		return v.pressAt(ctx, at, a)
	})
}

// placed returns where a control is now, if nothing lies over it. It may have moved: a bar opens above it, or its
// window came to another place.
func (v *view) placed(ctx context.Context, t *target) (image.Point, error) {
	now, ok, err := v.tree.Extents(ctx, t.ref)
	if err != nil || !ok {
		return image.Point{}, cmp.Or(stop(ctx, err), refuse("the control %s is not on the screen any more", t.ref.ID()))
	}
	at := now.Min.Add(now.Size().Div(2))
	if err := v.uncovered(ctx, at, t.window); err != nil {
		return at, err
	}
	return at, v.onPage(ctx, t, at)
}

func (v *view) pressAt(ctx context.Context, at image.Point, a arguments) (string, error) {
	button := map[string]x11.Button{"right": x11.Right, "middle": x11.Middle}[a.Button]
	if button == 0 {
		button = x11.Left
	}
	if err := v.clicks.apart(ctx, at); err != nil {
		return "", err
	}
	if a.Double {
		return "clicked twice", v.x.Click(ctx, at, button, 2)
	}
	return "clicked", v.x.Click(ctx, at, button, 1)
}

// clicks is where and when was clicked last. The lock of the pointer guards it.
type clicks struct {
	at   image.Point
	time time.Time
}

const (
	clickTime = 500 * time.Millisecond // within which two clicks are a double one
	clickNear = 10                     // pixels
)

// apart waits until a click is one of its own: two at one place, one after the other, open what nobody meant to open.
func (c *clicks) apart(ctx context.Context, at image.Point) error {
	wait := clickTime - time.Since(c.time)
	if near := at.Sub(c.at); wait > 0 && max(near.X, -near.X, near.Y, -near.Y) <= clickNear {
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
	c.at, c.time = at, time.Now()
	return nil
}

// clickPoint is click_on_coordinates.
func (v *view) clickPoint(ctx context.Context, a arguments) (desktop.Result, error) {
	at, w, err := v.point(ctx, a.X, a.Y)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.act(ctx, w, func() (string, error) {
		if err := v.uncovered(ctx, at, w); err != nil {
			return "", err
		}
		return v.pressAt(ctx, at, a)
	})
}

// drag is drag_on_coordinates.
func (v *view) drag(ctx context.Context, a arguments) (desktop.Result, error) {
	from, w, err := v.point(ctx, a.StartX, a.StartY)
	if err != nil {
		return desktop.Result{}, err
	}
	to, other, err := v.point(ctx, a.EndX, a.EndY)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.act(ctx, w, func() (string, error) {
		if err := v.uncovered(ctx, from, w); err != nil {
			return "", err
		}
		if err := v.uncovered(ctx, to, other); err != nil {
			return "", err
		}
		button := map[string]x11.Button{"right": x11.Right, "middle": x11.Middle}[a.Button]
		if button == 0 {
			button = x11.Left
		}
		return "dragged", v.x.Drag(ctx, from, to, button)
	})
}

// wheel is wheel_mouse_input.
func (v *view) wheel(ctx context.Context, a arguments) (desktop.Result, error) {
	w, over, err := v.wheelAt(ctx, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if a.Wheel < -maxNotches || a.Wheel > maxNotches {
		return desktop.Result{}, refuse("turn the wheel by at most %d notches", maxNotches)
	}
	button, n := x11.WheelUp, a.Wheel
	if n < 0 {
		button, n = x11.WheelDown, -n
	}
	return v.act(ctx, w, func() (string, error) {
		at, err := over()
		if err != nil {
			return "", err
		}
		return "scrolled", v.x.Click(ctx, at, button, n)
	})
}

const maxNotches = 200

// wheelAt returns in which window the wheel is turned, and what finds the place when it is its turn: over a control, or in
// the middle of the window.
func (v *view) wheelAt(ctx context.Context, id string) (x11.Window, func() (image.Point, error), error) {
	if id != "" {
		t, err := v.aim(ctx, id, nil)
		if err != nil {
			return x11.Window{}, nil, err
		}
		return t.window, func() (image.Point, error) { return v.placed(ctx, t) }, nil
	}
	s, err := v.look(ctx)
	if err != nil {
		return x11.Window{}, nil, err
	}
	w, family, err := v.members(s)
	if err != nil {
		return x11.Window{}, nil, err
	}
	if m, ok := modal(family, w.ID); ok {
		w = m
	}
	at := w.Bounds.Min.Add(w.Bounds.Size().Div(2))
	return w, func() (image.Point, error) { return at, v.uncovered(ctx, at, w) }, nil
}
