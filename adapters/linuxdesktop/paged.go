package linuxdesktop

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"
	"sync"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// LibreOffice Writer gives the texts of what is in view alone, and one table for each page that a table is on. A
// number at the end of its name is that of the page: Table2-3, Table2-4. The view is scrolled from the first to the last.

// maxScrolls bounds how often that is done for one table, and for one document.
const maxScrolls = 150

// paged is a document that shows page by page.
type paged struct {
	*view
	window x11.Window
	ref    atspi.Ref
	left   int    // how often it may still be scrolled
	last   string // what was in view
	rested bool   // nobody has moved it since
	area   image.Rectangle

	seen   map[atspi.Ref]bool // what was read, or begun
	tables map[string]bool    // by their names without the page

	cursor sync.Mutex // of the cursor, and what follows
	far    int        // how often the view was scrolled since it was in view
}

func newPaged(v *view, w x11.Window, document atspi.Ref) *paged {
	return &paged{
		view: v, window: w, ref: document, left: maxScrolls, far: cursorNear + 1,
		seen: map[atspi.Ref]bool{}, tables: map[string]bool{},
	}
}

// known reports whether something was read, or begun. Tables keep their names where the program makes them anew.
func (p *paged) known(n *node) bool {
	return p.seen[n.ref] || tables[n.role] && p.tables[partOf(n).name]
}

// table reads a table from its first part on.
func (p *paged) table(ctx context.Context, first part) (all grid, err error) {
	p.tables[first.name] = true
	for next := &first; next != nil; {
		t := *next
		cells, err := p.cells(ctx, t.node)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 && cells.goOn() {
			return nil, refuse("the table begins on another page: scroll up to its beginning, and read it there")
		}
		all = all.with(cells)
		if t.page == 0 {
			break
		}
		if next, err = p.next(ctx, t); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, deleted), nil
}

// deleted reports whether a row has nothing but what is marked as deleted.
func deleted(row []cell) bool {
	return slices.ContainsFunc(row, func(c cell) bool { return c.deleted }) && !slices.ContainsFunc(row, func(c cell) bool { return c.text != "" })
}

// cells reads one part, and scrolls until each of its cells was in view.
func (p *paged) cells(ctx context.Context, t *node) (cells grid, err error) {
	cells = make(grid, t.rows)
	for {
		var up bool
		err := p.atRest(ctx, func() error { return p.readInView(ctx, t, cells) })
		switch {
		case errors.Is(err, atspi.ErrGone):
			var found bool
			if found, up, err = p.again(ctx, t); err != nil {
				return nil, err
			}
			if found {
				if t.rows != len(cells) {
					cells = make(grid, t.rows)
				}
				continue
			}
		case err != nil:
			return nil, err
		default:
			row := slices.IndexFunc(cells, func(row []cell) bool { return slices.ContainsFunc(row, cell.unseen) })
			if row < 0 {
				if !t.mirrored {
					cells.fill()
				}
				return cells, nil
			}
			if up, err = p.above(ctx, t, row, cells[row]); err != nil {
				return nil, err
			}
		}
		moved, err := p.scroll(ctx, up, 0)
		if err != nil {
			return nil, err
		}
		if !moved {
			return nil, refuse("cells of the table cannot be brought into view")
		}
	}
}

// above reports whether a row that was not read is above what is in view, or begins above it.
func (p *paged) above(ctx context.Context, t *node, unread int, row []cell) (bool, error) {
	for _, c := range row {
		if b, ok, err := p.tree.Extents(ctx, c.ref); err != nil {
			return false, err
		} else if ok && c.unseen() {
			return b.Min.Y <= p.area.Min.Y, nil
		}
	}
	first, last := t.rows, -1
	for r := range t.rows {
		cells, err := readRow(ctx, t.columns, func(ctx context.Context, i int) (c cell, err error) {
			if c.ref, err = p.tree.Cell(ctx, t.ref, r, i); err == nil {
				c.bounds, _, err = p.tree.Extents(ctx, c.ref)
			}
			return c, err
		})
		if err != nil {
			return false, err
		}
		if !allUnseen(cells) {
			first, last = min(first, r), r
		}
	}
	if first < unread && unread < last {
		return false, refuse("row %d of the table has a cell that the program does not show", unread+1)
	}
	return last >= 0 && unread <= first, nil
}

