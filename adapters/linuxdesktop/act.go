package linuxdesktop

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// front raises a window and gives it the keyboard.
func (v *view) front(ctx context.Context, w x11.Window) error {
	const tries, patience = 3, 700 * time.Millisecond
	for range tries { // a window manager may be busy with another
		if err := v.x.Activate(ctx, w.ID); err != nil {
			return err
		}
		ok, err := until(ctx, patience, 10*time.Millisecond, func() (bool, error) {
			active, err := v.x.Active(ctx)
			return active == w.ID, err
		})
		if ok || err != nil {
			return err
		}
	}
	s, err := v.look(ctx)
	if err != nil {
		return err
	}
	if _, there := s.window(w.ID); !there {
		return refuse("the window %q closed", clip(w.Title, maxName))
	}
	return refuse("the window %q does not get the input focus", clip(w.Title, maxName))
}

// uncovered says what lies over a point of a window.
func (v *view) uncovered(ctx context.Context, at image.Point, w x11.Window) error {
	over, err := v.x.At(ctx, at)
	switch {
	case err != nil:
		return err
	case over.ID == w.ID, over.ID == 0 && over.PID == w.PID && w.PID != 0: // or a menu or a list of the program
		return nil
	case over.Title != "":
		return refuse("the window %q lies over it", clip(over.Title, maxName))
	}
	return refuse("something lies over it that is no window of the program: a menu, a notification, or a locked screen")
}

// act does something with the pointer or the keyboard and says what became of it. did returns what
// was done, and, where that was not all, an error.
func (v *view) act(ctx context.Context, w x11.Window, did func() (string, error)) (desktop.Result, error) {
	if err := v.take(ctx); err != nil {
		return desktop.Result{}, err
	}
	defer v.give()
	if err := v.front(ctx, w); err != nil {
		return desktop.Result{}, err
	}
	before, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	was, err := v.x.Picture(ctx, w.Bounds)
	if err != nil {
		return desktop.Result{}, err
	}
	what, err := did()
	if err != nil {
		return desktop.Result{}, err
	}
	after, err := v.settle(ctx, w)
	if err != nil {
		return desktop.Result{}, &halfDoneError{what + "; what became of it was not seen", err}
	}
	res := desktop.TextResult(what)
	if news := changes(before, after); news != "" {
		res = desktop.TextResult(what + "; " + news)
	}
	if changes(before.of(w.PID), after.of(w.PID)) != "" {
		return res, nil
	}
	changed, err := until(ctx, drawn, settlePause, func() (bool, error) {
		is, err := v.x.Picture(ctx, w.Bounds)
		return err == nil && differ(was, is), err
	})
	if err != nil || !changed {
		res.Unverified = what + ", and nothing of the window changed"
	}
	return res, nil
}

// differ reports whether two pictures show something else. A cursor that blinks is nothing.
func differ(a, b *image.RGBA) bool {
	if a.Rect != b.Rect {
		return true
	}
	left, right := a.Rect.Max.X, -1
	for y := range a.Rect.Dy() {
		rowA, rowB := a.Pix[y*a.Stride:][:a.Stride], b.Pix[y*b.Stride:][:b.Stride]
		if bytes.Equal(rowA, rowB) {
			continue
		}
		for x := range a.Rect.Dx() {
			if !bytes.Equal(rowA[4*x:4*x+4], rowB[4*x:4*x+4]) {
				left, right = min(left, x), max(right, x)
			}
		}
		if right-left >= cursor {
			return true
		}
	}
	return false
}

// cursor is how wide one may be, in pixels.
const cursor = 4

// drawn is how long a program may take to draw what it did. A busy one takes longer than to answer.
const drawn = 600 * time.Millisecond

