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
	err = d.do(ctx, func() error {
		check, err := d.numbers(d.root, "_NET_SUPPORTING_WM_CHECK")
		if err != nil || len(check) == 0 {
			return err
		}
		// A manager that was killed leaves the property behind.
		again, err := d.numbers(xproto.Window(check[0]), "_NET_SUPPORTING_WM_CHECK")
		if _, closed := errors.AsType[xproto.WindowError](err); closed {
			return nil
		}
		ok = err == nil && len(again) > 0 && again[0] == check[0]
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
		above := map[uint32]int{}
		for i, id := range stacked {
			above[id] = i
		}
		active, err := d.numbers(d.root, "_NET_ACTIVE_WINDOW")
		if err != nil {
			return err
		}
		for _, id := range ids {
			w := Window{ID: WindowID(id), Above: above[id], Active: len(active) > 0 && active[0] == id}
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
	w.Title = strings.ToValidUTF8(string(title), "�")
	class, err := d.property(id, "WM_CLASS")
	if err != nil {
		return err
	}
	instance, rest, _ := strings.Cut(string(class), "\x00")
	second, _, _ := strings.Cut(rest, "\x00")
	w.Instance, w.Class = strings.ToValidUTF8(instance, "�"), strings.ToValidUTF8(second, "�")
	w.PID = d.number(id, "_NET_WM_PID")
	w.Owner = WindowID(d.number(id, "WM_TRANSIENT_FOR"))
	if w.Owner == WindowID(d.root) { // transient for all windows of its group
		w.Owner = 0
	}
	g, err := xproto.GetGeometry(d.x, xproto.Drawable(id)).Reply()
	if err != nil {
		return err
	}
	at, err := xproto.TranslateCoordinates(d.x, id, d.root, 0, 0).Reply()
	if err != nil {
		return err
	}
	corner := image.Pt(int(at.DstX), int(at.DstY))
	w.Bounds = image.Rectangle{Min: corner, Max: corner.Add(image.Pt(int(g.Width), int(g.Height)))}
	return d.describeState(w)
}

func (d *Display) describeState(w *Window) error {
	names := map[string]*bool{
		"_NET_WM_STATE_HIDDEN": &w.Hidden, "_NET_WM_STATE_MODAL": &w.Modal,
		"_NET_WM_WINDOW_TYPE_DIALOG": &w.Dialog, "_NET_WM_WINDOW_TYPE_UTILITY": &w.Dialog, "_NET_WM_WINDOW_TYPE_SPLASH": &w.Dialog,
	}
	var all []uint32
	for _, property := range []string{"_NET_WM_STATE", "_NET_WM_WINDOW_TYPE"} {
		list, err := d.numbers(xproto.Window(w.ID), property)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	for name, is := range names {
		a, err := d.atom(name)
		if err != nil {
			return err
		}
		*is = *is || slices.Contains(all, uint32(a))
	}
	return nil
}

// Active returns the window that the window manager gives the keyboard to, 0 for none.
func (d *Display) Active(ctx context.Context) (id WindowID, err error) {
	err = d.do(ctx, func() error {
		list, err := d.numbers(d.root, "_NET_ACTIVE_WINDOW")
		if len(list) > 0 {
			id = WindowID(list[0])
		}
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
		clients := map[xproto.Window]bool{}
		for _, id := range ids {
			clients[xproto.Window(id)] = true
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
			at := r.Child
			if clients[at] {
				w = Window{ID: WindowID(at)}
				return d.describe(&w)
			}
			if w.PID == 0 {
				w.PID = d.number(at, "_NET_WM_PID")
			}
			from = at
		}
		return nil
	})
	if gone(err) {
		return Window{}, nil // it closed while it was looked at
	}
	return w, err
}
