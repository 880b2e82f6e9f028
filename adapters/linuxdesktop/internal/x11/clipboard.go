package x11

import (
	"context"
	"errors"
	"time"

	"github.com/jezek/xgb/xproto"
)

// clipboard is the text that this connection offers to others (ICCCM, section 2).
type clipboard struct {
	window  xproto.Window // that owns it; 0: it was never used
	text    string
	name    xproto.Atom // CLIPBOARD
	utf8    xproto.Atom
	targets xproto.Atom
	taken   chan struct{} // closed when a program has asked for the text
}

// SetClipboard offers a text to all programs, in place of what another has copied. It does so until
// another program copies something, or the connection ends.
func (d *Display) SetClipboard(ctx context.Context, text string) error {
	return d.do(ctx, func() (err error) {
		d.mu.Lock()
		c := d.clip
		d.mu.Unlock()
		if c.window == 0 {
			for name, into := range map[string]*xproto.Atom{"CLIPBOARD": &c.name, "UTF8_STRING": &c.utf8, "TARGETS": &c.targets} {
				if *into, err = d.atom(name); err != nil {
					return err
				}
			}
			if c.window, err = xproto.NewWindowId(d.x); err != nil {
				return err
			}
			if err := xproto.CreateWindowChecked(d.x, 0, c.window, d.root, -1, -1, 1, 1, 0, xproto.WindowClassInputOnly,
				d.screen.RootVisual, 0, nil).Check(); err != nil {
				return err
			}
		}
		c.text, c.taken = text, make(chan struct{})
		d.mu.Lock()
		d.clip = c
		d.mu.Unlock()
		if err := xproto.SetSelectionOwnerChecked(d.x, c.window, c.name, xproto.TimeCurrentTime).Check(); err != nil {
			return err
		}
		owner, err := xproto.GetSelectionOwner(d.x, c.name).Reply()
		if err == nil && owner.Owner != c.window {
			err = errors.New("another program keeps the clipboard")
		}
		return err
	})
}

// ClipboardTaken waits until a program has asked for the text, and reports whether one did within a limit.
func (d *Display) ClipboardTaken(ctx context.Context, limit time.Duration) (bool, error) {
	d.mu.Lock()
	taken := d.clip.taken
	d.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-taken:
		return true, nil
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// offer answers a program that asks for the clipboard. It runs where events are read, so it waits for
// nothing.
func (d *Display) offer(e xproto.SelectionRequestEvent) {
	d.mu.Lock()
	c := d.clip
	d.mu.Unlock()
	property := e.Property
	if property == 0 { // of an old program
		property = e.Target
	}
	switch e.Target {
	case c.targets:
		list := make([]byte, 8)
		for i, a := range []xproto.Atom{c.targets, c.utf8} {
			for b := range 4 {
				list[4*i+b] = byte(a >> (8 * b))
			}
		}
		xproto.ChangeProperty(d.x, xproto.PropModeReplace, e.Requestor, property, xproto.AtomAtom, 32, 2, list)
	case c.utf8:
		xproto.ChangeProperty(d.x, xproto.PropModeReplace, e.Requestor, property, c.utf8, 8, uint32(len(c.text)), []byte(c.text))
	default:
		property = 0 // no
	}
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if e.Target == c.utf8 && d.clip.taken == c.taken && c.taken != nil {
			select {
			case <-c.taken:
			default:
				close(c.taken)
			}
		}
	}()
	done := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
	xproto.SendEvent(d.x, false, e.Requestor, 0, string(done.Bytes()))
}
