package linuxdesktop

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// errFocus says that another window took the keyboard while something was typed.
var errFocus = errors.New("another window took the input focus")

// typed presses keys in a window, and stops when another gets the keyboard.
func (v *view) typed(ctx context.Context, strokes []x11.Stroke, w x11.Window) error {
	return v.typedWhile(ctx, strokes, w, nil)
}

// typedWhile is typed that asks before each key, by its number, whether to go on.
func (v *view) typedWhile(ctx context.Context, strokes []x11.Stroke, w x11.Window, before func(key int) error) error {
	if err := v.unlocked(ctx, w); err != nil {
		return err
	}
	key := 0
	n, err := v.x.Type(ctx, strokes, func() error {
		active, err := v.x.Active(ctx)
		if err == nil && active != w.ID {
			err = errFocus
		}
		if err == nil && before != nil {
			err = before(key)
		}
		key++
		return err
	})
	if err != nil && n > 0 {
		what := fmt.Sprintf("%d of %d keys were pressed", n, len(strokes))
		if ctx.Err() == nil {
			err = fmt.Errorf("%w: %s", err, what)
		}
		return &halfDoneError{what, err}
	}
	return err
}

// unlocked says that keys would go to something that lies over the whole window, such as what locks
// the screen.
func (v *view) unlocked(ctx context.Context, w x11.Window) error {
	over, err := v.x.At(ctx, w.Bounds.Min.Add(w.Bounds.Size().Div(2)))
	if err == nil && over.ID == 0 && over.PID != w.PID {
		err = refuse("something lies over the window that is none of the program's, perhaps a locked screen")
	}
	return err
}

// keys is keyboard_input.
func (v *view) keys(ctx context.Context, a arguments) (desktop.Result, error) {
	strokes, err := x11.Keys(a.Keys)
	if err != nil {
		return desktop.Result{}, err
	}
	if a.ID == "" || a.Focus != nil && !*a.Focus {
		s, err := v.look(ctx)
		if err != nil {
			return desktop.Result{}, err
		}
		main, family, err := v.members(s)
		if err != nil {
			return desktop.Result{}, err
		}
		w := inFront(main, family)
		if err := v.expected(w); err != nil {
			return desktop.Result{}, err
		}
		return v.act(ctx, w, func() (string, error) {
			return fmt.Sprintf("%d keys pressed in %q", len(strokes), clip(w.Title, maxName)), v.typed(ctx, strokes, w)
		})
	}
	t, err := v.aim(ctx, a.ID, nil)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.act(ctx, t.window, func() (string, error) {
		if err := v.focusOn(ctx, t); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d keys pressed", len(strokes)), v.typed(ctx, strokes, t.window)
	})
}

// inFront returns the window of a family that keys go to: the modal one, or that with the focus, or the main one.
func inFront(main x11.Window, family []x11.Window) x11.Window {
	if m, ok := modal(family, main.ID); ok {
		return m
	}
	for _, w := range family {
		if w.Active {
			return w
		}
	}
	return main
}

// focusOn gives a control the input focus: by the program, or by a click.
func (v *view) focusOn(ctx context.Context, t *target) error {
	if st, err := v.tree.States(ctx, t.ref); err == nil && st.Has(atspi.Focused) {
		return nil
	}
	if ok, err := v.tree.GrabFocus(ctx, t.ref); err == nil && ok {
		if v.awaitFocus(ctx, t.ref) == nil {
			return nil
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	at, err := v.placed(ctx, t)
	if err != nil {
		return err
	}
	if err := v.x.Click(ctx, at, x11.Left, 1); err != nil {
		return err
	}
	if t.role == "document text" || tables[t.role] { // what is inside gets it
		return sleep(ctx, settlePause)
	}
	if err := v.awaitFocus(ctx, t.ref); err != nil {
		return &halfDoneError{"the control was clicked", err}
	}
	return nil
}
