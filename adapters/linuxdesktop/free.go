package linuxdesktop

import (
	"context"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
)

// free refuses cells that hold something else, unless this desktop has written it.
func (s *sheet) free(ctx context.Context, entries []entry) error {
	var taken []entry
	for _, e := range entries {
		ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
		if err != nil {
			return err
		}
		text, err := s.tree.Text(ctx, ref, 0)
		if err != nil {
			return err
		}
		if text == "" {
			a, err := s.tree.Attributes(ctx, ref)
			if err != nil {
				return err
			}
			text = a["Formula"]
		}
		if text == "" || s.isOwn(s.table, e) {
			continue
		}
		if same, err := s.same(ctx, e); err != nil {
			return err
		} else if !same {
			taken = append(taken, e)
		}
	}
	if len(taken) > 0 {
		return refuse("%d cells are not empty, such as %s: write elsewhere, or say replace", len(taken), taken[0].cell())
	}
	return nil
}

// cellPlace is a cell of a sheet.
type cellPlace struct {
	sheet       atspi.Ref
	row, column int
}

// wrote keeps which cells this desktop has written.
func (d *Desktop) wrote(sheet atspi.Ref, entries []entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range entries {
		d.own[cellPlace{sheet, e.row, e.column}] = true
	}
}

func (d *Desktop) isOwn(sheet atspi.Ref, e entry) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.own[cellPlace{sheet, e.row, e.column}]
}
