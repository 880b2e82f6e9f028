package linuxdesktop

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/desktop"
)

// block is a part of a document, as read_document returns it.
type block struct {
	Number int    `json:"number"` // from 1
	Type   string `json:"type"`   // heading, paragraph, table, or note: what is there and not read
	Level  int    `json:"level,omitempty"`
	Style  string `json:"style,omitempty"` // of a heading or paragraph, as the program calls it, such as Caption
	Text   string `json:"text,omitempty"`

	// Of a table.
	Name   string     `json:"name,omitempty"`
	Rows   [][]string `json:"rows,omitempty"`
	Merged []merged   `json:"merged,omitempty"`
	cells  grid
}

// merged is a cell that covers several places of a table; its text is in the first.
type merged struct {
	Row     int `json:"row"` // from 1
	Column  int `json:"column"`
	Rows    int `json:"rows"`
	Columns int `json:"columns"`
}

// maxBlocks is how many one read_document returns.
const maxBlocks = 2000

// readDocument is read_document.
func (v *view) readDocument(ctx context.Context, a arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	n, w, err := v.find(ctx, s, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if n.role != "document text" {
		return desktop.Result{}, refuse("the control %s is no text document", a.ID)
	}
	first, last := max(a.First, 1), max(a.First, 1)+maxBlocks
	if a.Blocks > 0 {
		last = first + a.Blocks - 1
	}
	p := newPaged(v, w, n.ref)
	blocks, err := p.blocks(ctx, last)
	if err != nil {
		return desktop.Result{}, err
	}
	blocks = blocks[min(first-1, len(blocks)):]
	if len(blocks) > maxBlocks {
		return desktop.Result{}, refuse("the document has more than %d headings, paragraphs and tables: say how many blocks to return", maxBlocks)
	}
	for i := range blocks {
		blocks[i].Rows, blocks[i].Merged = blocks[i].cells.texts(), blocks[i].cells.merged()
	}
	return desktop.JSONResult(blocks)
}

// blocks reads a document from its beginning to block last, or to its end.
func (p *paged) blocks(ctx context.Context, last int) (list []block, err error) {
	for moved := true; moved; {
		if moved, err = p.scroll(ctx, true, maxNotches); err != nil {
			return nil, err
		}
	}
	for moved, kept := true, false; moved; {
		nodes, err := p.unread(ctx, kept)
		if err != nil {
			return nil, err
		}
		for len(nodes) > 0 {
			n := nodes[0]
			nodes = nodes[1:]
			if p.known(n) { // a part of a table that was read
				continue
			}
			if n.whole == "" && p.clipped(n.bounds) && n.bounds.Max.Y >= p.area.Max.Y && !tables[n.role] {
				break // it comes again
			}
			if len(list) >= last {
				return list, nil
			}
			b, over, err := p.block(ctx, n)
			if err != nil {
				return nil, err
			}
			same := slices.IndexFunc(list, func(o block) bool { return o.cells != nil && o.Name == b.Name && b.cells != nil })
			switch {
			case same >= 0: // names of tables differ: it goes on
				list[same].cells = list[same].cells.with(b.cells)
			case b.Type != "":
				b.Number = len(list) + 1
				list = append(list, b)
			}
			if over { // the view moved
				if nodes, err = p.unread(ctx, false); err != nil {
					return nil, err
				}
			}
		}
		if moved, kept, err = p.onward(ctx); err != nil {
			return nil, err
		}
	}
	if p.left < 0 {
		return nil, refuse("the document is too long: block %d was read last", len(list))
	}
	return list, nil
}

// unread lists what is in view and behind all that was read. kept: something of that is still in view.
func (p *paged) unread(ctx context.Context, kept bool) (nodes []*node, err error) {
	err = p.atRest(ctx, func() error {
		if nodes, err = p.inView(ctx); err != nil {
			return err
		}
		if moved, err := p.moved(ctx); moved || err != nil {
			return cmp.Or(err, errMoved)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	at := len(nodes) - 1
	for at >= 0 && !p.known(nodes[at]) {
		at--
	}
	if at < 0 && kept {
		return nil, refuse("the program made the parts of the document anew while they were read")
	}
	return nodes[at+1:], nil
}

// unreadInside are parts of a document that have texts of their own.
var unreadInside = set("text frame", "footnote", "end note", "shape", "embedded object")

// block reads what is directly inside a document. It reports whether the view moved.
func (p *paged) block(ctx context.Context, n *node) (b block, moved bool, err error) {
	p.seen[n.ref] = true
	switch {
	case unreadInside[n.role]:
		return block{Type: "note", Text: "here is a " + n.role + ", which is not read"}, false, nil
	case tables[n.role]:
		left := p.left
		first := partOf(n)
		parts, err := p.table(ctx, first)
		if err != nil {
			return b, false, err
		}
		b = block{Type: "table", Name: first.name, cells: parts}
		return b, p.left != left, nil
	case n.role == "heading" || n.role == "paragraph":
		text := n.text
		if n.whole == "" || len(n.whole) >= maxValue {
			if err := p.atRest(ctx, func() (err error) {
				text, _, err = p.text(ctx, n.ref, 0)
				return err
			}); err != nil {
				return b, false, err
			}
		}
		b = block{Type: n.role, Text: clip(oneLine(text), maxText)}
		if b.Text == "" {
			return block{}, false, nil
		}
		style, _, _, err := p.tree.TextRun(ctx, n.ref, 0)
		if ends(ctx, err) {
			return b, false, err
		}
		b.Style = style["paragraph-style"]
		if n.role == "heading" {
			attributes, err := p.tree.Attributes(ctx, n.ref)
			if ends(ctx, err) {
				return b, false, err
			}
			b.Level, _ = strconv.Atoi(attributes["level"])
		}
	}
	return b, false, nil
}