// changes says which windows came and went.
func changes(before, after scene) string {
	var list []string
	for _, w := range after {
		if was, ok := before.window(w.ID); !ok {
			list = append(list, fmt.Sprintf("a window %q opened", clip(w.Title, maxName)))
		} else if was.Title != w.Title {
			list = append(list, fmt.Sprintf("the window %q is called %q now", clip(was.Title, maxName), clip(w.Title, maxName)))
		}
	}
	for _, w := range before {
		if _, ok := after.window(w.ID); !ok {
			list = append(list, fmt.Sprintf("the window %q closed", clip(w.Title, maxName)))
		}
	}
	return strings.Join(list, "; ")
}

const (
	settlePause = 30 * time.Millisecond
	settleSame  = 3 // looks in a row that find the same windows
)

// settle waits until the windows stay as they are, and the program has answered, so that it has handled
// what was sent before.
func (v *view) settle(ctx context.Context, w x11.Window) (s scene, err error) {
	same := 0
	var last scene
	_, err = until(ctx, v.opts.Settle, settlePause, func() (bool, error) {
		if s, err = v.look(ctx); err != nil {
			return false, err
		}
		if ref, ok := v.knownFrame(w.ID); ok {
			if _, there := s.window(w.ID); there {
				_, _ = v.tree.States(ctx, ref) // it answers, or not within its deadline
			}
		}
		if same++; !slices.Equal(s, last) {
			same = 0
		}
		last = s
		return same >= settleSame, nil
	})
	return s, err
}

// click is click_input.
func (v *view) click(ctx context.Context, a arguments) (desktop.Result, error) {
	t, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.press(ctx, t, a)
}

// doubleClick is double_click.
func (v *view) doubleClick(ctx context.Context, a arguments) (desktop.Result, error) {
	a.Double = true
	return v.click(ctx, a)
}

func (v *view) press(ctx context.Context, t *target, a arguments) (desktop.Result, error) {
	return v.act(ctx, t.window, func() (string, error) {
		at, err := v.placed(ctx, t)
		if err != nil {
			return "", err
		}
		return v.pressAt(ctx, at, a)
	})
}

// placed returns where a control is now, if nothing lies over it. It may have moved: a bar opens above it, or its
// window came to another place.
func (v *view) placed(ctx context.Context, t *target) (image.Point, error) {
	now, ok, err := v.tree.Extents(ctx, t.ref)
	if err != nil || !ok {
		return image.Point{}, cmp.Or(stop(ctx, err), refuse("the control %s is not on the screen any more", t.ref.ID()))
	}
	at := now.Min.Add(now.Size().Div(2))
	return at, v.uncovered(ctx, at, t.window)
}

func (v *view) pressAt(ctx context.Context, at image.Point, a arguments) (string, error) {
	button := map[string]x11.Button{"right": x11.Right, "middle": x11.Middle}[a.Button]
	if button == 0 {
		button = x11.Left
	}
	if a.Double {
		return "clicked twice", v.x.Click(ctx, at, button, 2)
	}
	return "clicked", v.x.Click(ctx, at, button, 1)
}

// clickPoint is click_on_coordinates.
func (v *view) clickPoint(ctx context.Context, a arguments) (desktop.Result, error) {
	at, w, err := v.point(ctx, a.X, a.Y)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.act(ctx, w, func() (string, error) {
		if err := v.uncovered(ctx, at, w); err != nil {
			return "", err
		}
		return v.pressAt(ctx, at, a)
	})
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
	return v.act(ctx, w, func() (string, error) {
		if err := v.uncovered(ctx, from, w); err != nil {
			return "", err
		}
		if err := v.uncovered(ctx, to, other); err != nil {
			return "", err
		}
		button := map[string]x11.Button{"right": x11.Right, "middle": x11.Middle}[a.Button]
		if button == 0 {
			button = x11.Left
		}
		return "dragged", v.x.Drag(ctx, from, to, button)
	})
}

