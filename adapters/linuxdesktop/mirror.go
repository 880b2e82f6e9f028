package linuxdesktop

import (
	"context"
	"maps"
	"slices"
	"strconv"
)

// spread reports whether the program gives the first cell of each row of a table in all of its columns, and has more cells:
// LibreOffice does that with a table that runs from right to left.
func (g grid) spread(t *node) bool {
	return t.columns > 1 && t.count > t.rows && !slices.ContainsFunc(g, func(row []cell) bool {
		return slices.ContainsFunc(row, func(c cell) bool { return c.ref != row[0].ref })
	})
}

// mirror puts the cells of a table that runs from right to left into their rows.
func (p *paged) mirror(ctx context.Context, t *node, fresh grid) error {
	list, err := p.others(ctx, t)
	if err != nil {
		return err
	}
	t.mirrored = true
	rows, ok := mirrored(list, t.rows, t.columns)
	for r := range fresh {
		switch {
		case fresh[r] == nil:
		case !ok || slices.ContainsFunc(rows[r], cell.unseen):
			for i := range fresh[r] {
				fresh[r][i] = cell{ref: fresh[r][i].ref}
			}
		default:
			fresh[r] = rows[r]
		}
	}
	return nil
}

// mirrored makes rows of cells by their places and names. A row that is not all in view has cells that are unseen. ok is false
// if those in view do not show where each column is.
func mirrored(list []cell, rows, columns int) (g grid, ok bool) {
	const near = 2           // pixels
	var begins []int         // right edges, from right to left
	numbers := map[int]int{} // of the rows, as the names have them (A3 is in row 3), for each cell
	hidden := map[int]bool{} // rows that are not all in view
	for i, c := range list {
		m := cellNumber.FindStringSubmatch(c.name)
		if m == nil {
			return nil, false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, false
		}
		numbers[i] = n
		hidden[n] = hidden[n] || c.unseen()
		if x := c.bounds.Max.X; !c.unseen() && !slices.ContainsFunc(begins, func(b int) bool { return b-near <= x && x <= b+near }) {
			begins = append(begins, x)
		}
	}
	order := slices.Sorted(maps.Keys(hidden))
	if slices.Sort(begins); len(begins) != columns || len(order) != rows {
		return nil, false
	}
	slices.Reverse(begins)
	for r, n := range order {
		row := make([]cell, columns)
		if r > 0 && !hidden[n] {
			copy(row, g[r-1]) // such as a cell that reaches down here
		}
		for i, c := range list {
			for at, x := range begins {
				if numbers[i] == n && !hidden[n] && c.bounds.Min.X < x-near && x <= c.bounds.Max.X+near {
					row[at] = c
				}
			}
		}
		g = append(g, row)
	}
	return g, true
}
