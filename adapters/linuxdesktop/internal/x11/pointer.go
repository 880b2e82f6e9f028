package x11

import (
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
		err := d.do(ctx, func() error {
			if err := d.fake(xproto.ButtonPress, byte(b), image.Point{}); err != nil {
				return err
			}
			return d.fake(xproto.ButtonRelease, byte(b), image.Point{})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// clickPause is how long a person takes between the two clicks of a double one. Programs take quicker ones for one.
const clickPause = 60 * time.Millisecond

// A program takes for a drag what moves in several steps, some time apart, and a browser drops where the pointer has stayed.
const (
	dragSteps = 14
	dragPause = 50 * time.Millisecond
	dragDwell = 400 * time.Millisecond
)

// Drag presses a button at one point, moves to another and releases it there. The button is
// released also where ctx ends on the way.
func (d *Display) Drag(ctx context.Context, from, to image.Point, b Button) (err error) {
	if err := d.Move(ctx, from); err != nil {
		return err
	}
	if err := d.do(ctx, func() error { return d.fake(xproto.ButtonPress, byte(b), image.Point{}) }); err != nil {
		return err
	}
	defer func() {
		release := func() error { return d.fake(xproto.ButtonRelease, byte(b), image.Point{}) }
		if e := d.do(context.WithoutCancel(ctx), release); err == nil {
			err = e
		}
	}()
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
