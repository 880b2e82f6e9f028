package linuxdesktop

import (
	"cmp"
	"context"
	"errors"
	"image"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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

	cursor sync.Mutex // of the cursor, and what follows
	far    int        // how often the view was scrolled since it was in view
}

func newPaged(v *view, w x11.Window, document atspi.Ref) *paged {
	return &paged{view: v, window: w, ref: document, left: maxScrolls, far: cursorNear + 1}
}

var partName = regexp.MustCompile(`^(.*)-([1-9][0-9]*)$`)

// part is a part of a table: the whole, where it is on one page.
type part struct {
	*node
	name string // of the table, without the page
	page int    // 0: it has none
}

func partOf(t *node) part {
	p := part{node: t, name: oneLine(t.name)}
	if m := partName.FindStringSubmatch(p.name); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil {
			p.name, p.page = m[1], n
		}
	}
	return p
}

// grid is the cells of a table.
type grid [][]cell

// table reads a table from its first part on, and marks the parts that it has seen.
func (p *paged) table(ctx context.Context, first part, seen map[atspi.Ref]bool) (all grid, err error) {
	for next := &first; next != nil; {
		t := *next
		seen[t.ref] = true
		cells, err := p.cells(ctx, t.node)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 && cells.goOn() {
			return nil, refuse("the table begins on another page: scroll up to its beginning, and read it there")
		}
		seen[t.ref] = true // it may have been made anew
		all = all.with(cells)
		if t.page == 0 {
			break
		}
		if next, err = p.next(ctx, t); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// with appends another part. Its cells have the names of those that were read, such as A1, where they are the
// same: in the header that is repeated, and where a row, or a cell of several rows, goes on. Their texts do not
// tell: another row may say the same.
func (g grid) with(more grid) grid {
	read := len(g)
	for _, row := range more {
		same := 0
		for same < read && !g.isRow(same, row) {
			same++
		}
		switch {
		case same == read:
			g = append(g, row)
		case same == read-1: // its lines go on, unless it is a header of one row
			g.goesOn(same, row)
		}
	}
	for r := max(1, read); r < len(g); r++ {
		for i := range min(len(g[r]), len(g[r-1])) {
			if above := g[r-1][i]; g[r][i].name == above.name && above.name != "" {
				g[r][i].ref = above.ref
			}
		}
	}
	return g
}

// isRow reports whether a row of another part is row r. Of a cell that belongs to a row above, too, the name differs.
func (g grid) isRow(r int, row []cell) bool {
	own := 0
	for i, c := range g[r] {
		if g.begun(r, i) {
			continue
		}
		if own++; i >= len(row) || c.name == "" || row[i].name != c.name {
			return false
		}
	}
	return own > 0
}

// begun reports whether the cell in a place has begun in a row above.
func (g grid) begun(r, i int) bool { return r > 0 && i < len(g[r-1]) && g[r-1][i].ref == g[r][i].ref }

// goesOn puts the rest of a row behind what was read of it.
func (g grid) goesOn(r int, rest []cell) {
	if slices.EqualFunc(g[r], rest, func(a, b cell) bool { return a.text == b.text }) {
		return
	}
	for i := range min(len(rest), len(g[r])) {
		whole, ref := together(g[r][i].text, rest[i].text), g[r][i].ref
		for up := r; up >= 0 && i < len(g[up]) && g[up][i].ref == ref; up-- {
			g[up][i].text = whole
		}
	}
}

// together puts the two parts of a text together that a page divides. Lines end behind a blank, but in a number, before and
// behind some signs, and in scripts without blanks.
func together(text, rest string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	next, _ := utf8.DecodeRuneInString(rest)
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, ".,'’"))
	switch {
	case text == "" || rest == "", last == '-', strings.ContainsRune(".,'’)", next), unicode.IsDigit(before) && unicode.IsDigit(next),
		unicode.In(last, unblanked...) && unicode.In(next, unblanked...):
		return text + rest
	}
	return text + " " + rest
}

// unblanked are scripts that do not put blanks between words.
var unblanked = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// maxHeader is how many rows of a header are looked for.
const maxHeader = 10

var cellNumber = regexp.MustCompile(`^[A-Za-z]+([1-9][0-9]*)`)

