package linuxdesktop

import (
	"context"
	"errors"
	"image"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

const (
	sheetCells = 100_000 // a table with more is a sheet, which is read up to where it is empty
	maxRows    = 500     // of one read_table
	maxColumns = 100
)

// readTable is read_table.
func (v *view) readTable(ctx context.Context, a arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	n, w, err := v.find(ctx, s, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if !tables[n.role] {
		return desktop.Result{}, refuse("the control %s is no table", a.ID)
	}
	if n.columns > maxColumns && n.rows*n.columns <= sheetCells {
		return desktop.Result{}, refuse("the table has %d columns, and read_table reads at most %d", n.columns, maxColumns)
	}
	first, most := max(a.FirstRow, 1)-1, maxRows
	if a.Rows > 0 {
		most = min(a.Rows, maxRows)
	}
	rows, err := v.tableRows(ctx, s, w, n, first, most)
	if err != nil {
		return desktop.Result{}, err
	}
	hidden, err := v.hiddenIn(ctx, n, first, rows)
	if err != nil {
		return desktop.Result{}, err
	}
	if a.Rows == 0 && len(rows) > maxRows {
		return desktop.Result{}, refuse("the table has %d rows, and read_table reads at most %d at once", len(rows), maxRows)
	}
	if rows == nil {
		rows = [][]string{}
	}
	res, err := desktop.JSONResult(rows[:min(len(rows), most)])
	if err == nil && hidden != "" {
		res.Content = append(res.Content, desktop.Content{Text: hidden})
	}
	return res, err
}

// tableRows reads a table by what it is: a sheet, a table of a document, or a list.
func (v *view) tableRows(ctx context.Context, s scene, w x11.Window, t *node, first, most int) ([][]string, error) {
	if t.rows*t.columns > sheetCells {
		return v.block(ctx, t, first, most)
	}
	document, ok, err := v.documentOf(ctx, s, w, t.ref)
	if err != nil {
		return nil, err
	}
	if !ok {
		return v.rows(ctx, t, first, min(t.rows, first+most))
	}
	p := newPaged(v, w, document)
	all, err := p.table(ctx, partOf(t))
	rows := all.texts()
	return rows[min(first, len(rows)):], err
}

// cell is what a table has in one place.
type cell struct {
	ref    atspi.Ref
	text   string
	bounds image.Rectangle // empty: it is not in view

	deleted bool   // it had a text, which is marked as deleted
	name    string // such as A1; only in documents
}

// unseen reports whether the text of a cell is not to be relied on.
func (c cell) unseen() bool { return c.bounds.Empty() }

// cell reads a cell. Of one that is in several places, because it was merged, the ref is the same.
func (v *view) cell(ctx context.Context, table atspi.Ref, row, column int) (c cell, err error) {
	if c.ref, err = v.tree.Cell(ctx, table, row, column); err != nil {
		return c, refuse("row %d, column %d cannot be read: %w", row+1, column+1, err)
	}
	if c.bounds, _, err = v.tree.Extents(ctx, c.ref); err != nil {
		return c, err
	}
	return c, v.cellText(ctx, &c, v.shownText)
}

// cellText reads the text of a cell.
func (v *view) cellText(ctx context.Context, c *cell, read func(context.Context, atspi.Ref, int) (text, whole string, err error)) error {
	text, whole, err := v.shownText(ctx, c.ref, 0)
	if err == nil && strings.ContainsRune(whole, '\ufffc') { // of a page
		n, _, err := v.read(ctx, c.ref)
		if err != nil {
			return err
		}
		if line, ok := n.flat(); ok {
			c.text = oneLine(line)
			return nil
		}
	}
	if err == nil && oneLine(whole) != "" {
		c.text = oneLine(text)
		c.deleted = c.text == ""
		return nil
	} else if ends(ctx, err) {
		return err
	}
	count, err := v.tree.ChildCount(ctx, c.ref)
	if err != nil || count == 0 || count > many {
		return err
	}
	inside, err := v.tree.Children(ctx, c.ref)
	if err != nil {
		return err
	}
	var lines []string
	for _, p := range inside {
		text, whole, err := read(ctx, p, 0)
		if ends(ctx, err) {
			return err
		}
		c.deleted = c.deleted || err == nil && text == "" && whole != ""
		if text = oneLine(text); err == nil && text != "" {
			lines = append(lines, text)
		}
	}
	c.text = strings.Join(lines, "\n")
	return nil
}

// ends reports whether an error is more than that an object has no text.
func ends(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return true
	}
	for _, e := range []error{atspi.ErrBudget, atspi.ErrSilent, atspi.ErrGone, errFar} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// readRow reads cells of a row, several at a time.
func readRow(ctx context.Context, columns int, read func(context.Context, int) (cell, error)) ([]cell, error) {
	cells := make([]cell, columns)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for i := range cells {
		g.Go(func() (err error) {
			cells[i], err = read(ctx, i)
			return err
		})
	}
	err := g.Wait()
	return cells, err
}

// rows reads a table all of whose cells have their text, in view or not.
func (v *view) rows(ctx context.Context, t *node, first, last int) (rows [][]string, err error) {
	var above []cell
	for r := first; r < last; r++ {
		row, err := readRow(ctx, t.columns, func(ctx context.Context, c int) (cell, error) { return v.cell(ctx, t.ref, r, c) })
		if err != nil {
			return nil, err
		}
		rows, above = append(rows, texts(row, above)), row
	}
	return rows, nil
}

const (
	gapColumns = 3 // that are empty in a row: nothing is behind them
	gapRows    = 3
)

// block reads a sheet up to where it is empty: a few columns, or rows, in a row. A row that reaches further than those above
// it has them read that far, too.
func (v *view) block(ctx context.Context, t *node, first, most int) (rows [][]string, err error) {
	width, last := 0, 0 // last: rows up to the last that has something in it
	for r := first; r < min(t.rows, first+most) && len(rows)-last < gapRows; r++ {
		row, err := v.sheetRow(ctx, t, r, nil, width)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
		if n := filled(row); n > 0 {
			width, last = max(width, n), len(rows)
		}
	}
	rows = rows[:last]
	for i, row := range rows {
		if row, err = v.sheetRow(ctx, t, first+i, row, width); err != nil {
			return nil, err
		}
		rows[i] = row[:min(width, len(row))]
	}
	return rows, nil
}

// sheetRow reads on in a row of a sheet, at least up to a width, until there is nothing more.
func (v *view) sheetRow(ctx context.Context, t *node, r int, row []string, width int) ([]string, error) {
	for {
		n := min(max(width, filled(row)+gapColumns), maxColumns, t.columns) - len(row)
		if n <= 0 {
			return row, nil
		}
		cells, err := readRow(ctx, n, func(ctx context.Context, c int) (cell, error) { return v.cell(ctx, t.ref, r, len(row)+c) })
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			row = append(row, c.text)
		}
	}
}

// filled is how many cells there are up to the last that is not empty.
func filled(row []string) int {
	for i, text := range slices.Backward(row) {
		if text != "" {
			return i + 1
		}
	}
	return 0
}

// documentOf returns the document that a table is in, if it is in one that is shown page by page.
func (v *view) documentOf(ctx context.Context, s scene, w x11.Window, table atspi.Ref) (doc atspi.Ref, ok bool, err error) {
	top, err := v.frameOf(ctx, s, w)
	if err != nil {
		return doc, false, err
	}
	tree, _, err := v.read(ctx, top)
	if err != nil {
		return doc, false, err
	}
	if doc := first(tree, "document text"); doc != nil && holds(doc, table) {
		return doc.ref, true, nil
	}
	return doc, false, nil
}
