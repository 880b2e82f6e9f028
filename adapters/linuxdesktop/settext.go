package linuxdesktop

import (
	"context"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// setText is set_edit_text: the program replaces the text, or it is typed. Both are read back.
func (v *view) setText(ctx context.Context, a arguments) (desktop.Result, error) {
	t, err := v.aim(ctx, a.ID, a.Name)
	if err != nil {
		return desktop.Result{}, err
	}
	if tables[t.role] || t.role == "document spreadsheet" {
		return desktop.Result{}, refuse("the control %s holds cells: write_cells writes them", a.ID)
	}
	if !t.is(atspi.Editable) && t.role != "terminal" {
		return desktop.Result{}, refuse("the %s %s is no field of text", t.role, a.ID)
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
		return &halfDoneError{"the control was clicked", err}
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
