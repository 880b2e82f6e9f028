package linuxdesktop

import (
	"context"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// selectMenu is select_menu.
func (v *view) selectMenu(ctx context.Context, a arguments) (desktop.Result, error) {
	bar, w, err := v.Menu(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	return v.Act(ctx, w, func() (string, error) {
		err := v.clickThrough(ctx, w, bar, a.Path)
		if err != nil && ctx.Err() == nil {
			v.closeMenus(ctx, w, len(a.Path))
		}
		return "selected", err
	})
}

// Menu returns the main window and its menu bar.
func (v *view) Menu(ctx context.Context) (bar atspi.Ref, w x11.Window, err error) {
	g, err := v.group(ctx)
	if err != nil {
		return bar, w, err
	}
	if g.dialog != nil {
		return bar, w, g.behind()
	}
	n, err := v.Controls(ctx, g.main)
	if err != nil {
		return bar, w, err
	}
	if n = n.First("menu bar"); n == nil {
		return bar, w, refuse("the window has no menu bar")
	}
	return n.Ref, g.main, nil
}

// entries lists those of a menu. In Qt programs they are in a popup menu, which is all that the menu has.
func (v *view) entries(ctx context.Context, menu atspi.Ref) ([]atspi.Ref, error) {
	for {
		count, err := v.tree.ChildCount(ctx, menu)
		if err != nil {
			return nil, err
		}
		if count > atspi.Many {
			return nil, refuse("the menu has %d entries", count)
		}
		list, err := v.tree.Children(ctx, menu)
		if err != nil || len(list) != 1 {
			return list, err
		}
		if role, err := v.tree.Role(ctx, list[0]); err != nil || role != "popup menu" {
			return list, err
		}
		menu = list[0]
	}
}

// Entry finds an entry of a menu by its name, with or without the dots at its end.
func (v *view) Entry(ctx context.Context, menu atspi.Ref, name string) (atspi.Ref, error) {
	entries, err := v.entries(ctx, menu)
	if err != nil {
		return atspi.Ref{}, err
	}
	var known []string
	like := atspi.Ref{}
	for _, e := range entries {
		is, err := v.tree.Name(ctx, e)
		if err != nil {
			return atspi.Ref{}, err
		}
		if is = atspi.OneLine(is); is == atspi.OneLine(name) {
			return e, nil
		}
		if like.Null() && folding(is) == folding(name) {
			like = e
		}
		if is != "" {
			known = append(known, is)
		}
	}
	if like.Null() {
		return like, refuse("there is no %q, only %s", clip(name, maxName), clip(strings.Join(known, ", "), atspi.MaxText))
	}
	return like, nil
}

// Usable refuses an entry that is disabled.
func (v *view) Usable(ctx context.Context, e atspi.Ref, name string) error {
	st, err := v.tree.States(ctx, e)
	if err == nil && !st.Has(atspi.Sensitive) && !st.Has(atspi.Enabled) {
		err = refuse("the entry %q is disabled", clip(name, maxName))
	}
	return err
}

// folding is a name without what is written in several ways.
func folding(name string) string {
	return strings.ToLower(strings.TrimRight(atspi.OneLine(name), ".… "))
}

// clickThrough opens one menu after another and clicks on the entry.
func (v *view) clickThrough(ctx context.Context, w x11.Window, bar atspi.Ref, path []string) error {
	menu := bar
	for i, name := range path {
		var e atspi.Ref
		var missing error
		_, err := wait.Until(ctx, time.Second, screen.Pause, func() (bool, error) {
			e, missing = v.Entry(ctx, menu, name)
			return missing == nil || i == 0, stop(ctx, nil) // Qt makes entries when the menu is opened
		})
		if err == nil {
			err = missing
		}
		if err != nil {
			return err
		}
		if err := v.Usable(ctx, e, name); err != nil {
			return err
		}
		at, err := v.awaitPlace(ctx, e, name)
		if err != nil {
			return err
		}
		if err := v.Uncovered(ctx, at, w); err != nil {
			return err
		}
		if err := v.x.Click(ctx, at, x11.Left, 1); err != nil {
			return err
		}
		menu = e
	}
	return nil
}

// awaitPlace waits until an entry shows, and stays where it is.
func (v *view) awaitPlace(ctx context.Context, e atspi.Ref, name string) (image.Point, error) {
	var last image.Rectangle
	ok, err := wait.Until(ctx, 2*time.Second, screen.Pause, func() (bool, error) {
		st, err := v.tree.States(ctx, e)
		if err != nil || !st.Has(atspi.Showing) {
			return false, nil //nolint:nilerr // it may come
		}
		now, on, err := v.tree.Extents(ctx, e)
		same := err == nil && on && now == last
		last = now
		return same, nil
	})
	if err == nil && !ok {
		err = refuse("the entry %q does not show", clip(name, maxName))
	}
	return middle(last), err
}

// closeMenus closes the menus that an attempt has opened.
func (v *view) closeMenus(ctx context.Context, w x11.Window, n int) {
	keys, err := x11.Keys(fmt.Sprintf("{ESC %d}", n))
	if err == nil {
		_ = v.Type(ctx, keys, w) // what went wrong before is what is said
	}
}
