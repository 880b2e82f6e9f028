package linuxdesktop

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// frame is an object that may be a window: a child of its program.
type frame struct {
	ref    atspi.Ref
	name   string
	role   string
	bounds image.Rectangle
	active bool
}

var errWindowClosed = errors.New("the window closed")

// frameOf returns the object of a window. X and the tree know the same windows and do not say which
// is which: they are joined by process, then by title and place. What is not sure is found anew by
// each look; no object is ever taken for two windows.
func (d *Desktop) frameOf(ctx context.Context, w x11.Window) (atspi.Ref, error) {
	if ref, ok := d.knownFrame(w.ID); ok {
		if st, err := d.tree.States(ctx, ref); err == nil && st.Has(atspi.Showing) && !st.Has(atspi.Defunct) {
			return ref, nil
		}
		d.mu.Lock()
		delete(d.frames, w.ID)
		delete(d.ready, w.ID)
		d.mu.Unlock()
	}
	s, err := d.look(ctx)
	if err != nil {
		return atspi.Ref{}, err
	}
	if _, there := s.window(w.ID); !there {
		return atspi.Ref{}, errWindowClosed
	}
	frames, err := d.framesOf(ctx, w.PID)
	if err != nil {
		return atspi.Ref{}, err
	}
	var others []x11.Window
	for _, o := range s {
		if o.PID == w.PID && !o.Hidden {
			if ref, ok := d.knownFrame(o.ID); ok {
				frames = slices.DeleteFunc(frames, func(f frame) bool { return f.ref == ref })
			} else {
				others = append(others, o)
			}
		}
	}
	found, ok := join(others, frames)[w.ID]
	if !ok {
		return atspi.Ref{}, refuse("the controls of the window %q cannot be read: its program has no accessibility tree, or not yet", clip(w.Title, maxName))
	}
	if found.sure {
		d.mu.Lock()
		d.frames[w.ID] = found.ref
		d.mu.Unlock()
	}
	return found.ref, nil
}

func (d *Desktop) knownFrame(id x11.WindowID) (atspi.Ref, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ref, ok := d.frames[id]
	return ref, ok
}

// framesOf lists the showing windows of a process; of all, where the window does not say whose it is.
func (d *Desktop) framesOf(ctx context.Context, pid uint32) (list []frame, err error) {
	programs, err := d.tree.Children(ctx, atspi.Desktop)
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		if is, err := d.tree.PID(ctx, p.Bus); pid != 0 && (err != nil || is != pid) {
			continue
		}
		tops, err := d.tree.Children(ctx, p)
		if err != nil {
			if ctx.Err() != nil || pid != 0 {
				return nil, err
			}
			continue // another program may hang
		}
		for _, ref := range tops {
			st, err := d.tree.States(ctx, ref)
			if err != nil || !st.Has(atspi.Showing) {
				continue
			}
			f := frame{ref: ref, active: st.Has(atspi.Active)}
			f.name, _ = d.tree.Name(ctx, ref) // one that closes now has none
			f.role, _ = d.tree.Role(ctx, ref)
			f.bounds, _, _ = d.tree.Extents(ctx, ref)
			list = append(list, f)
		}
	}
	return list, ctx.Err()
}

// joined is the object of a window.
type joined struct {
	ref  atspi.Ref
	sure bool // it need not be found again
}

// join finds the frame of each window, each frame for one window at most: the pairs that are most
// alike first.
func join(windows []x11.Window, frames []frame) map[x11.WindowID]joined {
	type pair struct{ w, f, score int }
	var pairs []pair
	for i, w := range windows {
		for j, f := range frames {
			if n := likeness(w, f); n > 0 {
				pairs = append(pairs, pair{i, j, n})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.score, a.score) })
	out := map[x11.WindowID]joined{}
	taken := map[int]bool{}
	for _, p := range pairs {
		w := windows[p.w]
		if _, done := out[w.ID]; done || taken[p.f] {
			continue
		}
		taken[p.f] = true
		rival := slices.ContainsFunc(pairs, func(o pair) bool {
			return o != p && o.score >= p.score && (o.w == p.w || o.f == p.f)
		})
		out[w.ID] = joined{frames[p.f].ref, p.score >= sure && !rival}
	}
	return out
}

// How much a common title and a common place say. Each alone may be true of two windows.
const (
	sameTitle = 8
	samePlace = 4
	sure      = sameTitle + samePlace
)

// likeness says how much speaks for it that a frame is that of a window; 0: it is not.
func likeness(w x11.Window, f frame) int {
	n := 0
	if f.name != "" && atspi.OneLine(f.name) == atspi.OneLine(w.Title) {
		n += sameTitle
	}
	if near(f.bounds, w.Bounds) {
		n += samePlace
	}
	if n == 0 {
		return 0
	}
	if f.active == w.Active {
		n += 2
	}
	if strings.Contains("dialog alert file chooser color chooser", f.role) == w.Dialog {
		n++
	}
	return n
}

// near reports whether two places are one: programs and window managers do not agree about titles,
// borders and shadows.
func near(a, b image.Rectangle) bool {
	const far = 60
	apart := func(p image.Point) int { return max(p.X, -p.X, p.Y, -p.Y) }
	return max(apart(a.Min.Sub(b.Min)), apart(a.Max.Sub(b.Max))) <= far
}

// focusIn returns the id of the control of a window that gets keys, "" where nobody knows.
func (d *Desktop) focusIn(ctx context.Context, w x11.Window) string {
	ref, err := d.frameOf(ctx, w)
	if err != nil || !w.Active {
		return ""
	}
	focus, ok := d.tree.Focus(ctx, ref.Bus)
	if !ok { // it has not moved since the program was told to say so
		n, _, err := d.tree.Read(ctx, ref)
		if err != nil {
			return ""
		}
		all := slices.DeleteFunc(n.All(), func(c *atspi.Node) bool { return !c.Is(atspi.Focused) })
		if len(all) == 0 {
			return ""
		}
		focus = all[len(all)-1].Ref // the innermost
		d.tree.Focused(focus)
	}
	// A sheet has cells without end, and makes their objects anew. Its name says which it is.
	if role, err := d.tree.Role(ctx, focus); err == nil && role == "table cell" {
		name, err := d.tree.Name(ctx, focus)
		if table, e := d.tree.Parent(ctx, focus); err == nil && e == nil && name != "" {
			return table.ID() + "/" + name
		}
	}
	return focus.ID()
}