// goOn reports whether cells are those of a part behind the first: behind a header that is repeated, if there is
// one, comes a row of a higher number.
func (g grid) goOn() bool {
	for r, row := range g[:min(len(g), maxHeader)] {
		for _, c := range row {
			if m := cellNumber.FindStringSubmatch(c.name); m != nil {
				if n, err := strconv.Atoi(m[1]); err == nil && n > r+1 {
					return true
				}
			}
		}
	}
	return false
}

// cells reads one part, and scrolls until each of its cells was in view.
func (p *paged) cells(ctx context.Context, t *node) (cells grid, err error) {
	cells = make(grid, t.rows)
	for {
		up := false
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
	if partly {
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

// clipped reports whether something is only partly in view. A cursor in it would move the view.
func (p *paged) clipped(b image.Rectangle) bool {
	return (b.Min.Y <= p.area.Min.Y || b.Max.Y >= p.area.Max.Y) && b.Dy() < p.area.Dy()/3
}

// text reads the text of a paragraph. Of one whose lines it has put aside LibreOffice makes up an empty text, and
// keeps it until the cursor comes: it is put into each that seems to be empty.
func (p *paged) text(ctx context.Context, ref atspi.Ref) (string, error) {
	text, err := p.tree.Text(ctx, ref, 0)
	if err != nil || text != "" {
		return text, err
	}
	p.cursor.Lock()
	defer p.cursor.Unlock()
	if p.far > cursorNear {
		return "", errFar
	}
	if ok, err := p.tree.SetCaret(ctx, ref, 0); err != nil || !ok {
		return "", err
	}
	p.far = 0
	if _, err := p.tree.Caret(ctx, ref); err != nil {
		return "", err
	}
	return p.tree.Text(ctx, ref, 0)
}

// errFar says that the cursor is far from the view. Put into what is in view it takes the view to where it was.
var errFar = errors.New("the cursor is elsewhere")

// cursorNear is after how many turns of the wheel the cursor is still near.
const cursorNear = 1

// fetch brings the cursor into view: by a click, which moves no view.
func (p *paged) fetch(ctx context.Context) error {
	nodes, err := p.inView(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(nodes, func(n *node) bool { return !n.bounds.Empty() && (tables[n.role] || !p.clipped(n.bounds)) })
	if at < 0 {
		return refuse("nothing of the document is in view")
	}
	b := nodes[at].bounds.Intersect(p.area)
	point := image.Pt(b.Min.X+2, b.Min.Y+b.Dy()/2)
	p.far = 0
	return p.click(ctx, point, x11.Left, 1)
}

// click clicks in the document. What it did the next look sees.
func (p *paged) click(ctx context.Context, at image.Point, b x11.Button, n int) error {
	if err := p.take(ctx); err != nil {
		return err
	}
	defer p.give()
	p.rested = false
	if err := p.front(ctx, p.window); err != nil {
		return err
	}
	if err := p.uncovered(ctx, at, p.window); err != nil {
		return err
	}
	return p.x.Click(ctx, at, b, n)
}

// uncover puts cells into a row that begins where what is left of the row above has no height: of two cells in
// one place the program gives that of the row above. cells say how wide the columns are.
func uncover(row, others []cell, cells grid) {
	if allUnseen(row) {
		return
	}
	top := 0
	for _, c := range row {
		if !c.unseen() {
			top = c.bounds.Min.Y
		}
	}
	for i := range row {
		at := slices.IndexFunc(others, func(o cell) bool {
			return !o.unseen() && o.bounds.Min.Y == top && slices.ContainsFunc(cells, func(other []cell) bool {
				return i < len(other) && other[i].bounds.Min.X == o.bounds.Min.X && other[i].bounds.Max.X == o.bounds.Max.X
			})
		})
		if row[i].unseen() && at >= 0 {
			row[i] = others[at]
		}
	}
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
		behind := false
		for _, n := range list {
			switch {
			case n.ref == t.ref:
				behind = true
			case behind && tables[n.role] && partOf(n).name == t.name && partOf(n).page > t.page:
				found := partOf(n)
				return &found, nil
			case behind && !margins[n.role]:
				return nil, nil
			}
		}
		moved, err := p.scroll(ctx, false, 0)
		if err != nil || !moved {
			return nil, err
		}
	}
}

// margins are between the text of two pages.
var margins = set("header", "footer", "footnote", "end note", "page", "separator")

// inView reads what is directly inside the document. That is what shows; what LibreOffice says of each may be late.
func (p *paged) inView(ctx context.Context) ([]*node, error) {
	refs, err := p.tree.Children(ctx, p.ref)
	if err != nil {
		return nil, err
	}
	nodes := make([]*node, len(refs))
	for i, ref := range refs {
		nodes[i] = &node{ref: ref}
	}
	if err := all(ctx, nodes, p.describe); err != nil {
		return nil, err
	}
	for _, n := range nodes {
		if n.role == "" || tables[n.role] && n.rows == 0 { // it went away, or it comes
			return nil, errMoved
		}
	}
	return nodes, nil
}

// scroll turns the wheel over the document, by some notches or, of 0, by about two thirds of what is in view, and
// reports whether anything moved.
func (p *paged) scroll(ctx context.Context, up bool, notches int) (moved bool, err error) {
	if p.left--; p.left < 0 {
		return false, nil
	}
	if err := p.rest(ctx); err != nil {
		return false, err
	}
	before := p.last
	button, n := x11.WheelDown, cmp.Or(notches, p.most())
	if up {
		button = x11.WheelUp
	}
	if err := p.click(ctx, p.area.Min.Add(p.area.Size().Div(2)), button, n); err != nil {
		return false, err
	}
	p.far++
	if _, err := until(ctx, drawn, settlePause, func() (bool, error) { return p.moved(ctx) }); err != nil {
		return false, err
	}
	if err := p.rest(ctx); err != nil {
		return false, err
	}
	return before != p.last, nil
}

// notch is how far a turn of the wheel goes, in pixels.
const notch = 50

// most is how many turns go on by about two thirds of what is in view: what is smaller than a third is whole once.
func (p *paged) most() int { return max(1, p.area.Dy()*3/5/notch) }

// errMoved says that the view moved while it was read.
var errMoved = errors.New("the document moves")

// restSame is how many looks in a row find the same view once it is at rest.
const restSame = 5

// rest waits until the view stays as it is: the program turns the wheel in its own time.
func (p *paged) rest(ctx context.Context) error {
	if p.rested {
		return nil
	}
	same := 0
	ok, err := until(ctx, p.opts.Settle, settlePause, func() (bool, error) {
		moved, err := p.moved(ctx)
		if same++; moved {
			same = 0
		}
		return same >= restSame, err
	})
	if err == nil && !ok {
		err = errMoved
	}
	p.rested = err == nil
	return err
}

// moved reports whether the view is another one than last time.
func (p *paged) moved(ctx context.Context) (bool, error) {
	is, err := p.sight(ctx)
	if errors.Is(err, atspi.ErrGone) { // just now
		is, err = "", nil
	}
	was := p.last
	p.last = is
	moved := is != was || is == ""
	p.rested = p.rested && !moved
	return moved, err
}

// atRest reads what is in view, again where the view moved, or an object went, meanwhile.
func (p *paged) atRest(ctx context.Context, read func() error) error {
	const tries = 10
	var err error
	for range tries {
		if err = p.rest(ctx); err == nil {
			err = read()
		}
		if errors.Is(err, errFar) {
			if err = p.fetch(ctx); err == nil {
				err = errMoved
			}
		}
		if !errors.Is(err, errMoved) && !errors.Is(err, atspi.ErrGone) {
			return err
		}
		p.rested = false
	}
	return err
}

// sight tells what is in view from what else could be.
func (p *paged) sight(ctx context.Context) (string, error) {
	area, ok, err := p.tree.Extents(ctx, p.ref)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", refuse("the document is not on the screen")
	}
	p.area = area
	refs, err := p.tree.Children(ctx, p.ref)
	if err != nil {
		return "", err
	}
	if len(refs) == 0 {
		return "nothing", nil
	}
	b, _, err := p.tree.Extents(ctx, refs[0])
	if err != nil {
		return "", err
	}
	c, _, err := p.tree.Extents(ctx, refs[len(refs)-1])
	return refs[0].ID() + b.String() + refs[len(refs)-1].ID() + c.String(), err
}