// again finds a part that is gone: the program made it anew, or it is out of view, above or not.
func (p *paged) again(ctx context.Context, t *node) (found, up bool, err error) {
	var list []*node
	if err := p.atRest(ctx, func() (err error) {
		list, err = p.inView(ctx)
		return err
	}); err != nil {
		return false, false, err
	}
	is := partOf(t)
	for _, n := range list {
		switch {
		case !tables[n.role] || partOf(n).name != is.name:
		case n.name == t.name:
			*t = *n
			return true, false, nil
		case partOf(n).page > is.page:
			up = true
		}
	}
	return false, up, nil
}

func allUnseen(row []cell) bool {
	return !slices.ContainsFunc(row, func(c cell) bool { return !c.unseen() })
}

// readInView reads the cells that were not in view before.
func (p *paged) readInView(ctx context.Context, t *node, cells grid) error {
	fresh, partly := make(grid, len(cells)), false
	for r := range cells {
		if cells[r] != nil && !slices.ContainsFunc(cells[r], cell.unseen) {
			continue
		}
		row, err := readRow(ctx, t.columns, func(ctx context.Context, i int) (cell, error) {
			ref, err := p.tree.Cell(ctx, t.ref, r, i)
			if err != nil {
				return cell{}, err
			}
			return p.cell(ctx, ref)
		})
		if err != nil {
			return err
		}
		fresh[r] = row
		partly = partly || slices.ContainsFunc(row, cell.unseen) && !allUnseen(row)
	}
	if fresh.spread(t) {
		if err := p.mirror(ctx, t, fresh); err != nil {
			return err
		}
	} else if partly {
		others, err := p.others(ctx, t, fresh, cells)
		if err != nil {
			return err
		}
		for _, row := range fresh {
			uncover(row, others, slices.Concat(fresh, cells))
		}
	}
	if moved, err := p.moved(ctx); moved || err != nil {
		return cmp.Or(err, errMoved)
	}
	for r, row := range fresh {
		for i := range row {
			if cells[r] == nil || cells[r][i].unseen() {
				continue
			}
			row[i] = cells[r][i]
		}
		if row != nil {
			cells[r] = row
		}
	}
	return nil
}

// cell reads a cell of a document. Of one that is not in view it does not ask what is inside: the program would
// make up a text of nothing, and keep it.
func (p *paged) cell(ctx context.Context, ref atspi.Ref) (c cell, err error) {
	c.ref = ref
	if c.bounds, _, err = p.tree.Extents(ctx, ref); err != nil {
		return c, err
	}
	if p.clipped(c.bounds) {
		c.bounds = image.Rectangle{}
	}
	if c.name, err = p.tree.Name(ctx, ref); err != nil || c.unseen() {
		return c, err
	}
	return c, p.cellText(ctx, &c, p.text)
}

// others reads the cells of a table that are in none of its rows.
func (p *paged) others(ctx context.Context, t *node, cells ...grid) (list []cell, err error) {
	known := map[atspi.Ref]bool{}
	for _, row := range slices.Concat(cells...) {
		for _, c := range row {
			known[c.ref] = true
		}
	}
	refs, err := p.tree.Children(ctx, t.ref)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs {
		if known[ref] {
			continue
		}
		c, err := p.cell(ctx, ref)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// next finds the part behind t: the next table of the document, if it has the same name. Nil: t was the last.
func (p *paged) next(ctx context.Context, t part) (*part, error) {
	for {
		var list []*node
		if err := p.atRest(ctx, func() (err error) {
			list, err = p.inView(ctx)
			return err
		}); err != nil {
			return nil, err
		}
		isT := func(n *node) bool { return n.ref == t.ref || tables[n.role] && n.name == t.node.name }
		behind := !slices.ContainsFunc(list, isT)
		for _, n := range list {
			switch {
			case isT(n):
				behind = true
			case tables[n.role] && partOf(n).name == t.name && partOf(n).page > t.page:
				found := partOf(n)
				return &found, nil
			case behind && !margins[n.role]:
				return nil, nil
			}
		}
		if moved, _, err := p.onward(ctx); err != nil || !moved {
			return nil, err
		}
	}
}
