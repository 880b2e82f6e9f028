package linuxdesktop

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

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

// onward scrolls down, and reports whether something that was read is kept in view. Between two pages there may be nothing
// else for a while.
func (p *paged) onward(ctx context.Context) (moved, kept bool, err error) {
	var nodes []*node
	if err := p.atRest(ctx, func() (err error) {
		nodes, err = p.inView(ctx)
		return err
	}); err != nil {
		return false, false, err
	}
	notches := 0 // as far as it goes: what is in view was read, and is nearly out of it
	for _, n := range slices.Backward(nodes) {
		if p.known(n) && !n.bounds.Empty() {
			notches = max(0, min((n.bounds.Max.Y-p.area.Min.Y)/notch-1, p.most()))
			break
		}
	}
	moved, err = p.scroll(ctx, false, notches)
	return moved, notches > 0, err
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

// clipped reports whether something is only partly in view. A cursor in it would move the view.
func (p *paged) clipped(b image.Rectangle) bool {
	return (b.Min.Y <= p.area.Min.Y || b.Max.Y >= p.area.Max.Y) && b.Dy() < p.area.Dy()/3
}

// text reads the text of a paragraph. Of one whose lines it has put aside LibreOffice makes up an empty text, and
// keeps it until the cursor comes: it is put into each that seems to be empty.
func (p *paged) text(ctx context.Context, ref atspi.Ref, most int) (text, whole string, err error) {
	text, whole, err = p.shownText(ctx, ref, most)
	if err != nil || whole != "" {
		return text, whole, err
	}
	p.cursor.Lock()
	defer p.cursor.Unlock()
	if p.far > cursorNear {
		return "", "", errFar
	}
	if err := p.take(ctx); err != nil { // nobody's keys are on their way to where the cursor was
		return "", "", err
	}
	defer p.give()
	if ok, err := p.tree.SetCaret(ctx, ref, 0); err != nil || !ok {
		return "", "", err
	}
	p.far = 0
	if _, err := p.tree.Caret(ctx, ref); err != nil {
		return "", "", err
	}
	return p.shownText(ctx, ref, most)
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
