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

// Type is strokes for keys in the words of keyboard_input.
func (c *call) Type(ctx context.Context, keys string, w x11.Window) error {
	strokes, err := x11.Keys(keys)
	if err != nil {
		return err
	}
	return c.strokes(ctx, strokes, w)
}

// strokes presses keys in a window, and stops when another gets the keyboard.
func (c *call) strokes(ctx context.Context, strokes []x11.Stroke, w x11.Window) error {
	n, err := c.x.Type(ctx, strokes, func() error {
		active, err := c.x.Active(ctx)
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
func (c *call) keys(ctx context.Context) (desktop.Result, error) {
	strokes, err := x11.Keys(c.args.Keys)
	if err != nil {
		return desktop.Result{}, err
	}
	t := screen.Target{Window: c.input()}
	if c.args.ID != "" && (c.args.Focus == nil || *c.args.Focus) {
		t, err = c.Aim(ctx, c.args.ID, "")
	} else {
		err = c.expected(t.Window)
	}
	if err != nil {
		return desktop.Result{}, err
	}
	return c.Act(ctx, t.Window, func() (string, error) {
		what := fmt.Sprintf("%d keys pressed", len(strokes))
		if t.Node == nil {
			what += fmt.Sprintf(" in %q", clip(t.Window.Title, maxName))
		} else if err := c.focusOn(ctx, t); err != nil {
			return "", err
		}
		return what, c.strokes(ctx, strokes, t.Window)
	})
}

// focusOn gives a control the input focus: by the program, or by a click.
func (c *call) focusOn(ctx context.Context, t screen.Target) error {
	if st, err := c.tree.States(ctx, t.Ref); err == nil && st.Has(atspi.Focused) {
		return nil
	}
	if ok, err := c.tree.GrabFocus(ctx, t.Ref); err == nil && ok && c.awaitFocus(ctx, t.Ref) == nil {
		return nil
	}
	return c.clickInto(ctx, t)
}

// clickInto gives a control the input focus by a click.
func (c *call) clickInto(ctx context.Context, t screen.Target) error {
	at, err := c.placed(ctx, t)
	if err != nil {
		return err
	}
	if err := c.x.Click(ctx, at, x11.Left, 1); err != nil {
		return err
	}
	if t.Role == "document text" || atspi.Tables[t.Role] { // what is inside gets it
		return wait.Sleep(ctx, screen.Pause)
	}
	if err := c.awaitFocus(ctx, t.Ref); err != nil {
		return &screen.HalfDoneError{What: "the control was clicked", Err: err}
	}
	return nil
}

// awaitFocus waits until a control gets keys.
func (c *call) awaitFocus(ctx context.Context, ref atspi.Ref) error {
	ok, err := wait.Until(ctx, time.Second, 15*time.Millisecond, func() (bool, error) {
		st, err := c.tree.States(ctx, ref)
		return err == nil && st.Has(atspi.Focused), nil
	})
	if err == nil && !ok {
		err = refuse("the control %s does not get the input focus", ref.ID())
	}
	return err
}

// setText is set_edit_text: the program replaces the text, or it is typed. Both are read back.
func (c *call) setText(ctx context.Context) (desktop.Result, error) {
	a := c.args
	t, err := c.Aim(ctx, a.ID, a.Name)
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
	res, err := c.Act(ctx, t.Window, func() (string, error) {
		if ok, err := c.tree.SetText(ctx, t.Ref, a.Text); err != nil || !ok {
			if err := c.typeOver(ctx, t, a.Text); err != nil {
				return "", err
			}
		}
		if t.Role == "password text" {
			return "set", nil
		}
		is := ""
		same, err := wait.Until(ctx, time.Second, screen.Pause, func() (bool, error) {
			text, err := c.tree.Text(ctx, t.Ref, 0)
			is, readable = text, err == nil
			return !readable || is == a.Text, nil
		})
		if err == nil && !same {
			err = &screen.HalfDoneError{What: "the text was set", Err: refuse("its text is %q afterwards", clip(is, atspi.MaxText))}
		}
		return "set", err
	})
	res.Unverified = ""
	if !readable {
		res.Unverified = "the text was set, and cannot be read back"
	}
	return res, err
}

// typeOver selects the text of a control and types another.
func (c *call) typeOver(ctx context.Context, t screen.Target, text string) error {
	if strings.ContainsAny(text, "\n\r\t") && !t.Is(atspi.MultiLine) { // such keys leave the field
		return refuse("the control %s takes one line", t.Ref.ID())
	}
	if err := c.clickInto(ctx, t); err != nil {
		return err
	}
	keys, err := x11.Keys("^a{DEL}")
	if err == nil {
		err = c.strokes(ctx, append(keys, x11.Text(text)...), t.Window)
	}
	return err
}
