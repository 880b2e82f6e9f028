package atspi

import (
	"context"
	"errors"
	"image"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"
)

// Node is an object and what is inside it, as far as [Client.Read] goes.
type Node struct {
	Ref      Ref
	Role     string
	Name     string
	Label    string // the name of the object that labels one without a name
	Text     string // as a person sees it
	States   States
	Bounds   image.Rectangle // on the screen; empty: it is not there
	Count    int             // of children
	Rows     int             // of a table
	Columns  int
	Children []*Node
}

const (
	// Many is how many children are read at most: a sheet has two billion.
	Many = 400
	// ShownCells is how many cells of a table are read one by one.
	ShownCells = 120
	// MaxText is how many characters of a text are read.
	MaxText = 500
	// InFlight is how many calls one program gets at once.
	InFlight = 12

	deepest   = 60
	readCalls = 20_000 // of a window, about four seconds
)

// Set is a set of roles.
func Set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

var (
	// Tables are the roles of tables.
	Tables = Set("table", "tree table")
	// Boxes are the roles of objects that hold others and do nothing themselves.
	Boxes = Set("filler", "panel", "viewport", "scroll pane", "split pane", "root pane", "layered pane", "glass pane", "internal frame",
		"unknown", "section", "grouping", "option pane", "page tab list", "embedded", "static", "landmark")

	skipped  = Set("separator", "scroll bar", "ruler", "tool tip", "redundant object")
	textless = Set("push button", "toggle button", "panel", "filler", "tool bar", "frame", "menu", "menu item", "check menu item", "radio menu item",
		"check box", "radio button", "scroll pane", "table", "tree table", "dialog", "alert", "page tab", "page tab list", "document spreadsheet",
		"menu bar", "status bar", "statusbar", "image", "icon")
	// typed are the roles of fields, whose text is what was typed, however it looks.
	typed = Set("text", "entry", "password text", "spin button", "combo box", "terminal")
)

// Is reports whether the object has all of these states.
func (n *Node) Is(st States) bool { return n.States.Has(st) }

// Title is the name of an object, or that of its label.
func (n *Node) Title() string {
	if name := OneLine(n.Name); name != "" {
		return name
	}
	return strings.TrimSuffix(OneLine(n.Label), ":")
}

// All returns the object and all that is inside it, from the top down.
func (n *Node) All() []*Node {
	list := []*Node{n}
	for _, c := range n.Children {
		list = append(list, c.All()...)
	}
	return list
}

// First returns the first object of a role, nil for none.
func (n *Node) First(role string) *Node {
	all := n.All()
	if i := slices.IndexFunc(all, func(c *Node) bool { return c.Role == role }); i >= 0 {
		return all[i]
	}
	return nil
}

// Holds reports whether an object is this one or inside it.
func (n *Node) Holds(ref Ref) bool {
	return slices.ContainsFunc(n.All(), func(c *Node) bool { return c.Ref == ref })
}

// OneLine makes one blank of each run of blanks, and leaves out control characters and what stands for an object in a text.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ReplaceAll(s, object, ""), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// object stands for an object in a text.
const object = "\ufffc"

// Read reads an object and what is inside it, each level at once. cut says that the budget of calls did not last: what was read
// is returned.
func (c *Client) Read(ctx context.Context, top Ref) (n *Node, cut bool, err error) {
	ctx = WithBudget(ctx, readCalls)
	n = &Node{Ref: top}
	if err := c.Fill(ctx, n); err != nil {
		return nil, false, err
	}
	defer func() {
		if n != nil {
			n.prune()
		}
	}()
	for level, depth := []*Node{n}, 0; len(level) > 0 && depth < deepest; depth++ {
		var next []*Node
		for _, parent := range level {
			refs, err := c.inside(ctx, parent)
			switch {
			case errors.Is(err, ErrBudget):
				return n, true, nil
			case ctx.Err() != nil:
				return nil, false, context.Cause(ctx)
			case errors.Is(err, ErrSilent):
				return nil, false, err
			}
			for _, ref := range refs {
				parent.Children = append(parent.Children, &Node{Ref: ref})
			}
			next = append(next, parent.Children...)
		}
		switch err := c.fillAll(ctx, next); {
		case errors.Is(err, ErrBudget):
			return n, true, nil
		case err != nil:
			return nil, false, err
		}
		level = next
	}
	return n, false, nil
}

// prune takes away what does not show, and so was not read.
func (n *Node) prune() {
	n.Children = slices.DeleteFunc(n.Children, func(c *Node) bool { return !c.Is(Showing) || c.Role == "" || skipped[c.Role] })
	for _, c := range n.Children {
		c.prune()
	}
}

// inside lists what of an object is to be read.
func (c *Client) inside(ctx context.Context, n *Node) ([]Ref, error) {
	switch {
	case n.Count == 0, n.Count > Many, skipped[n.Role], !n.Is(Showing), Tables[n.Role] && n.Count > ShownCells,
		n.Role == "menu" && !n.Is(Selected) && !n.Is(Expanded): // a closed one has hundreds of entries
		return nil, nil
	}
	return c.Children(ctx, n.Ref)
}

func (c *Client) fillAll(ctx context.Context, nodes []*Node) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(InFlight)
	for _, n := range nodes {
		g.Go(func() error {
			err := c.Fill(ctx, n)
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case errors.Is(err, ErrBudget), errors.Is(err, ErrSilent):
				return err
			case err != nil: // it went away meanwhile
				n.States = 0
			}
			return nil
		})
	}
	return g.Wait()
}

// Fill reads one object. Of what does not show, which is most of a tree, only that is asked.
func (c *Client) Fill(ctx context.Context, n *Node) (err error) {
	if n.States, err = c.States(ctx, n.Ref); err != nil || !n.Is(Showing) {
		return err
	}
	if n.Role, err = c.Role(ctx, n.Ref); err != nil || skipped[n.Role] {
		return err
	}
	if n.Name, err = c.Name(ctx, n.Ref); err != nil {
		return err
	}
	if n.Count, err = c.ChildCount(ctx, n.Ref); err != nil || Boxes[n.Role] && n.Name == "" {
		return err
	}
	if n.Bounds, _, err = c.Extents(ctx, n.Ref); !Fatal(ctx, err) {
		err = c.fillText(ctx, n)
	}
	if !Fatal(ctx, err) { // many have no place, or no text, which is an error of the call
		err = nil
	}
	return err
}

// fillText reads what an object says.
func (c *Client) fillText(ctx context.Context, n *Node) (err error) {
	switch {
	case Tables[n.Role]:
		n.Rows, n.Columns, err = c.TableSize(ctx, n.Ref)
	case typed[n.Role]:
		n.Text, err = c.Text(ctx, n.Ref, MaxText)
	case !textless[n.Role]:
		n.Text, err = c.Shown(ctx, n.Ref, MaxText)
	}
	if OneLine(n.Name) != "" || err != nil || !n.Labelled() {
		return err
	}
	label, ok, err := c.LabelledBy(ctx, n.Ref)
	if ok {
		n.Label, err = c.Name(ctx, label)
	}
	return err
}

// Labelled reports whether a label beside an object is its name.
func (n *Node) Labelled() bool {
	switch n.Role {
	case "combo box", "spin button", "slider", "entry", "password text":
		return true
	}
	return n.Is(Editable)
}

// Fatal reports whether an error says more than that an object has no such thing as was asked for.
func Fatal(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, ErrBudget) || errors.Is(err, ErrSilent)
}
