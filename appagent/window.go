package appagent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// gone reports whether the agent's window is not there any more, or is not the
// one that commands act on. That is no fault: whoever gave the task can plan
// anew.
func gone(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (errors.Is(err, desktop.ErrScope) || errors.Is(err, desktop.ErrWindowGone))
}

// windowGone says that the agent's window is closed.
func (a *Agent) windowGone() error {
	place := builtin.Place(a.cfg.Window)
	if place == "" {
		return desktop.ErrWindowGone
	}
	return fmt.Errorf("%w: %s", desktop.ErrWindowGone, place)
}

// identify looks which window commands act on, before anything else of it is
// looked at. The desktop may have given the id of a window to another by now, and
// one that cannot be narrowed acts wherever the focus is. A dialog of the window is
// part of it.
func (a *Agent) identify(ctx context.Context, t *turn) error {
	if _, ok := t.Box.Tool(desktop.GetAppWindow); !ok {
		t.window = &a.cfg.Window // nobody can say more
		return nil
	}
	err := t.Look(ctx, "window", desktop.GetAppWindow, func() error {
		w, owned, err := desktop.AppWindow(ctx, t.desktop)
		if err == nil {
			t.window, t.dialogs = &w, owned
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case t.Gone != nil:
		return a.windowGone()
	case t.window == nil:
		return a.stillListed(ctx, t)
	}
	if err := a.behindDialog(ctx, t); err != nil {
		return err
	}
	if same(a.cfg.Window, *t.window) {
		t.sortDialogs()
		return nil
	}
	return fmt.Errorf("%w %q: they would act on window %q of %q, but this agent works in %q",
		desktop.ErrScope, a.cfg.Window.ID, t.window.ID, builtin.Where(*t.window), builtin.Where(a.cfg.Window))
}

// same reports whether w is the wanted window, as far as that is described.
func same(wanted, w desktop.Window) bool {
	return (wanted.ID == "" || w.ID == "" || wanted.ID == w.ID) &&
		(wanted.Root == "" || wanted.Root == w.Root) &&
		(wanted.Process == "" || wanted.Process == w.Process)
}

// stillListed finds out whether a window that could not be seen is closed: then the list of
// windows, which is complete, does not have it.
func (a *Agent) stillListed(ctx context.Context, t *turn) error {
	if _, ok := t.Box.Tool(desktop.GetDesktopAppInfo); !ok || a.cfg.Window.ID == "" {
		return nil
	}
	windows, err := desktop.Windows(ctx, t.desktop)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil, slices.ContainsFunc(windows, func(w desktop.Window) bool { return same(a.cfg.Window, w) }):
		return nil //nolint:nilerr // nobody knows
	}
	return a.windowGone()
}

// behindDialog makes a dialog that has the focus, on a desktop that cannot be narrowed, what is
// in front of the agent's window.
func (a *Agent) behindDialog(ctx context.Context, t *turn) error {
	front, mine := *t.window, a.cfg.Window
	if front.Owner == "" || mine.ID == "" || front.ID == mine.ID {
		return nil
	}
	list := []desktop.Window{front}
	windows, err := desktop.Windows(ctx, t.desktop)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		i := slices.IndexFunc(windows, func(w desktop.Window) bool { return w.ID == mine.ID && same(mine, w) })
		if i < 0 { // it may be another's by now: identify says so
			return nil
		}
		mine = windows[i] // with the title that it has now
	}
	if front.Owner != mine.ID {
		if err != nil { // then it is not known whose it is
			return nil //nolint:nilerr // identify says so
		}
		for owner := front.Owner; owner != mine.ID; owner = list[len(list)-1].Owner {
			i := slices.IndexFunc(windows, func(w desktop.Window) bool { return w.ID == owner && w.ID != "" })
			if i < 0 || len(list) > promptsize.Owners { // a circle
				return nil
			}
			list = append(list, windows[i])
		}
	}
	mine.Dialog, mine.Focus = front.ID, front.Focus
	t.window, t.dialogs = &mine, append(list, t.dialogs...)
	t.inDialog = []desktop.Control{{Type: "Dialog", Name: front.Title}}
	return nil
}

// sortDialogs brings the modal one to the front.
func (t *turn) sortDialogs() {
	t.dialogs = slices.Clone(t.dialogs)
	slices.SortStableFunc(t.dialogs, func(a, b desktop.Window) int {
		rank := func(w desktop.Window) int {
			if w.ID == t.window.Dialog {
				return 0
			}
			return 1
		}
		return rank(a) - rank(b)
	})
}

// shownDialog is an entry of the section dialogs.
type shownDialog struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Modal       bool   `json:"modal,omitempty"` // it has to be closed before anything else can be done
}

func (t *turn) shownDialogs() []shownDialog {
	list := make([]shownDialog, len(t.dialogs))
	for i, w := range t.dialogs {
		list[i] = shownDialog{w.ID, w.Title, w.Description, t.window != nil && w.ID == t.window.Dialog}
	}
	return list
}

// closedBefore says that the window was closed while the model thought: a FINISH or a PENDING
// counts no more then, and what is beside it is not executed. Behind its own acts the agent does not
// look again: they may have closed the window. Another window in front is no reason.
func (a *Agent) closedBefore(ctx context.Context, t *turn) error {
	if t.wish.To != fsm.Finish && t.wish.To != fsm.Pending {
		return nil // the next step looks
	}
	now := &turn{desktop: t.desktop}
	now.Box = t.Box
	err := a.identify(ctx, now)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, desktop.ErrWindowGone):
		return err
	case now.window == nil, !errors.Is(err, desktop.ErrScope):
		return nil
	case now.window.ID == a.cfg.Window.ID: // the id is another's by now
		return err
	}
	return a.stillListed(ctx, now)
}

// metClosed says that an act found the agent's own window closed, by something else than the acts.
func (a *Agent) metClosed(t *turn) error {
	if t.lost != nil {
		return t.lost
	}
	if slices.ContainsFunc(t.performance.Acted, func(done acting.Acted) bool {
		other := ofWindow(done.Command.ToolName) && builtin.ID(done.Command) != a.cfg.Window.ID
		return done.Result.Gone && !other
	}) {
		return a.windowGone()
	}
	return nil
}
