package linuxdesktop

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/desktop"
)

const (
	maxRows    = 500 // of one read_table
	maxColumns = 100
)

// readTable is read_table.
func (c *call) readTable(ctx context.Context) (desktop.Result, error) {
	a := c.args
	t, err := c.Find(ctx, a.ID)
	first, rows := max(a.FirstRow, 1)-1, a.Rows
	switch {
	case err != nil:
		return desktop.Result{}, err
	case !atspi.Tables[t.Role]:
		return desktop.Result{}, refuse("the control %s is no table", a.ID)
	case t.Columns > maxColumns:
		return desktop.Result{}, refuse("the table has %d columns, and read_table reads at most %d", t.Columns, maxColumns)
	case rows == 0 && t.Rows-first > maxRows:
		return desktop.Result{}, refuse("the table has %d rows, and read_table reads at most %d at once", t.Rows, maxRows)
	case rows == 0:
		rows = maxRows
	}
	list := [][]string{}
	var above []atspi.Ref
	for r := first; r < min(t.Rows, first+min(rows, maxRows)); r++ {
		row, refs, err := c.row(ctx, t.Node, r, above)
		if err != nil {
			return desktop.Result{}, err
		}
		list, above = append(list, row), refs
	}
	return desktop.JSONResult(list)
}

// row reads a row of a table. A cell that covers several places has its text in the first.
func (c *call) row(ctx context.Context, t *atspi.Node, r int, above []atspi.Ref) (texts []string, refs []atspi.Ref, err error) {
	texts, refs = make([]string, t.Columns), make([]atspi.Ref, t.Columns)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atspi.InFlight)
	for i := range t.Columns {
		g.Go(func() (err error) {
			if refs[i], err = c.tree.Cell(ctx, t.Ref, r, i); err != nil {
				return refuse("row %d, column %d cannot be read: %w", r+1, i+1, err)
			}
			texts[i], err = c.cellText(ctx, refs[i])
			return err
		})
	}
	err = g.Wait()
	for i, ref := range refs {
		if i > 0 && ref == refs[i-1] || i < len(above) && ref == above[i] {
			texts[i] = ""
		}
	}
	return texts, refs, err
}

// cellText reads the text of a cell, or the texts of what is inside it, a line for each.
func (c *call) cellText(ctx context.Context, ref atspi.Ref) (string, error) {
	text, err := c.tree.Shown(ctx, ref, 0)
	if atspi.Fatal(ctx, err) {
		return "", err
	}
	if strings.ContainsRune(text, '\ufffc') { // of a page
		read, _, err := c.tree.Read(ctx, ref)
		if err != nil {
			return "", err
		}
		if line, ok := read.Flat(); ok {
			return atspi.OneLine(line), nil
		}
	}
	if text = atspi.OneLine(text); text != "" {
		return text, nil
	}
	count, err := c.tree.ChildCount(ctx, ref)
	if err != nil || count == 0 || count > atspi.Many {
		return "", err
	}
	inside, err := c.tree.Children(ctx, ref)
	var lines []string
	for _, p := range inside {
		text, err := c.tree.Shown(ctx, p, 0)
		if atspi.Fatal(ctx, err) {
			return "", err
		}
		if text = atspi.OneLine(text); err == nil && text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n"), err
}
