package x11

import (
	"cmp"
	"context"
	"image"
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
)

// Button is a button of the mouse. The wheel is two.
type Button byte

// The buttons.
const (
	Left      Button = 1
	Middle    Button = 2
	Right     Button = 3
	WheelUp   Button = 4
	WheelDown Button = 5
)

// fake sends an event of an input device, as if a person had caused it.
func (d *Display) fake(kind, detail byte, at image.Point) error {
	return xtest.FakeInputChecked(d.x, kind, detail, 0, d.root, int16(at.X), int16(at.Y), 0).Check()
}

// Move moves the pointer.
func (d *Display) Move(ctx context.Context, to image.Point) error {
	return d.do(ctx, func() error { return d.fake(xproto.MotionNotify, 0, to) })
}

// button presses or releases a button.
func (d *Display) button(ctx context.Context, kind byte, b Button) error {
	return d.do(ctx, func() error { return d.fake(kind, byte(b), image.Point{}) })
}

// clickPause is how long a person takes between the two clicks of a double one. Programs take quicker ones for one.
const clickPause = 60 * time.Millisecond

// Click presses and releases a button at a point, n times.
func (d *Display) Click(ctx context.Context, at image.Point, b Button, n int) error {
	if err := d.Move(ctx, at); err != nil {
		return err
	}
	for i := range n {
		if i > 0 && b <= Right { // not of the wheel
			if err := wait.Sleep(ctx, clickPause); err != nil {
				return err
			}
		}
		if err := d.button(ctx, xproto.ButtonPress, b); err != nil {
			return err
		}
		if err := d.button(context.WithoutCancel(ctx), xproto.ButtonRelease, b); err != nil {
			return err
		}
	}
	return nil
}

// A program takes for a drag what moves in several steps, some time apart, and a browser drops where the pointer has stayed.
const (
	dragSteps = 14
	dragPause = 50 * time.Millisecond
	dragDwell = 400 * time.Millisecond
)

// Drag presses a button at one point, moves to another and releases it there, also if ctx ends on the way.
func (d *Display) Drag(ctx context.Context, from, to image.Point, b Button) (err error) {
	if err := d.Move(ctx, from); err != nil {
		return err
	}
	if err := d.button(ctx, xproto.ButtonPress, b); err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, d.button(context.WithoutCancel(ctx), xproto.ButtonRelease, b)) }()
	way := to.Sub(from)
	for i := 1; i <= dragSteps; i++ {
		if err := wait.Sleep(ctx, dragPause); err != nil {
			return err
		}
		if err := d.Move(ctx, from.Add(way.Mul(i).Div(dragSteps))); err != nil {
			return err
		}
	}
	return wait.Sleep(ctx, dragDwell)
}
