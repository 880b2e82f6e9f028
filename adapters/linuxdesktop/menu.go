package linuxdesktop

import (
	"context"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// selectMenu is select_menu.
func (v *view) selectMenu(ctx context.Context, a arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	main, family, err := v.members(s)
	if err != nil {
		return desktop.Result{}, err
	}
	if m, ok := modal(family, main.ID); ok {
		return desktop.Result{}, behind(m)
	}
	bar, err := v.menuBar(ctx, s, main)
	if err != nil {
		return desktop.Result{}, err
	}
	if byAction(s.describe(main).Root) {
		return v.menuAction(ctx, main, bar, a.Path)
	}
	return v.act(ctx, main, func() (string, error) {
		err := v.clickThrough(ctx, main, bar, a.Path)
		if err != nil && ctx.Err() == nil {
			v.closeMenus(ctx, main, len(a.Path))
		}
		return "selected", err
	})
}

// byAction reports whether a program's menu entries are told to act. LibreOffice does not show its menus to
// the tree, and acts on entries of closed ones. A GTK program that opens a dialog by such an action does not
// answer before it is closed, so its menus are clicked through.
func byAction(root string) bool {
	return strings.HasPrefix(root, "libreoffice") || root == "soffice"
}

// menuBar finds the menu bar of a window.
func (v *view) menuBar(ctx context.Context, s scene, w x11.Window) (atspi.Ref, error) {
	top, err := v.frameOf(ctx, s, w)
	if err != nil {
		return atspi.Ref{}, err
	}
	n, _, err := v.read(ctx, top)
	if err != nil {
		return atspi.Ref{}, err
	}
	if bar := first(n, "menu bar"); bar != nil {
		return bar.ref, nil
	}
	return atspi.Ref{}, refuse("the window has no menu bar")
}

func first(n *node, role string) *node {
	if n.role == role {
		return n
	}
	for _, c := range n.children {
		if found := first(c, role); found != nil {
			return found
		}
	}
	return nil
}

// entries lists those of a menu. In Qt programs they are in a popup menu, which is all that the menu has.
func (v *view) entries(ctx context.Context, menu atspi.Ref) ([]atspi.Ref, error) {
	for {
		count, err := v.tree.ChildCount(ctx, menu)
		if err != nil {
			return nil, err
		}
		if count > many {
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

// entry finds an entry of a menu by its name, with or without the dots at its end.
func (v *view) entry(ctx context.Context, menu atspi.Ref, name string) (atspi.Ref, error) {
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
		if is = oneLine(is); is == oneLine(name) {
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
		return like, refuse("there is no %q, only %s", clip(name, maxName), clip(strings.Join(known, ", "), maxValue))
	}
	return like, nil
}

// folding is a name without what is written in several ways.
func folding(name string) string {
	return strings.ToLower(strings.TrimRight(oneLine(name), ".… "))
}

// usable says why an entry cannot be selected.
func (v *view) usable(ctx context.Context, e atspi.Ref, name string) error {
	st, err := v.tree.States(ctx, e)
	if err == nil && !st.Has(atspi.Sensitive) && !st.Has(atspi.Enabled) {
		err = refuse("the entry %q is disabled", clip(name, maxName))
	}
	return err
}

// menuAction has the entry act.
func (v *view) menuAction(ctx context.Context, w x11.Window, bar atspi.Ref, path []string) (desktop.Result, error) {
	e := bar
	for _, name := range path {
		var err error
		if e, err = v.entry(ctx, e, name); err != nil {
			return desktop.Result{}, err
		}
	}
	last := path[len(path)-1]
	if n, err := v.tree.ChildCount(ctx, e); err == nil && n > 0 {
		return desktop.Result{}, refuse("%q is a menu: name one of its entries, too", clip(last, maxName))
	}
	return v.act(ctx, w, func() (string, error) {
		if err := v.unlocked(ctx, w); err != nil {
			return "", err
		}
		if err := v.usable(ctx, e, last); err != nil {
			return "", err
		}
		ok, err := v.tree.DoAction(ctx, e)
		switch {
		case err != nil:
			return "", &halfDoneError{fmt.Sprintf("%q was selected", last), err}
		case !ok:
			return "", refuse("the program does not act on %q", clip(last, maxName))
		}
		return "selected", nil
	})
}

// clickThrough opens one menu after another and clicks on the entry.
func (v *view) clickThrough(ctx context.Context, w x11.Window, bar atspi.Ref, path []string) error {
	menu := bar
	for i, name := range path {
		var e atspi.Ref
		var missing error
		_, err := until(ctx, time.Second, settlePause, func() (bool, error) {
			e, missing = v.entry(ctx, menu, name)
			return missing == nil || i == 0, stop(ctx, nil) // Qt makes entries when the menu is opened
		})
		if err == nil {
			err = missing
		}
		if err != nil {
			return err
		}
		if err := v.usable(ctx, e, name); err != nil {
			return err
		}
		at, err := v.awaitPlace(ctx, e, name)
		if err != nil {
			return err
		}
		if err := v.uncovered(ctx, at, w); err != nil {
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
	ok, err := until(ctx, 2*time.Second, settlePause, func() (bool, error) {
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
	return last.Min.Add(last.Size().Div(2)), err
}

// closeMenus closes the menus that an attempt has opened.
func (v *view) closeMenus(ctx context.Context, w x11.Window, n int) {
	keys, err := x11.Keys(fmt.Sprintf("{ESC %d}", n))
	if err == nil {
		_ = v.typed(ctx, keys, w) // what went wrong before is what is said
	}
}
