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
func (v *view) readTable(ctx context.Context, a arguments) (desktop.Result, error) {
	t, _, err := v.Find(ctx, a.ID)
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
		row, refs, err := v.row(ctx, t, r, above)
		if err != nil {
			return desktop.Result{}, err
		}
		list, above = append(list, row), refs
	}
	return desktop.JSONResult(list)
}

// row reads a row of a table. A cell that covers several places has its text in the first.
func (v *view) row(ctx context.Context, t *atspi.Node, r int, above []atspi.Ref) (texts []string, refs []atspi.Ref, err error) {
	texts, refs = make([]string, t.Columns), make([]atspi.Ref, t.Columns)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atspi.InFlight)
	for c := range t.Columns {
		g.Go(func() (err error) {
			if refs[c], err = v.tree.Cell(ctx, t.Ref, r, c); err != nil {
				return refuse("row %d, column %d cannot be read: %w", r+1, c+1, err)
			}
			texts[c], err = v.cellText(ctx, refs[c])
			return err
		})
	}
	err = g.Wait()
	for c, ref := range refs {
		if c > 0 && ref == refs[c-1] || c < len(above) && ref == above[c] {
			texts[c] = ""
		}
	}
	return texts, refs, err
}

// cellText reads the text of a cell, or the texts of what is inside it, a line for each.
func (v *view) cellText(ctx context.Context, ref atspi.Ref) (string, error) {
	n := &atspi.Node{}
	var err error
	if n.Text, err = v.tree.Shown(ctx, ref, 0); atspi.Fatal(ctx, err) {
		return "", err
	}
	if strings.ContainsRune(n.Text, '\ufffc') { // of a page
		read, _, err := v.tree.Read(ctx, ref)
		if err != nil {
			return "", err
		}
		if line, ok := read.Flat(); ok {
			return atspi.OneLine(line), nil
		}
	}
	if text := atspi.OneLine(n.Text); text != "" {
		return text, nil
	}
	count, err := v.tree.ChildCount(ctx, ref)
	if err != nil || count == 0 || count > atspi.Many {
		return "", err
	}
	inside, err := v.tree.Children(ctx, ref)
	var lines []string
	for _, p := range inside {
		text, err := v.tree.Shown(ctx, p, 0)
		if atspi.Fatal(ctx, err) {
			return "", err
		}
		if text = atspi.OneLine(text); err == nil && text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n"), err
}
