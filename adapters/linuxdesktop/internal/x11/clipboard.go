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

// clipboard is what this connection offers to others, and gets from them (ICCCM, section 2).
type clipboard struct {
	window xproto.Window // 0: it was never used
	kind   xproto.Atom   // of data, such as text/html
	data   []byte
	taken  chan struct{} // closed when a program has asked for the data

	answers chan xproto.Atom // the property of each answer, 0 for none
	parts   chan struct{}    // a part of a long answer is there
}

// atoms that are used where events are read, which waits for nothing.
var clipboardAtoms = []string{"CLIPBOARD", "TARGETS", "INCR", "AGENTFSM_CLIPBOARD"}

// clipboardWindow makes the window that owns what is offered, and gets what is asked for.
func (d *Display) clipboardWindow() (xproto.Window, error) {
	d.mu.Lock()
	w := d.clip.window
	d.mu.Unlock()
	if w != 0 {
		return w, nil
	}
	for _, name := range clipboardAtoms {
		if _, err := d.atom(name); err != nil {
			return 0, err
		}
	}
	w, err := xproto.NewWindowId(d.x)
	if err != nil {
		return 0, err
	}
	err = xproto.CreateWindowChecked(d.x, 0, w, d.root, -1, -1, 1, 1, 0, xproto.WindowClassInputOnly,
		d.screen.RootVisual, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clip.window = w
	return w, nil
}

// SetClipboard offers data of a kind, such as text/html, to all programs, in place of what another has copied. It does so until
// another program copies something, or the connection ends.
func (d *Display) SetClipboard(ctx context.Context, kind string, data []byte) error {
	return d.do(ctx, func() error {
		w, err := d.clipboardWindow()
		if err != nil {
			return err
		}
		is, err := d.atom(kind)
		if err != nil {
			return err
		}
		d.mu.Lock()
		d.clip.kind, d.clip.data, d.clip.taken = is, data, make(chan struct{})
		d.mu.Unlock()
		if err := xproto.SetSelectionOwnerChecked(d.x, w, d.known("CLIPBOARD"), xproto.TimeCurrentTime).Check(); err != nil {
			return err
		}
		owner, err := xproto.GetSelectionOwner(d.x, d.known("CLIPBOARD")).Reply()
		if err == nil && owner.Owner != w {
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
	case d.atoms["TARGETS"]:
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
	var w xproto.Window
	_, err = wait.Until(ctx, limit, 10*time.Millisecond, func() (other bool, err error) {
		err = d.do(ctx, func() error {
			if w, err = d.clipboardWindow(); err != nil {
				return err
			}
			owner, err := xproto.GetSelectionOwner(d.x, d.known("CLIPBOARD")).Reply()
			other = err == nil && owner.Owner != w && owner.Owner != 0
			return err
		})
		return other, err
	})
	if err != nil {
		return nil, err
	}
	into := d.known("AGENTFSM_CLIPBOARD")
	err = d.do(ctx, func() error {
		is, err := d.atom(kind)
		if err != nil {
			return err
		}
		for len(d.clip.answers) > 0 { // to what nobody waits for any more
			<-d.clip.answers
		}
		return xproto.ConvertSelectionChecked(d.x, w, d.known("CLIPBOARD"), is, into, xproto.TimeCurrentTime).Check()
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
	part, inParts, err := d.take(ctx, w, into)
	if err != nil || !inParts {
		return part, err
	}
	for {
		select {
		case <-d.clip.parts:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		part, _, err := d.take(ctx, w, into)
		if err != nil || len(part) == 0 {
			return data, err
		}
		data = append(data, part...)
	}
}

// take reads a property and takes it away, which asks for the next part of a long answer.
func (d *Display) take(ctx context.Context, w xproto.Window, property xproto.Atom) (data []byte, inParts bool, err error) {
	err = d.do(ctx, func() error {
		for len(d.clip.parts) > 0 {
			<-d.clip.parts
		}
		r, err := xproto.GetProperty(d.x, true, w, property, xproto.GetPropertyTypeAny, 0, 1<<28).Reply()
		if err == nil {
			data, inParts = r.Value, r.Type == d.known("INCR")
		}
		return err
	})
	return data, inParts, err
}

// known returns the number of a name that was asked for before.
func (d *Display) known(name string) xproto.Atom {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.atoms[name]
}
