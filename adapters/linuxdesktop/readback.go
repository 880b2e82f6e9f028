package linuxdesktop

import (
	"context"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// differing are the entries whose cells hold something else.
func (s *sheet) differing(ctx context.Context, entries []entry) (wrong []entry, err error) {
	same := make([]bool, len(entries))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for i, e := range entries {
		g.Go(func() (err error) {
			same[i], err = s.same(ctx, e)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, e := range entries {
		if !same[i] {
			wrong = append(wrong, e)
		}
	}
	return wrong, nil
}

// settled are the entries whose cells hold something else, once they hold what they will: a busy program takes its time.
func (s *sheet) settled(ctx context.Context, entries []entry) (wrong []entry, err error) {
	const looks = 4 // in a row that find the same
	last, times := "", 0
	_, err = until(ctx, s.opts.Settle, cellsPause, func() (bool, error) {
		if wrong, err = s.differing(ctx, entries); err != nil || len(wrong) == 0 {
			return true, err
		}
		var held strings.Builder
		for _, e := range wrong[:min(len(wrong), 20)] {
			is, err := s.holds(ctx, e)
			if err != nil {
				return false, err
			}
			held.WriteString(e.cell() + is + "\n")
		}
		if times++; held.String() != last {
			last, times = held.String(), 1
		}
		return times >= looks, nil
	})
	return wrong, err
}

const cellsPause = 100 * time.Millisecond

// same reports whether a cell holds an entry: a number that number, and a text that text and no number.
func (s *sheet) same(ctx context.Context, e entry) (bool, error) {
	ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
	if err != nil {
		return false, err
	}
	value, err := s.tree.Value(ctx, ref)
	if err != nil {
		return false, err
	}
	text, err := s.tree.Text(ctx, ref, 0)
	if err != nil {
		return false, err
	}
	if e.number != nil {
		return value == *e.number && text != "", nil
	}
	a, err := s.tree.Attributes(ctx, ref)
	if err != nil {
		return false, err
	}
	return text == e.text && value == 0 && a["Formula"] == "", nil
}

// holds says what a cell holds.
func (s *sheet) holds(ctx context.Context, e entry) (string, error) {
	ref, err := s.tree.Cell(ctx, s.table, e.row, e.column)
	if err != nil {
		return "", err
	}
	text, err := s.tree.Text(ctx, ref, 0)
	if err != nil {
		return "", err
	}
	if value, err := s.tree.Value(ctx, ref); err == nil && value != 0 && e.number == nil {
		return "the number " + strconv.FormatFloat(value, 'g', -1, 64), nil
	}
	return quote(text), nil
}
