package linuxdesktop

import (
	"context"
	"errors"
	"strings"
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
	var seen steady
	var failed error
	_, err = until(ctx, d.opts.Ready, readyPause, func() (bool, error) {
		ref, err := d.frameOf(ctx, s, w)
		if err == nil {
			n, cut, err = d.read(ctx, ref)
		}
		if err == nil && len(n.children) == 0 && d.isGTK4(ctx, ref) {
			failed = refuse("the controls of the window %q cannot be read: its program uses GTK 4", clip(w.Title, maxName))
			return true, nil
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
			seen = steady{}
			return ready && !errors.Is(failed, atspi.ErrSilent), nil // one that loads a document answers later
		}
		return seen.again(controlsIn(n)) || ready || cut, nil
	})
	if err != nil {
		return nil, false, err
	}
	if failed == nil && len(n.children) == 0 {
		failed = refuse("the window %q shows no controls", clip(w.Title, maxName))
	}
	d.mu.Lock()
	d.ready[w.ID] = true // also of a program without a tree: it is not waited for again
	d.mu.Unlock()
	return n, cut, failed
}

// isGTK4 reports whether a program uses GTK 4, which says of no control that it shows, and places them in their window.
func (d *Desktop) isGTK4(ctx context.Context, ref atspi.Ref) bool {
	name, version, err := d.tree.Toolkit(ctx, ref.Bus)
	return err == nil && strings.EqualFold(name, "gtk") && strings.HasPrefix(version, "4")
}

// steady is how many controls a window had, and how often in a row.
type steady struct{ count, times int }

// again takes the next count and reports whether the window has all of its controls: it had as many before. A window
// alone has none yet.
func (s *steady) again(count int) bool {
	if count != s.count {
		*s = steady{count: count}
	}
	s.times++
	return count > 1 && s.times >= readySame
}

// readySame is how many looks in a row find as many controls once all are there.
const readySame = 2

// controlsIn counts the objects of a tree.
func controlsIn(n *node) int {
	count := 1
	for _, c := range n.children {
		count += controlsIn(c)
	}
	return count
}
