package x11

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jezek/xgb/xproto"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
)

// clipboard is what this connection offers to other programs, and gets from them (ICCCM, section 2).
type clipboard struct {
	window  xproto.Window // owns what is offered, and gets what is asked for
	name    xproto.Atom
	targets xproto.Atom
	incr    xproto.Atom
	into    xproto.Atom // the property that gets an answer

	kind  xproto.Atom // of data, such as text/html
	data  []byte
	taken chan struct{} // closed when a program has asked for the data

	answers chan xproto.Atom // the property of each answer, 0 for none
	parts   chan struct{}    // a part of a long answer is there
}

func (d *Display) openClipboard() (err error) {
	c := &d.clip
	c.answers, c.parts = make(chan xproto.Atom, 1), make(chan struct{}, 1)
	for name, a := range map[string]*xproto.Atom{
		"CLIPBOARD": &c.name, "TARGETS": &c.targets, "INCR": &c.incr, "AGENTFSM_CLIPBOARD": &c.into,
	} {
		if *a, err = d.atom(name); err != nil {
			return err
		}
	}
	if c.window, err = xproto.NewWindowId(d.x); err != nil {
		return err
	}
	return xproto.CreateWindowChecked(d.x, 0, c.window, d.root, -1, -1, 1, 1, 0, xproto.WindowClassInputOnly,
		0, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
}

// SetClipboard offers data of a kind, such as text/html, to all programs until another one copies something or the
// connection ends.
func (d *Display) SetClipboard(ctx context.Context, kind string, data []byte) error {
	return d.do(ctx, func() error {
		is, err := d.atom(kind)
		if err != nil {
			return err
		}
		d.mu.Lock()
		d.clip.kind, d.clip.data, d.clip.taken = is, data, make(chan struct{})
		d.mu.Unlock()
		if err := xproto.SetSelectionOwnerChecked(d.x, d.clip.window, d.clip.name, xproto.TimeCurrentTime).Check(); err != nil {
			return err
		}
		owner, err := xproto.GetSelectionOwner(d.x, d.clip.name).Reply()
		if err == nil && owner.Owner != d.clip.window {
			err = errors.New("another program keeps the clipboard")
		}
		return err
	})
}

// ClipboardTaken waits until a program has asked for the data, and reports whether one did within a limit.
func (d *Display) ClipboardTaken(ctx context.Context, limit time.Duration) (bool, error) {
	d.mu.Lock()
	taken := d.clip.taken
	d.mu.Unlock()
	select {
	case <-taken:
		return true, nil
	case <-time.After(limit):
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// offer answers a program that asks for the clipboard.
func (d *Display) offer(e xproto.SelectionRequestEvent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	property := e.Property
	if property == 0 { // of an old program
		property = e.Target
	}
	switch e.Target {
	case d.clip.targets:
		list := binary.LittleEndian.AppendUint32(nil, uint32(e.Target))
		list = binary.LittleEndian.AppendUint32(list, uint32(d.clip.kind))
		xproto.ChangeProperty(d.x, xproto.PropModeReplace, e.Requestor, property, xproto.AtomAtom, 32, 2, list)
	case d.clip.kind:
		xproto.ChangeProperty(d.x, xproto.PropModeReplace, e.Requestor, property, e.Target, 8, uint32(len(d.clip.data)), d.clip.data)
		select {
		case <-d.clip.taken:
		default:
			close(d.clip.taken)
		}
	default:
		property = 0 // no
	}
	done := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
	xproto.SendEvent(d.x, false, e.Requestor, 0, string(done.Bytes()))
}

// Copied waits until a program has copied something since [Display.SetClipboard], and returns it as a kind, such as text/html.
func (d *Display) Copied(ctx context.Context, kind string, limit time.Duration) (data []byte, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errors.New("nothing was copied"))
	defer cancel()
	for other := false; !other; {
		if err := wait.Sleep(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
		err := d.do(ctx, func() error {
			owner, err := xproto.GetSelectionOwner(d.x, d.clip.name).Reply()
			other = err == nil && owner.Owner != d.clip.window && owner.Owner != 0
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	err = d.do(ctx, func() error {
		is, err := d.atom(kind)
		if err != nil {
			return err
		}
		empty(d.clip.answers) // of an earlier call that gave up
		return xproto.ConvertSelectionChecked(d.x, d.clip.window, d.clip.name, is, d.clip.into, xproto.TimeCurrentTime).Check()
	})
	if err != nil {
		return nil, err
	}
	select {
	case property := <-d.clip.answers:
		if property == 0 {
			return nil, fmt.Errorf("the program does not copy as %s", kind)
		}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	part, inParts, err := d.take(ctx)
	if err != nil || !inParts {
		return part, err
	}
	for {
		select {
		case <-d.clip.parts:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		part, _, err := d.take(ctx)
		if err != nil || len(part) == 0 {
			return data, err
		}
		data = append(data, part...)
	}
}

// take reads an answer and deletes it, which asks for the next part of a long one.
func (d *Display) take(ctx context.Context) (data []byte, inParts bool, err error) {
	err = d.do(ctx, func() error {
		empty(d.clip.parts)
		r, err := xproto.GetProperty(d.x, true, d.clip.window, d.clip.into, xproto.GetPropertyTypeAny, 0, 1<<28).Reply()
		if err == nil {
			data, inParts = r.Value, r.Type == d.clip.incr
		}
		return err
	})
	return data, inParts, err
}

func empty[T any](c chan T) {
	select {
	case <-c:
	default:
	}
}
