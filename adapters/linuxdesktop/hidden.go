package linuxdesktop

import (
	"context"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
)

// hiddenIn says which rows and columns of a sheet a person does not see; "": none.
func (v *view) hiddenIn(ctx context.Context, t *node, first int, rows [][]string) (string, error) {
	if t.rows*t.columns <= sheetCells || len(rows) == 0 {
		return "", nil
	}
	row, column, ok, err := v.visibleCell(ctx, t.ref, first, len(rows), len(rows[0]))
	if err != nil {
		return "", err
	}
	if !ok {
		return "a person sees none of these cells: their rows or columns are hidden", nil
	}
	var list []string
	for r := first; r < first+len(rows); r++ {
		if ok, err := v.visible(ctx, t.ref, r, column); err != nil {
			return "", err
		} else if !ok {
			list = append(list, "row "+strconv.Itoa(r+1))
		}
	}
	for c := range rows[0] {
		if ok, err := v.visible(ctx, t.ref, row, c); err != nil {
			return "", err
		} else if !ok {
			list = append(list, "column "+strings.TrimSuffix(cellName(0, c), "1"))
		}
	}
	if list == nil {
		return "", nil
	}
	return "a person does not see what is hidden: " + strings.Join(list, ", "), nil
}

// visibleCell finds a cell that is hidden in no way: in its row and in its column the others tell what is.
func (v *view) visibleCell(ctx context.Context, sheet atspi.Ref, first, rows, columns int) (row, column int, ok bool, err error) {
	for r := first; r < first+rows; r++ {
		for c := range columns {
			if ok, err := v.visible(ctx, sheet, r, c); ok || err != nil {
				return r, c, ok, err
			}
		}
	}
	return 0, 0, false, nil
}

// visible reports whether a cell is neither in a hidden row nor in a hidden column.
func (v *view) visible(ctx context.Context, sheet atspi.Ref, row, column int) (bool, error) {
	ref, err := v.tree.Cell(ctx, sheet, row, column)
	if err != nil {
		return false, err
	}
	st, err := v.tree.States(ctx, ref)
	return st.Has(atspi.Visible), err
}
