package x11

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"
	"strings"

	"github.com/jezek/xgb/xproto"
)

// WindowID is the server's number for a window. It is given again only when a program has used
// up all of its numbers.
type WindowID uint32

// Window is a window that the window manager knows.
type Window struct {
	ID       WindowID
	Title    string
	Instance string // WM_CLASS, such as libreoffice
	Class    string // and its second part, such as libreoffice-writer
	PID      uint32 // as the program says it, on its own machine; 0: it does not
	Bounds   image.Rectangle
	Active   bool
	Hidden   bool
	Modal    bool
	Dialog   bool     // its type is one: dialog, utility or splash
	Owner    WindowID // WM_TRANSIENT_FOR; 0: none
	Above    int      // its place in the stack, from below
}

// Program is the class of a window, in small letters, such as libreoffice-writer.
func (w Window) Program() string {
	return strings.ToLower(cmp.Or(w.Class, w.Instance, "unknown"))
}

// ErrNoManager says that no window manager is there which lists windows.
var ErrNoManager = errors.New("no window manager of this display lists its windows")

// Managed reports whether a window manager is there.
func (d *Display) Managed(ctx context.Context) (ok bool, err error) {
	const check = "_NET_SUPPORTING_WM_CHECK"
	err = d.do(ctx, func() error {
		manager, err := d.number(d.root, check)
		if err != nil || manager == 0 {
			return err
		}
		// A manager that was killed leaves the property behind.
		again, err := d.number(xproto.Window(manager), check)
		ok = err == nil && again == manager
		if gone(err) {
			return nil
		}
		return err
	})
	return ok, err
}

