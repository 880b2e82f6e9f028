package linuxdesktop

import (
	"context"
	"errors"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// A new window comes up before its controls do. A look waits until it finds the same number of them
// twice.
const readyPause = 80 * time.Millisecond

// awaitReady reads a window, once its controls are there.
func (v *view) awaitReady(ctx context.Context, s scene, w x11.Window) (n *node, cut bool, err error) {
	d := v.Desktop
	d.mu.Lock()
	ready := d.ready[w.ID]
	d.mu.Unlock()
	last := -1
	var failed error
	_, err = until(ctx, d.opts.Ready, readyPause, func() (bool, error) {
		ref, err := d.frameOf(ctx, s, w)
		if err == nil {
			n, cut, err = d.read(ctx, ref)
		}
		if failed = err; err != nil {
			if ctx.Err() != nil {
				return false, context.Cause(ctx)
			}
			if s, err = d.look(ctx); err != nil { // it may have closed
				return false, err
			}
			if _, there := s.window(w.ID); !there {
				return false, refuse("the window %q closed", clip(w.Title, maxName))
			}
			last = -1
			return ready && !errors.Is(failed, atspi.ErrSilent), nil // one that loads a document answers later
		}
		count := controlsIn(n)
		same := count == last && count > 1
		last = count
		return ready || same || cut, nil
	})
	switch {
	case err != nil:
		return nil, false, err
	}
	d.mu.Lock()
	d.ready[w.ID] = true // also of a program without a tree: it is not waited for again
	d.mu.Unlock()
	return n, cut, failed
}

// controlsIn counts the objects of a tree.
func controlsIn(n *node) int {
	count := 1
	for _, c := range n.children {
		count += controlsIn(c)
	}
	return count
}
