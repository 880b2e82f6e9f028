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
func (v *view) awaitReady(ctx context.Context, s scene, w x11.Window) (n *atspi.Node, cut bool, err error) {
	d := v.Desktop
	d.mu.Lock()
	ready := d.ready[w.ID]
	d.mu.Unlock()
	before := 0
	var failed error
	_, err = wait.Until(ctx, readyTakes, readyPause, func() (bool, error) {
		ref, err := d.frameOf(ctx, s, w)
		if err == nil {
			n, cut, err = d.tree.Read(ctx, ref)
		}
		if failed = err; err == nil {
			count := len(n.All())
			if count == 1 && d.tree.IsGTK4(ctx, ref) { // which says of no control that it shows
				failed = refuse("the controls of the window %q cannot be read: its program uses GTK 4", clip(w.Title, maxName))
				return true, nil
			}
			same := count > 1 && count == before
			before = count
			return same || ready || cut, nil
		}
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if s, err = d.look(ctx); err != nil { // it may have closed
			return false, err
		}
		if _, there := s.window(w.ID); !there {
			return false, refuse("the window %q closed", clip(w.Title, maxName))
		}
		before = 0
		return ready && !errors.Is(failed, atspi.ErrSilent), nil // one that loads a document answers later
	})
	if err != nil {
		return nil, false, err
	}
	if failed == nil && len(n.Children) == 0 {
		failed = refuse("the window %q shows no controls", clip(w.Title, maxName))
	}
	d.mu.Lock()
	d.ready[w.ID] = true // also of a program without a tree: it is not waited for again
	d.mu.Unlock()
	return n, cut, failed
}
