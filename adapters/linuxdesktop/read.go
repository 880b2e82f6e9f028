package linuxdesktop

import (
	"context"
	"errors"
	"image"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
)

// node is an object and what is inside it, as far as a look goes.
type node struct {
	ref      atspi.Ref
	role     string
	name     string
	label    string // of what labels it, for one without a name
	text     string
	whole    string // the text with what a person does not see
	states   atspi.States
	bounds   image.Rectangle // on the screen; empty: it is not there
	count    int             // of children
	rows     int             // of a table
	columns  int
	mirrored bool // it runs from right to left
	children []*node
}

func (n *node) is(st atspi.States) bool { return n.states.Has(st) }

const (
	many      = 400    // children that are not read: a sheet has two billion
	deepest   = 60     // how far down a look goes
	inFlight  = 12     // calls to one program at once
	lookCalls = 20_000 // of a window, about four seconds
	showCells = 120    // cells of a table that are shown one by one
)

// roles of the tree, as sets.
var (
	// Nothing of these is shown.
	skipped = set("separator", "scroll bar", "ruler", "tool tip", "redundant object")
	// These hold others, and nobody acts on them.
	boxes = set("filler", "panel", "viewport", "scroll pane", "split pane", "root pane", "layered pane", "glass pane", "internal frame",
		"unknown", "section", "grouping", "option pane", "page tab list", "embedded", "static", "landmark")
	// These are one control, with the names of what is inside, until somebody unfolds them.
	folded = set("tool bar", "menu bar", "status bar", "statusbar")
	// These have no text of their own.
	textless = set("push button", "toggle button", "panel", "filler", "tool bar", "frame", "menu", "menu item", "check menu item", "radio menu item",
		"check box", "radio button", "scroll pane", "table", "tree table", "dialog", "alert", "page tab", "page tab list", "document spreadsheet",
		"menu bar", "status bar", "statusbar", "image", "icon")
	tables = set("table", "tree table")
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// read reads an object and what is inside it, each level at once. cut says that the budget of calls
// did not last: what was read is returned.
func (d *Desktop) read(ctx context.Context, top atspi.Ref) (n *node, cut bool, err error) {
	ctx = atspi.WithBudget(ctx, lookCalls)
	n = &node{ref: top}
	if err := d.fill(ctx, n); err != nil {
		return nil, false, err
	}
	for level, depth := []*node{n}, 0; len(level) > 0 && depth < deepest; depth++ {
		var next []*node
		for _, parent := range level {
			refs, err := d.inside(ctx, parent)
			switch {
			case errors.Is(err, atspi.ErrBudget):
				return n, true, nil
			case ctx.Err() != nil:
				return nil, false, context.Cause(ctx)
			case errors.Is(err, atspi.ErrSilent):
				return nil, false, err
			}
			for _, ref := range refs {
				parent.children = append(parent.children, &node{ref: ref})
			}
			next = append(next, parent.children...)
		}
		if err := all(ctx, next, d.fill); err != nil {
			prune(n)
			if errors.Is(err, atspi.ErrBudget) {
				return n, true, nil
			}
			return nil, false, err
		}
		level = next
	}
	prune(n)
	return n, false, nil
}

// prune takes away what does not show, and so was not read.
func prune(n *node) {
	kept := n.children[:0]
	for _, c := range n.children {
		if c.is(atspi.Showing) && c.role != "" && !skipped[c.role] {
			prune(c)
			kept = append(kept, c)
		}
	}
	n.children = kept
}

// inside lists what of an object is to be read.
func (d *Desktop) inside(ctx context.Context, n *node) ([]atspi.Ref, error) {
	if n.count == 0 || n.count > many || skipped[n.role] || !n.is(atspi.Showing) {
		return nil, nil
	}
	if tables[n.role] && n.count > showCells { // read_table reads it
		return nil, nil
	}
	if n.role == "menu" && !n.is(atspi.Selected) && !n.is(atspi.Expanded) { // a closed one has hundreds of entries
		return nil, nil
	}
	return d.tree.Children(ctx, n.ref)
}

// all reads objects, several at a time.
func all(ctx context.Context, nodes []*node, fill func(context.Context, *node) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for _, n := range nodes {
		g.Go(func() error {
			err := fill(ctx, n)
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case errors.Is(err, atspi.ErrBudget), errors.Is(err, atspi.ErrSilent):
				return err
			case err != nil: // it went away meanwhile
				n.states = 0
			}
			return nil
		})
	}
	return g.Wait()
}

// fill reads one object. Of what does not show, which is most of a tree, only that is asked.
func (d *Desktop) fill(ctx context.Context, n *node) (err error) {
	if n.states, err = d.tree.States(ctx, n.ref); err != nil || !n.is(atspi.Showing) {
		return err
	}
	return d.describe(ctx, n)
}

// describe reads what an object is and says.
func (d *Desktop) describe(ctx context.Context, n *node) (err error) {
	if n.role, err = d.tree.Role(ctx, n.ref); err != nil || skipped[n.role] {
		return err
	}
	if n.name, err = d.tree.Name(ctx, n.ref); err != nil {
		return err
	}
	if n.count, err = d.tree.ChildCount(ctx, n.ref); err != nil {
		return err
	}
	if boxes[n.role] && n.name == "" {
		return nil
	}
	if n.bounds, _, err = d.tree.Extents(ctx, n.ref); errors.Is(err, atspi.ErrBudget) || errors.Is(err, atspi.ErrSilent) {
		return err
	}
	return d.fillText(ctx, n)
}

// fillText reads what an object says. Many have no text, which is an error of the call.
func (d *Desktop) fillText(ctx context.Context, n *node) (err error) {
	if tables[n.role] {
		n.rows, n.columns, err = d.tree.TableSize(ctx, n.ref)
	} else if !textless[n.role] {
		err = d.fillShown(ctx, n)
	}
	if oneLine(n.name) == "" && err == nil && editable(n) {
		var label atspi.Ref
		var ok bool
		if label, ok, err = d.tree.LabelledBy(ctx, n.ref); ok {
			n.label, err = d.tree.Name(ctx, label)
		}
	}
	if errors.Is(err, atspi.ErrBudget) || errors.Is(err, atspi.ErrSilent) || ctx.Err() != nil {
		return err
	}
	return nil
}

// fillShown reads as much of a text as a look shows.
func (d *Desktop) fillShown(ctx context.Context, n *node) (err error) {
	if typed[n.role] {
		n.text, err = d.tree.Text(ctx, n.ref, maxValue)
		return err
	}
	n.text, n.whole, err = d.shownText(ctx, n.ref, maxValue)
	return err
}

// editable reports whether a label beside an object is its name.
func editable(n *node) bool {
	switch n.role {
	case "combo box", "spin button", "slider", "entry", "password text":
		return true
	}
	return n.is(atspi.Editable)
}
