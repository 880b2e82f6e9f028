package x11

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// ErrServer says that the X server is gone or does not answer.
var ErrServer = errors.New("the X server does not answer")

// Quiet keeps the library from writing to the standard error if it finds no .Xauthority.
var Quiet = sync.OnceFunc(func() { xgb.Logger.SetOutput(io.Discard) }) //nolint:forbidigo // it is what makes the library silent

// patience is how long one call may take. A server that was stopped never answers.
const patience = 10 * time.Second

// Display is a connection to an X server. It is safe for concurrent use, but for the pointer
// and the keyboard, which all programs of the display share.
type Display struct {
	x     *xgb.Conn
	root  xproto.Window
	setup *xproto.SetupInfo

	dead    atomic.Bool // no answer came: the connection waits for one that may never come
	drained chan struct{}

	mu    sync.Mutex // of what follows
	atoms map[string]xproto.Atom
	clip  clipboard
}

// Open connects to a display such as ":0". It reads the cookie of the X server from the file
// that XAUTHORITY names, or from .Xauthority.
func Open(ctx context.Context, display string) (*Display, error) {
	d := &Display{atoms: map[string]xproto.Atom{}, drained: make(chan struct{})}
	Quiet()
	err := d.do(ctx, func() error {
		x, err := xgb.NewConnDisplay(display)
		if err != nil {
			return err
		}
		d.x, d.setup = x, xproto.Setup(x)
		d.root = d.setup.DefaultScreen(x).Root
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case d.setup.ImageByteOrder != xproto.ImageOrderLSBFirst:
			err = errors.New("its byte order is not supported")
		default:
			if err = xtest.Init(x); err != nil {
				err = fmt.Errorf("no XTEST: %w", err)
			} else {
				err = d.openClipboard()
			}
		}
		if err != nil {
			x.Close()
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open display %q: %w", display, err)
	}
	go d.drain()
	return d, nil
}

// drain takes the events that the server sends, so that it never waits for a reader. It ends
// with the connection.
func (d *Display) drain() {
	defer close(d.drained)
	for {
		ev, err := d.x.WaitForEvent()
		if ev == nil && err == nil {
			return
		}
		switch ev := ev.(type) {
		case xproto.SelectionRequestEvent:
			d.offer(ev)
		case xproto.SelectionNotifyEvent:
			empty(d.clip.answers)
			d.clip.answers <- ev.Property
		case xproto.PropertyNotifyEvent:
			if ev.State == xproto.PropertyNewValue && ev.Atom == d.clip.into {
				empty(d.clip.parts)
				d.clip.parts <- struct{}{}
			}
		}
	}
}

// Close ends the connection. Calls that are running end with an error.
func (d *Display) Close() {
	d.x.Close()
	if !d.dead.Load() {
		<-d.drained
	}
}

// do runs calls of the server, which take no context. If ctx ends, do still waits for them: the server answers within
// milliseconds. If it does not answer within patience, a goroutine is left and all later calls fail at once.
func (d *Display) do(ctx context.Context, calls func() error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d.dead.Load() {
		return ErrServer
	}
	done := make(chan error, 1)
	go func() { done <- calls() }()
	select {
	case err := <-done:
		if errors.Is(err, io.EOF) {
			return ErrServer
		}
		return err
	case <-time.After(patience):
		d.dead.Store(true)
		return ErrServer
	}
}

// atom returns the number of a name.
func (d *Display) atom(name string) (xproto.Atom, error) {
	d.mu.Lock()
	a, ok := d.atoms[name]
	d.mu.Unlock()
	if ok {
		return a, nil
	}
	r, err := xproto.InternAtom(d.x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.atoms[name] = r.Atom
	return r.Atom, nil
}

// property returns the value of a property of a window, empty if it has none.
func (d *Display) property(w xproto.Window, name string) ([]byte, error) {
	a, err := d.atom(name)
	if err != nil {
		return nil, err
	}
	const most = 1 << 18 // in units of four bytes
	r, err := xproto.GetProperty(d.x, false, w, a, xproto.GetPropertyTypeAny, 0, most).Reply()
	if err != nil {
		return nil, err
	}
	return r.Value, nil
}

// numbers returns the 32-bit values of a property.
func (d *Display) numbers(w xproto.Window, name string) (list []uint32, err error) {
	raw, err := d.property(w, name)
	for ; len(raw) >= 4; raw = raw[4:] {
		list = append(list, binary.LittleEndian.Uint32(raw))
	}
	return list, err
}

// number returns the first value of a property, 0 if it has none.
func (d *Display) number(w xproto.Window, name string) (uint32, error) {
	list, err := d.numbers(w, name)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[0], nil
}