// wheel is wheel_mouse_input.
func (v *view) wheel(ctx context.Context, a arguments) (desktop.Result, error) {
	w, over, err := v.wheelAt(ctx, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	button, n := x11.WheelUp, a.Wheel
	if n < 0 {
		button, n = x11.WheelDown, -n
	}
	if n > maxNotches {
		return desktop.Result{}, refuse("turn the wheel by at most %d notches", maxNotches)
	}
	return v.act(ctx, w, func() (string, error) {
		at, err := over()
		if err != nil {
			return "", err
		}
		return "scrolled", v.x.Click(ctx, at, button, n)
	})
}

const maxNotches = 200

// wheelAt returns in which window the wheel is turned, and what finds the place when it is its turn: over a control, or in
// the middle of the window.
func (v *view) wheelAt(ctx context.Context, id string) (x11.Window, func() (image.Point, error), error) {
	if id != "" {
		t, err := v.aim(ctx, id, nil)
		if err != nil {
			return x11.Window{}, nil, err
		}
		return t.window, func() (image.Point, error) { return v.placed(ctx, t) }, nil
	}
	s, err := v.look(ctx)
	if err != nil {
		return x11.Window{}, nil, err
	}
	w, family, err := v.members(s)
	if err != nil {
		return x11.Window{}, nil, err
	}
	if m, ok := modal(family, w.ID); ok {
		w = m
	}
	at := w.Bounds.Min.Add(w.Bounds.Size().Div(2))
	return w, func() (image.Point, error) { return at, v.uncovered(ctx, at, w) }, nil
}

// setText is set_edit_text: the program replaces the text, or it is typed. Both are read back.
func (v *view) setText(ctx context.Context, a arguments) (desktop.Result, error) {
	t, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	if tables[t.role] || t.role == "document spreadsheet" {
		return desktop.Result{}, refuse("the control %s holds cells: write_cells writes them", a.ID)
	}
	if t.role == "terminal" {
		return desktop.Result{}, refuse("the text of the terminal %s cannot be replaced: keyboard_input types", a.ID)
	}
	is, readable := "", false
	res, err := v.act(ctx, t.window, func() (string, error) {
		if err := v.unlocked(ctx, t.window); err != nil {
			return "", err
		}
		ok, err := v.tree.SetText(ctx, t.ref, a.Text)
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err != nil || !ok {
			if err := v.typeOver(ctx, t, a.Text); err != nil {
				return "", err
			}
		}
		if t.role == "password text" {
			return "set", nil
		}
		same, err := until(ctx, time.Second, settlePause, func() (bool, error) {
			text, err := v.tree.Text(ctx, t.ref, 0)
			is, readable = text, err == nil
			return !readable || is == a.Text, nil
		})
		if err == nil && !same {
			err = &halfDoneError{"the text was set", refuse("its text is %q afterwards", clip(is, maxValue))}
		}
		return "set", err
	})
	if err == nil {
		res.Unverified = ""
		if !readable {
			res.Unverified = "the text was set, and cannot be read back"
		}
	}
	return res, err
}

// typeOver selects the text of a control and types another.
func (v *view) typeOver(ctx context.Context, t *target, text string) error {
	if strings.ContainsAny(text, "\n\r\t") && !t.is(atspi.MultiLine) { // such keys leave the field
		return refuse("the control %s takes one line", t.ref.ID())
	}
	at, err := v.placed(ctx, t)
	if err != nil {
		return err
	}
	if err := v.x.Click(ctx, at, x11.Left, 1); err != nil {
		return err
	}
	if err := v.awaitFocus(ctx, t.ref); err != nil {
		return err
	}
	keys := "^a{DEL}"
	all, err := x11.Keys(keys)
	if err != nil {
		return err
	}
	return v.typed(ctx, append(all, x11.Text(text)...), t.window)
}

// awaitFocus waits until a control gets keys.
func (v *view) awaitFocus(ctx context.Context, ref atspi.Ref) error {
	ok, err := until(ctx, time.Second, 15*time.Millisecond, func() (bool, error) {
		st, err := v.tree.States(ctx, ref)
		return err == nil && st.Has(atspi.Focused), nil
	})
	if err == nil && !ok {
		err = refuse("the control %s does not get the input focus", ref.ID())
	}
	return err
}
