package linuxdesktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// errFocus says that another window took the keyboard while something was typed.
var errFocus = errors.New("another window took the input focus")

// Type presses keys in a window, and stops when another gets the keyboard.
func (v *view) Type(ctx context.Context, strokes []x11.Stroke, w x11.Window) error {
	if err := v.Unlocked(ctx, w); err != nil {
		return err
	}
	n, err := v.x.Type(ctx, strokes, func() error {
		active, err := v.x.Active(ctx)
		if err == nil && active != w.ID {
			err = errFocus
		}
		return err
	})
	if err != nil && n > 0 {
		what := fmt.Sprintf("%d of %d keys were pressed", n, len(strokes))
		if ctx.Err() == nil {
			err = fmt.Errorf("%w: %s", err, what)
		}
		return &screen.HalfDoneError{What: what, Err: err}
	}
	return err
}

// keys is keyboard_input.
func (v *view) keys(ctx context.Context, a arguments) (desktop.Result, error) {
	strokes, err := x11.Keys(a.Keys)
	if err != nil {
		return desktop.Result{}, err
	}
	if a.ID != "" && (a.Focus == nil || *a.Focus) {
		t, err := v.aim(ctx, a.ID, nil)
		if err != nil {
			return desktop.Result{}, err
		}
		return v.Act(ctx, t.window, func() (string, error) {
			if err := v.focusOn(ctx, t); err != nil {
				return "", err
			}
			return fmt.Sprintf("%d keys pressed", len(strokes)), v.Type(ctx, strokes, t.window)
		})
	}
	g, err := v.group(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	w := g.input()
	if err := v.expected(w); err != nil {
		return desktop.Result{}, err
	}
	return v.Act(ctx, w, func() (string, error) {
		return fmt.Sprintf("%d keys pressed in %q", len(strokes), clip(w.Title, maxName)), v.Type(ctx, strokes, w)
	})
}

// focusOn gives a control the input focus: by the program, or by a click.
func (v *view) focusOn(ctx context.Context, t *target) error {
	if st, err := v.tree.States(ctx, t.Ref); err == nil && st.Has(atspi.Focused) {
		return nil
	}
	if ok, err := v.tree.GrabFocus(ctx, t.Ref); err == nil && ok && v.awaitFocus(ctx, t.Ref) == nil {
		return nil
	}
	return v.clickInto(ctx, t)
}

// clickInto gives a control the input focus by a click.
func (v *view) clickInto(ctx context.Context, t *target) error {
	at, err := v.placed(ctx, t)
	if err != nil {
		return err
	}
	if err := v.x.Click(ctx, at, x11.Left, 1); err != nil {
		return err
	}
	if t.Role == "document text" || atspi.Tables[t.Role] { // what is inside gets it
		return wait.Sleep(ctx, screen.Pause)
	}
	if err := v.awaitFocus(ctx, t.Ref); err != nil {
		return &screen.HalfDoneError{What: "the control was clicked", Err: err}
	}
	return nil
}

// awaitFocus waits until a control gets keys.
func (v *view) awaitFocus(ctx context.Context, ref atspi.Ref) error {
	ok, err := wait.Until(ctx, time.Second, 15*time.Millisecond, func() (bool, error) {
		st, err := v.tree.States(ctx, ref)
		return err == nil && st.Has(atspi.Focused), nil
	})
	if err == nil && !ok {
		err = refuse("the control %s does not get the input focus", ref.ID())
	}
	return err
}

// setText is set_edit_text: the program replaces the text, or it is typed. Both are read back.
func (v *view) setText(ctx context.Context, a arguments) (desktop.Result, error) {
	t, err := v.aim(ctx, a.ID, a.Name)
	switch {
	case err != nil:
		return desktop.Result{}, err
	case atspi.Tables[t.Role] || t.Role == "document spreadsheet":
		return desktop.Result{}, refuse("the control %s holds cells, and no text", a.ID)
	case t.Role == "terminal":
		return desktop.Result{}, refuse("the text of the terminal %s cannot be replaced: keyboard_input types", a.ID)
	case !t.Is(atspi.Editable):
		return desktop.Result{}, refuse("the %s %s is no field of text", t.Role, a.ID)
	}
	readable := false
	res, err := v.Act(ctx, t.window, func() (string, error) {
		if err := v.Unlocked(ctx, t.window); err != nil {
			return "", err
		}
		ok, err := v.tree.SetText(ctx, t.Ref, a.Text)
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err != nil || !ok {
			if err := v.typeOver(ctx, t, a.Text); err != nil {
				return "", err
			}
		}
		if t.Role == "password text" {
			return "set", nil
		}
		is := ""
		same, err := wait.Until(ctx, time.Second, screen.Pause, func() (bool, error) {
			text, err := v.tree.Text(ctx, t.Ref, 0)
			is, readable = text, err == nil
			return !readable || is == a.Text, nil
		})
		if err == nil && !same {
			err = &screen.HalfDoneError{What: "the text was set", Err: refuse("its text is %q afterwards", clip(is, atspi.MaxText))}
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
	if strings.ContainsAny(text, "\n\r\t") && !t.Is(atspi.MultiLine) { // such keys leave the field
		return refuse("the control %s takes one line", t.Ref.ID())
	}
	if err := v.clickInto(ctx, t); err != nil {
		return err
	}
	keys, err := x11.Keys("^a{DEL}")
	if err != nil {
		return err
	}
	return v.Type(ctx, append(keys, x11.Text(text)...), t.window)
}
