package linuxdesktop

import (
	"context"
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

const (
	readyPause = 80 * time.Millisecond
	readyTakes = 20 * time.Second // at most, to show the controls of a new window
)

// awaitReady reads a window, once its controls are there: a new window comes up before they do. It has all of them when two looks
// find as many.
func (c *call) awaitReady(ctx context.Context, w x11.Window) (n *atspi.Node, cut bool, err error) {
	c.mu.Lock()
	ready := c.ready[w.ID]
	c.mu.Unlock()
	before := 0
	_, stopped := wait.Until(ctx, readyTakes, readyPause, func() (bool, error) {
		n, cut, err = c.Controls(ctx, w)
		count := 0
		switch {
		case errors.Is(err, errWindowClosed), errors.Is(err, x11.ErrServer):
			return true, nil
		case err != nil: // one that loads a document answers later
			before = 0
			return ready && !errors.Is(err, atspi.ErrSilent), nil
		case len(n.Children) > 0:
			count = len(n.All())
		case c.tree.IsGTK4(ctx, n.Ref): // which says of no control that it shows
			err = refuse("the controls of the window %q cannot be read: its program uses GTK 4", clip(w.Title, maxName))
			return true, nil
		}
		same := count > 0 && count == before
		before = count
		return same || ready || cut, nil
	})
	if stopped != nil {
		return nil, false, stopped
	}
	if err == nil && len(n.Children) == 0 {
		err = refuse("the window %q shows no controls", clip(w.Title, maxName))
	}
	c.mu.Lock()
	c.ready[w.ID] = true // also of a program without a tree: it is not waited for again
	c.mu.Unlock()
	return n, cut, err
}
