package linuxdesktop

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/desktop"
)

func (a arguments) seconds(otherwise float64) time.Duration {
	if a.Seconds != nil {
		otherwise = *a.Seconds
	}
	return time.Duration(otherwise * float64(time.Second))
}

// wait is the tool of that name.
func (c *call) wait(ctx context.Context) (desktop.Result, error) {
	return desktop.TextResult("waited"), wait.Sleep(ctx, c.args.seconds(0))
}

// waitFor is wait_for: a text in the title of a window, or in a control.
func (c *call) waitFor(ctx context.Context) (desktop.Result, error) {
	a := c.args
	limit := a.seconds(10)
	ok, err := wait.Until(ctx, limit, 150*time.Millisecond, func() (bool, error) {
		there, err := c.shows(ctx, a.Text)
		return err == nil && there != a.Gone, stop(ctx, err)
	})
	switch {
	case err != nil:
		return desktop.Result{}, err
	case !ok && a.Gone:
		return desktop.Result{}, refuse("%q is still there after %v", clip(a.Text, maxName), limit)
	case !ok:
		return desktop.Result{}, refuse("%q is not there after %v", clip(a.Text, maxName), limit)
	case a.Gone:
		return desktop.TextResult("it is not there any more"), nil
	}
	return desktop.TextResult("it is there"), nil
}

// stop returns the errors that end waiting: a program that does not answer may do so later.
func stop(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, desktop.ErrWindowGone) {
		return err
	}
	return nil
}

// shows reports whether a text is in a window of the Desktop.
func (c *call) shows(ctx context.Context, text string) (bool, error) {
	g, err := c.groupNow(ctx)
	if err != nil {
		return false, err
	}
	var unread error
	for _, w := range g.family {
		if strings.Contains(w.Title, text) {
			return true, nil
		}
		n, _, err := c.Controls(ctx, w)
		if err == nil && slices.ContainsFunc(n.All(), func(n *atspi.Node) bool {
			return strings.Contains(n.Title(), text) || strings.Contains(atspi.OneLine(n.Text), text)
		}) {
			return true, nil
		}
		unread = cmp.Or(unread, err)
	}
	return false, unread
}
