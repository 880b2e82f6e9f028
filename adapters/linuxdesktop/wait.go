package linuxdesktop

import (
	"context"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// wait is the tool of that name.
func (v *view) wait(ctx context.Context, a arguments) (desktop.Result, error) {
	return desktop.TextResult("waited"), sleep(ctx, seconds(a.Seconds, 0))
}

func seconds(given *float64, otherwise float64) time.Duration {
	if given != nil {
		otherwise = *given
	}
	return time.Duration(otherwise * float64(time.Second))
}

// waitFor is wait_for: a text in the title of a window, or in a control.
func (v *view) waitFor(ctx context.Context, a arguments) (desktop.Result, error) {
	limit := seconds(a.Seconds, 10)
	ok, err := until(ctx, limit, 150*time.Millisecond, func() (bool, error) {
		there, err := v.shows(ctx, a.Text)
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
	if isGone(err) {
		return err
	}
	return nil
}

// shows reports whether a text is in a window of the view.
func (v *view) shows(ctx context.Context, text string) (bool, error) {
	s, err := v.look(ctx)
	if err != nil {
		return false, err
	}
	_, family, err := v.members(s)
	if err != nil {
		return false, err
	}
	var first error
	for _, w := range family {
		if strings.Contains(w.Title, text) {
			return true, nil
		}
		ref, err := v.frameOf(ctx, s, w)
		if err == nil {
			var n *node
			if n, _, err = v.read(ctx, ref); err == nil && says(n, text) {
				return true, nil
			}
		}
		if first == nil {
			first = err
		}
	}
	return false, first
}

func says(n *node, text string) bool {
	if strings.Contains(nameOf(n), text) || strings.Contains(oneLine(n.text), text) {
		return true
	}
	for _, c := range n.children {
		if says(c, text) {
			return true
		}
	}
	return false
}
