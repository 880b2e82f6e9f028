package linuxdesktop

import (
	"context"
	"regexp"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// LibreOffice Writer gives the texts of what is in view alone, and one table for each page that a
// table is on: Table2-1, Table2-2. The view is scrolled from the first to the last.

// maxScrolls bounds how often that is done for one table.
const maxScrolls = 150

// pagedTable is a table that is read page by page.
type pagedTable struct {
	*view
	window   x11.Window
	document atspi.Ref
	name     string // without the number of the part
	part     int
	rows     [][]string
}

var partName = regexp.MustCompile(`^(.*)-([1-9][0-9]*)$`)

// paged reads a table of a document.
func (v *view) paged(ctx context.Context, w x11.Window, document string, t *node) ([][]string, error) {
	ref, _ := atspi.ParseID(document)
	p := &pagedTable{view: v, window: w, document: ref, name: oneLine(t.name), part: 1}
	numbered := false
	if m := partName.FindStringSubmatch(p.name); m != nil {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, err
		}
		p.name, p.part, numbered = m[1], n, true
	}
	if numbered && p.part > 1 {
		return nil, refuse("this is part %d of the table: scroll up to its beginning, and read %q", p.part, p.name+"-1")
	}
	left := maxScrolls
	for t != nil {
		rows, err := p.readPart(ctx, t, &left)
		if err != nil {
			return nil, err
		}
		p.add(rows)
		if !numbered {
			break
		}
		if t, err = p.next(ctx, t, &left); err != nil {
			return nil, err
		}
	}
	return p.rows, nil
}

// add appends the rows of another part, without the header that it repeats.
func (p *pagedTable) add(rows [][]string) {
	again := 0
	if len(p.rows) > 0 {
		for again < len(rows) && again < len(p.rows) && slices.Equal(rows[again], p.rows[again]) {
			again++
		}
	}
	p.rows = append(p.rows, rows[again:]...)
}

// readPart reads one part, and scrolls until each of its cells was in view.
func (p *pagedTable) readPart(ctx context.Context, t *node, left *int) ([][]string, error) {
	cells := make([][]cell, t.rows)
	for {
		unseen, above := 0, false
		for r := range cells {
			if cells[r] != nil && !slices.ContainsFunc(cells[r], func(c cell) bool { return !c.inView }) {
				continue
			}
			row, err := p.row(ctx, t.ref, r, t.columns)
			if err != nil {
				return nil, err
			}
			if cells[r] == nil {
				cells[r] = row
			}
			for i, c := range row {
				if !cells[r][i].inView {
					cells[r][i] = c
				}
				if !c.inView && !cells[r][i].inView {
					unseen++
				}
			}
			seenBelow := slices.ContainsFunc(cells[min(r+1, len(cells)-1)], func(c cell) bool { return c.inView })
			above = above || unseen > 0 && r == 0 && seenBelow
		}
		if unseen == 0 {
			break
		}
		moved, err := p.scroll(ctx, above, left)
		if err != nil {
			return nil, err
		}
		if !moved {
			return nil, refuse("%d cells of the table cannot be brought into view", unseen)
		}
	}
	rows := make([][]string, len(cells))
	for r := range cells {
		var over []cell
		if r > 0 {
			over = cells[r-1]
		}
		rows[r] = texts(cells[r], over)
	}
	return rows, nil
}

// next finds the part behind t: the next table of the document, if it has the same name. Nil: t was the last.
func (p *pagedTable) next(ctx context.Context, t *node, left *int) (*node, error) {
	for {
		doc := &node{ref: p.document}
		if err := p.fill(ctx, doc); err != nil {
			return nil, err
		}
		list, err := p.level(ctx, doc)
		if err != nil {
			return nil, err
		}
		want := p.name + "-" + strconv.Itoa(p.part+1)
		behind := false
		for _, n := range list {
			switch {
			case n.ref == t.ref:
				behind = true
			case n.role == "table" && oneLine(n.name) == want:
				p.part++
				return n, nil
			case behind && !margins[n.role]:
				return nil, nil
			}
		}
		moved, err := p.scroll(ctx, false, left)
		if err != nil || !moved {
			return nil, err
		}
	}
}

// margins are between the text of two pages.
var margins = set("header", "footer", "footnote", "end note", "page", "separator")

// level reads what is directly inside a document and shows.
func (p *pagedTable) level(ctx context.Context, doc *node) ([]*node, error) {
	refs, err := p.inside(ctx, doc)
	if err != nil {
		return nil, err
	}
	nodes := make([]*node, len(refs))
	for i, ref := range refs {
		nodes[i] = &node{ref: ref}
	}
	if err := p.fillAll(ctx, nodes); err != nil {
		return nil, err
	}
	doc.children = nodes
	prune(doc)
	return doc.children, nil
}

// scroll turns the wheel over the document, by about half of what is in view, and reports whether anything
// moved.
func (p *pagedTable) scroll(ctx context.Context, up bool, left *int) (moved bool, err error) {
	if *left--; *left < 0 {
		return false, nil
	}
	before, err := p.sight(ctx)
	if err != nil {
		return false, err
	}
	b, ok, err := p.tree.Extents(ctx, p.document)
	if err != nil {
		return false, err
	}
	if !ok {
		return false, refuse("the document is not on the screen")
	}
	const notch = 50 // pixels
	button, n := x11.WheelDown, max(1, b.Dy()/2/notch)
	if up {
		button = x11.WheelUp
	}
	at := b.Min.Add(b.Size().Div(2))
	if _, err := p.act(ctx, p.window, func() (string, error) {
		if err := p.uncovered(ctx, at, p.window); err != nil {
			return "", err
		}
		return "scrolled", p.x.Click(ctx, at, button, n)
	}); err != nil {
		return false, err
	}
	after, err := p.sight(ctx)
	return before != after, err
}

// sight tells what is in view from what else could be.
func (p *pagedTable) sight(ctx context.Context) (string, error) {
	refs, err := p.tree.Children(ctx, p.document)
	if err != nil || len(refs) == 0 {
		return "", err
	}
	b, _, err := p.tree.Extents(ctx, refs[0])
	if err != nil {
		return "", err
	}
	c, _, err := p.tree.Extents(ctx, refs[len(refs)-1])
	return refs[0].ID() + b.String() + refs[len(refs)-1].ID() + c.String(), err
}
