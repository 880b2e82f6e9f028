package linuxdesktop

import (
	"cmp"
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
func (c *call) selectMenu(ctx context.Context) (desktop.Result, error) {
	bar, w, err := c.Menu(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	return c.Act(ctx, w, func() (string, error) {
		err := c.clickThrough(ctx, w, bar, c.args.Path)
		if err != nil && ctx.Err() == nil {
			_ = c.Type(ctx, fmt.Sprintf("{ESC %d}", len(c.args.Path)), w) // closes the menus that were opened
		}
		return "selected", err
	})
}

// Menu returns the main window and its menu bar.
func (c *call) Menu(ctx context.Context) (bar atspi.Ref, w x11.Window, err error) {
	if c.dialog != nil {
		return bar, w, c.behind()
	}
	n, _, err := c.Controls(ctx, c.main)
	if err != nil {
		return bar, w, err
	}
	if n = n.First("menu bar"); n == nil {
		return bar, w, refuse("the window has no menu bar")
	}
	return n.Ref, c.main, nil
}

// entries lists those of a menu. In Qt programs they are in a popup menu, which is all that the menu has.
func (c *call) entries(ctx context.Context, menu atspi.Ref) ([]atspi.Ref, error) {
	for {
		count, err := c.tree.ChildCount(ctx, menu)
		if err != nil {
			return nil, err
		}
		if count > atspi.Many {
			return nil, refuse("the menu has %d entries", count)
		}
		list, err := c.tree.Children(ctx, menu)
		if err != nil || len(list) != 1 {
			return list, err
		}
		if role, err := c.tree.Role(ctx, list[0]); err != nil || role != "popup menu" {
			return list, err
		}
		menu = list[0]
	}
}

// Entry finds an entry of a menu by its name, with or without the dots at its end. It must be enabled.
func (c *call) Entry(ctx context.Context, menu atspi.Ref, name string) (atspi.Ref, error) {
	entries, err := c.entries(ctx, menu)
	if err != nil {
		return atspi.Ref{}, err
	}
	var known []string
	var found atspi.Ref
	for _, e := range entries {
		is, err := c.tree.Name(ctx, e)
		if err != nil {
			return e, err
		}
		if is = atspi.OneLine(is); is == atspi.OneLine(name) {
			found = e
			break
		}
		if found.Null() && folding(is) == folding(name) {
			found = e
		}
		if is != "" {
			known = append(known, is)
		}
	}
	if found.Null() {
		return found, refuse("there is no %q, only %s", clip(name, maxName), clip(strings.Join(known, ", "), atspi.MaxText))
	}
	st, err := c.tree.States(ctx, found)
	if err == nil && !st.Has(atspi.Sensitive) && !st.Has(atspi.Enabled) {
		err = refuse("the entry %q is disabled", clip(name, maxName))
	}
	return found, err
}

// folding is a name without what is written in several ways.
func folding(name string) string {
	return strings.ToLower(strings.TrimRight(atspi.OneLine(name), ".… "))
}

// clickThrough opens one menu after another and clicks on the entry.
func (c *call) clickThrough(ctx context.Context, w x11.Window, bar atspi.Ref, path []string) error {
	menu := bar
	for i, name := range path {
		var e atspi.Ref
		var missing error
		_, err := wait.Until(ctx, time.Second, screen.Pause, func() (bool, error) {
			e, missing = c.Entry(ctx, menu, name)
			return missing == nil || i == 0, nil // Qt makes entries when the menu is opened
		})
		if err = cmp.Or(err, missing); err != nil {
			return err
		}
		at, err := c.awaitPlace(ctx, e, name)
		if err != nil {
			return err
		}
		if err := c.Uncovered(ctx, at, w); err != nil {
			return err
		}
		if err := c.x.Click(ctx, at, x11.Left, 1); err != nil {
			return err
		}
		menu = e
	}
	return nil
}

// awaitPlace waits until an entry shows, and stays where it is.
func (c *call) awaitPlace(ctx context.Context, e atspi.Ref, name string) (image.Point, error) {
	var last image.Rectangle
	ok, err := wait.Until(ctx, 10*time.Second, screen.Pause, func() (bool, error) {
		st, err := c.tree.States(ctx, e)
		if err != nil || !st.Has(atspi.Showing) {
			return false, nil //nolint:nilerr // it may come
		}
		now, on, err := c.tree.Extents(ctx, e)
		same := err == nil && on && now == last
		last = now
		return same, nil
	})
	if err == nil && !ok {
		err = refuse("the entry %q does not show", clip(name, maxName))
	}
	return middle(last), err
}
