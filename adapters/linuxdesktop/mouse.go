package linuxdesktop

import (
	"cmp"
	"context"
	"image"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// click is click_input.
func (v *view) click(ctx context.Context, a arguments) (desktop.Result, error) {
	t, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.Act(ctx, t.window, func() (string, error) {
		at, err := v.placed(ctx, t)
		if err != nil {
			return "", err
		}
		return v.press(ctx, at, a)
	})
}

// doubleClick is double_click.
func (v *view) doubleClick(ctx context.Context, a arguments) (desktop.Result, error) {
	a.Double = true
	return v.click(ctx, a)
}

// clickPoint is click_on_coordinates.
func (v *view) clickPoint(ctx context.Context, a arguments) (desktop.Result, error) {
	at, w, err := v.point(ctx, a.X, a.Y)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.Act(ctx, w, func() (string, error) {
		if err := v.Uncovered(ctx, at, w); err != nil {
			return "", err
		}
		return v.press(ctx, at, a)
	})
}

// placed returns where a control is now, if nothing lies over it. It may have moved: a bar opens above it, or its window came
// to another place.
func (v *view) placed(ctx context.Context, t *target) (image.Point, error) {
	now, ok, err := v.tree.Extents(ctx, t.Ref)
	if err != nil || !ok {
		return image.Point{}, cmp.Or(stop(ctx, err), refuse("the control %s is not on the screen any more", t.Ref.ID()))
	}
	at := middle(now)
	if err := v.Uncovered(ctx, at, t.window); err != nil {
		return at, err
	}
	return at, v.onPage(ctx, t, at)
}

func (a arguments) button() x11.Button {
	return cmp.Or(map[string]x11.Button{"right": x11.Right, "middle": x11.Middle}[a.Button], x11.Left)
}

// press clicks. It waits until a click is one of its own: two at one place, one after the other, open what was not meant to open.
func (v *view) press(ctx context.Context, at image.Point, a arguments) (string, error) {
	const double, near = 500 * time.Millisecond, 10 // within which two clicks are a double one
	c := &v.clicked
	if away := at.Sub(c.at); max(away.X, -away.X, away.Y, -away.Y) <= near {
		if err := wait.Sleep(ctx, double-time.Since(c.time)); err != nil {
			return "", err
		}
	}
	c.at, c.time = at, time.Now()
	if a.Double {
		return "clicked twice", v.x.Click(ctx, at, a.button(), 2)
	}
	return "clicked", v.x.Click(ctx, at, a.button(), 1)
}

// clicked is where and when was clicked last. The lock of the pointer guards it.
type clicked struct {
	at   image.Point
	time time.Time
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
	return v.Act(ctx, w, func() (string, error) {
		if err := v.Uncovered(ctx, from, w); err != nil {
			return "", err
		}
		if err := v.Uncovered(ctx, to, other); err != nil {
			return "", err
		}
		return "dragged", v.x.Drag(ctx, from, to, a.button())
	})
}

const maxNotches = 200

// wheel is wheel_mouse_input: over a control, or in the middle of the window.
func (v *view) wheel(ctx context.Context, a arguments) (desktop.Result, error) {
	t := &target{}
	if a.ID != "" {
		var err error
		if t, err = v.aim(ctx, a.ID, nil); err != nil {
			return desktop.Result{}, err
		}
	} else {
		g, err := v.group(ctx)
		if err != nil {
			return desktop.Result{}, err
		}
		if t.window = g.main; g.dialog != nil {
			t.window = *g.dialog
		}
	}
	if a.Wheel < -maxNotches || a.Wheel > maxNotches {
		return desktop.Result{}, refuse("turn the wheel by at most %d notches", maxNotches)
	}
	button, n := x11.WheelUp, a.Wheel
	if n < 0 {
		button, n = x11.WheelDown, -n
	}
	return v.Act(ctx, t.window, func() (string, error) {
		at := middle(t.window.Bounds)
		var err error
		if t.Node != nil {
			at, err = v.placed(ctx, t)
		} else {
			err = v.Uncovered(ctx, at, t.window)
		}
		if err != nil {
			return "", err
		}
		return "scrolled", v.x.Click(ctx, at, button, n)
	})
}