// Windows lists the windows, in the order in which they were opened.
func (d *Display) Windows(ctx context.Context) (list []Window, err error) {
	err = d.do(ctx, func() error {
		ids, err := d.numbers(d.root, "_NET_CLIENT_LIST")
		if err != nil {
			return err
		}
		stacked, err := d.numbers(d.root, "_NET_CLIENT_LIST_STACKING")
		if err != nil {
			return err
		}
		active, err := d.number(d.root, "_NET_ACTIVE_WINDOW")
		if err != nil {
			return err
		}
		for _, id := range ids {
			w := Window{ID: WindowID(id), Above: max(0, slices.Index(stacked, id)), Active: active == id}
			switch err := d.describe(&w); {
			case gone(err): // it closed between two calls
			case err != nil:
				return err
			default:
				list = append(list, w)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// gone reports whether an error says that a window is not there any more.
func gone(err error) bool {
	_, window := errors.AsType[xproto.WindowError](err)
	_, drawable := errors.AsType[xproto.DrawableError](err)
	return window || drawable
}

func (d *Display) describe(w *Window) error {
	id := xproto.Window(w.ID)
	title, err := d.property(id, "_NET_WM_NAME")
	if err == nil && len(title) == 0 {
		title, err = d.property(id, "WM_NAME")
	}
	if err != nil {
		return err
	}
	w.Title = strings.ToValidUTF8(string(title), "\ufffd")
	class, err := d.property(id, "WM_CLASS")
	if err != nil {
		return err
	}
	parts := append(strings.Split(strings.ToValidUTF8(string(class), "\ufffd"), "\x00"), "")
	w.Instance, w.Class = parts[0], parts[1]
	if w.PID, err = d.number(id, "_NET_WM_PID"); err != nil {
		return err
	}
	owner, err := d.number(id, "WM_TRANSIENT_FOR")
	if err != nil {
		return err
	}
	if owner != uint32(d.root) { // else it is transient for all windows of its group
		w.Owner = WindowID(owner)
	}
	g, err := xproto.GetGeometry(d.x, xproto.Drawable(id)).Reply()
	if err != nil {
		return err
	}
	at, err := xproto.TranslateCoordinates(d.x, id, d.root, 0, 0).Reply()
	if err != nil {
		return err
	}
	w.Bounds = image.Rect(0, 0, int(g.Width), int(g.Height)).Add(image.Pt(int(at.DstX), int(at.DstY)))
	return d.describeState(w)
}

func (d *Display) describeState(w *Window) error {
	states, err := d.numbers(xproto.Window(w.ID), "_NET_WM_STATE")
	if err != nil {
		return err
	}
	types, err := d.numbers(xproto.Window(w.ID), "_NET_WM_WINDOW_TYPE")
	if err != nil {
		return err
	}
	for name, is := range map[string]*bool{
		"_NET_WM_STATE_HIDDEN": &w.Hidden, "_NET_WM_STATE_MODAL": &w.Modal,
		"_NET_WM_WINDOW_TYPE_DIALOG": &w.Dialog, "_NET_WM_WINDOW_TYPE_UTILITY": &w.Dialog, "_NET_WM_WINDOW_TYPE_SPLASH": &w.Dialog,
	} {
		a, err := d.atom(name)
		if err != nil {
			return err
		}
		*is = *is || slices.Contains(states, uint32(a)) || slices.Contains(types, uint32(a))
	}
	return nil
}

// Active returns the window that the window manager gives the keyboard to, 0 for none.
func (d *Display) Active(ctx context.Context) (id WindowID, err error) {
	err = d.do(ctx, func() error {
		active, err := d.number(d.root, "_NET_ACTIVE_WINDOW")
		id = WindowID(active)
		return err
	})
	return id, err
}

// Activate asks the window manager to raise a window and give it the keyboard. It may refuse:
// see [Display.Active].
func (d *Display) Activate(ctx context.Context, w WindowID) error {
	const pager = 2 // the source of the request, which a manager obeys also while a person works
	return d.ask(ctx, w, "_NET_ACTIVE_WINDOW", pager, xproto.TimeCurrentTime, 0)
}

// Nudge sends the window manager a message that means nothing. Openbox now and then sleeps on a request that it has read already,
// such as that to show a new window, until the next one comes.
func (d *Display) Nudge(ctx context.Context) error {
	return d.ask(ctx, WindowID(d.root), "_AGENTFSM_NUDGE")
}

// CloseWindow asks the program of a window to close it, as its close button does.
func (d *Display) CloseWindow(ctx context.Context, w WindowID) error {
	return d.ask(ctx, w, "_NET_CLOSE_WINDOW", xproto.TimeCurrentTime, 2)
}

// ask sends the window manager a message about a window.
func (d *Display) ask(ctx context.Context, w WindowID, what string, data ...uint32) error {
	return d.do(ctx, func() error {
		a, err := d.atom(what)
		if err != nil {
			return err
		}
		event := xproto.ClientMessageEvent{
			Format: 32, Window: xproto.Window(w), Type: a,
			Data: xproto.ClientMessageDataUnionData32New(append(data, make([]uint32, 5-len(data))...)),
		}
		const mask = xproto.EventMaskSubstructureNotify | xproto.EventMaskSubstructureRedirect
		return xproto.SendEventChecked(d.x, false, d.root, mask, string(event.Bytes())).Check()
	})
}

// At returns the window at a point of the screen, the topmost of all. One that the window manager
// does not know, such as a menu, a notification or what locks the screen, has the ID 0; the PID is 0
// where nobody says it, and both are on the empty screen.
func (d *Display) At(ctx context.Context, p image.Point) (w Window, err error) {
	err = d.do(ctx, func() error {
		ids, err := d.numbers(d.root, "_NET_CLIENT_LIST")
		if err != nil {
			return err
		}
		from := d.root
		for range 20 { // from the frame of the window manager down to what the program drew
			r, err := xproto.TranslateCoordinates(d.x, d.root, from, int16(p.X), int16(p.Y)).Reply()
			if err != nil {
				return err
			}
			if r.Child == 0 {
				break
			}
			from = r.Child
			if slices.Contains(ids, uint32(from)) {
				w = Window{ID: WindowID(from)}
				return d.describe(&w)
			}
			if w.PID == 0 {
				if w.PID, err = d.number(from, "_NET_WM_PID"); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if gone(err) {
		return Window{}, nil // it closed while it was looked at
	}
	return w, err
}
