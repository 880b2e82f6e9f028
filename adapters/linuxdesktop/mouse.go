package linuxdesktop

import (
	"cmp"
	"context"
	"image"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// click is click_input, double_click, and click_on_coordinates.
func (c *call) click(ctx context.Context) (desktop.Result, error) {
	var t screen.Target
	var err error
	if c.tool == desktop.ClickOnCoordinates {
		t, err = c.point(c.args.X, c.args.Y)
	} else {
		t, err = c.Aim(ctx, c.args.ID, c.args.Name)
	}
	if err != nil {
		return desktop.Result{}, err
	}
	return c.Act(ctx, t.Window, func() (string, error) {
		at, err := c.placed(ctx, t)
		if err != nil {
			return "", err
		}
		return c.press(ctx, at)
	})
}

// placed returns where a target is now, if nothing lies over it. A control may have moved: a bar opens above it, or its window
// came to another place.
func (c *call) placed(ctx context.Context, t screen.Target) (image.Point, error) {
	if t.Node == nil {
		return t.Point, c.Uncovered(ctx, t.Point, t.Window)
	}
	now, ok, err := c.tree.Extents(ctx, t.Ref)
	if err != nil || !ok {
		return image.Point{}, cmp.Or(stop(ctx, err), refuse("the control %s is not on the screen any more", t.Ref.ID()))
	}
	at := middle(now)
	if err := c.Uncovered(ctx, at, t.Window); err != nil {
		return at, err
	}
	return at, c.onPage(ctx, t, at)
}

func (a arguments) button() x11.Button {
	return cmp.Or(map[string]x11.Button{"right": x11.Right, "middle": x11.Middle}[a.Button], x11.Left)
}

// press clicks. It waits until a click is one of its own: two at one place, one after the other, open what was not meant to open.
func (c *call) press(ctx context.Context, at image.Point) (string, error) {
	const double, near = 500 * time.Millisecond, 10 // within which two clicks are a double one
	last := &c.clicked
	if away := at.Sub(last.at); max(away.X, -away.X, away.Y, -away.Y) <= near {
		if err := wait.Sleep(ctx, double-time.Since(last.time)); err != nil {
			return "", err
		}
	}
	last.at, last.time = at, time.Now()
	if c.args.Double || c.tool == desktop.DoubleClick {
		return "clicked twice", c.x.Click(ctx, at, c.args.button(), 2)
	}
	return "clicked", c.x.Click(ctx, at, c.args.button(), 1)
}

// clicked is where and when was clicked last. The lock of the pointer guards it.
type clicked struct {
	at   image.Point
	time time.Time
}

// drag is drag_on_coordinates.
func (c *call) drag(ctx context.Context) (desktop.Result, error) {
	from, err := c.point(c.args.StartX, c.args.StartY)
	if err != nil {
		return desktop.Result{}, err
	}
	to, err := c.point(c.args.EndX, c.args.EndY)
	if err != nil {
		return desktop.Result{}, err
	}
	return c.Act(ctx, from.Window, func() (string, error) {
		for _, t := range []screen.Target{from, to} {
			if _, err := c.placed(ctx, t); err != nil {
				return "", err
			}
		}
		return "dragged", c.x.Drag(ctx, from.Point, to.Point, c.args.button())
	})
}

// wheel is wheel_mouse_input: over a control, or in the middle of the window.
func (c *call) wheel(ctx context.Context) (desktop.Result, error) {
	const most = 200
	button, n := x11.WheelUp, c.args.Wheel
	if n < 0 {
		button, n = x11.WheelDown, -n
	}
	if n > most {
		return desktop.Result{}, refuse("turn the wheel by at most %d notches", most)
	}
	w := c.input()
	t := screen.Target{Window: w, Point: middle(w.Bounds)}
	if c.args.ID != "" {
		var err error
		if t, err = c.Aim(ctx, c.args.ID, ""); err != nil {
			return desktop.Result{}, err
		}
	}
	return c.Act(ctx, t.Window, func() (string, error) {
		at, err := c.placed(ctx, t)
		if err != nil {
			return "", err
		}
		return "scrolled", c.x.Click(ctx, at, button, n)
	})
}
