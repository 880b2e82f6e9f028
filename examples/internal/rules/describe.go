package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// describe says which table was taken, and what of it is not in the chart: whoever
// reads the answer must not have to compare.
func describe(s table.Summary, asked []int) string {
	name, series := fmt.Sprintf("Table %d of the document", s.Number), s.Drawn
	if title := s.Title(); title != "" {
		name = fmt.Sprintf("%q", title)
	}
	if len(asked) > 0 {
		series = len(asked)
	}
	text := fmt.Sprintf("%s: %s, %s.", name, count(s.Rows-len(s.Totals), "row"), count(series, "series"))
	if left := leftOut(s, asked); len(left) > 0 {
		text += " Not in the chart: " + strings.Join(left, "; ") + "."
	}
	return text
}

func leftOut(s table.Summary, asked []int) []string {
	var left []string
	if len(s.Totals) > 0 {
		left = append(left, things(s.Totals, "row")+", because totals dwarf the rest")
	}
	left = append(left, columnsLeftOut(s, asked)...)
	for _, c := range s.Others {
		left = append(left, fmt.Sprintf("the column %q: %s", c.Name, c.Why))
	}
	if len(s.Skipped) > 0 {
		left = append(left, things(s.Skipped, "text")+" among the numbers")
	}
	return left
}

func columnsLeftOut(s table.Summary, asked []int) []string {
	if len(s.Columns) < s.Series { // more than the list has
		if s.Drawn < s.Series {
			return []string{fmt.Sprintf("%d columns, of other units or of totals", s.Series-s.Drawn)}
		}
		return nil
	}
	var left []string
	shown := asked
	if len(asked) == 0 {
		shown = table.Drawn(s.Columns)
	}
	unit := s.Columns[shown[0]].Unit
	for i, c := range s.Columns {
		switch {
		case slices.Contains(shown, i):
		case len(asked) > 0:
			left = append(left, fmt.Sprintf("the column %q, which was not asked for", c.Name))
		case c.Unit != unit:
			left = append(left, fmt.Sprintf("the column %q, which is in %s and not in %s", c.Name, table.UnitName(c.Unit), table.UnitName(unit)))
		default:
			left = append(left, fmt.Sprintf("the column %q, because totals dwarf the rest", c.Name))
		}
	}
	return left
}

// things names a few, and counts the others.
func things(names []string, what string) string {
	const most = 3
	var list []string
	for i, name := range names {
		if i == most {
			list = append(list, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		list = append(list, fmt.Sprintf("%q", name))
	}
	if len(names) > 1 {
		what += "s"
	}
	return "the " + what + " " + strings.Join(list, ", ")
}

func count(n int, what string) string {
	if n != 1 && what[len(what)-1] != 's' {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
