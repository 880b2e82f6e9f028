package tables

import (
	"regexp"
	"slices"
	"strings"
)

// grid is a table with its merged cells at hand.
type grid struct {
	rows   [][]string // all of the same length
	width  int
	merges map[[2]int]Merge // of each place that one covers
}

func newGrid(s *Source) *grid {
	g := &grid{merges: map[[2]int]Merge{}}
	for _, row := range s.Rows {
		g.width = max(g.width, len(row))
	}
	for _, row := range s.Rows {
		g.rows = append(g.rows, append(slices.Clone(row), make([]string, g.width-len(row))...))
	}
	for _, m := range s.Merges {
		for i := range m.Rows * m.Cols {
			g.merges[[2]int{m.Row + i/m.Cols, m.Col + i%m.Cols}] = m
		}
	}
	return g
}

// label returns the text that a reader sees at a place: of a merged cell, its text in each of its places.
func (g *grid) label(row, col int) string {
	if m, ok := g.merges[[2]int{row, col}]; ok {
		row, col = m.Row, m.Col
	}
	return oneLine(g.rows[row][col])
}

// banner reports whether a row is one cell, such as a title over all columns.
func (g *grid) banner(row int) bool { return g.width > 1 && g.merges[[2]int{row, 0}].Cols >= g.width }

// name is what the header says over a column.
func (g *grid) name(header, col int) string {
	var parts []string
	for r := range header {
		if name := g.label(r, col); name != "" && !g.banner(r) && !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, " ")
}

// headerRows says how many of the first rows are the header: those that the document marks, or the first one, and
// those below it into which a merged cell of the header leads.
func (g *grid) headerRows(marked int) int {
	if marked > 0 && marked < len(g.rows) {
		return marked
	}
	h := 1
	for c := 0; c < g.width && h < len(g.rows)-1; c++ {
		if m := g.merges[[2]int{h - 1, c}]; m.Cols > 1 || m.Row+m.Rows > h {
			h, c = h+1, -1
		}
	}
	return h
}

// body returns the rows below the header that are not blank, not one cell over all columns, not a total, and not the
// header once more.
func (g *grid) body(header int) (rows []int) {
	for r := header; r < len(g.rows); r++ {
		again := slices.ContainsFunc(g.rows[:header], func(row []string) bool { return slices.Equal(row, g.rows[r]) })
		total := slices.ContainsFunc(g.rows[r], isTotal)
		if !again && !total && !g.banner(r) && strings.Join(g.rows[r], "") != "" {
			rows = append(rows, r)
		}
	}
	return rows
}

// isTotal finds names of rows and columns that sum up others, which they would dwarf in a chart.
var isTotal = regexp.MustCompile(`(?i)^((grand |sub-?)?totals?\b.*|.*\btotals?|sum|gesamt(summe)?|(zwischen)?summe|insgesamt|somme|totale|suma|razem|celkem|итого|всего|合計|合计|总计|小计|小計|المجموع|कुल):?$`).MatchString

func readTable(s *Source, proved map[byte]bool) *Table {
	g, t := newGrid(s), &Table{}
	header := g.headerRows(s.HeaderRows)
	rows := g.body(header)
	columns, label := make([]*column, g.width), -1
	for c := range columns {
		columns[c] = readColumn(g, c, rows, func(open byte) byte { return decimalSign(open, proved, s.Languages) })
		if label < 0 && columns[c].words > 0 && !columns[c].numeric() {
			label = c
		}
	}
	if label < 0 && g.width > 0 && columns[0].allYears(len(rows)) {
		label = 0
	}
	if label < 0 {
		t.Unfit = "no column labels its rows"
		return t
	}
	t.Rows, t.values = len(rows), [][]any{{g.name(header, label)}}
	for _, r := range rows {
		t.values = append(t.values, []any{g.label(r, label)})
		if strings.Contains(g.label(r, label), Unknown) {
			t.Unfit = "in the label " + g.label(r, label) + " is more than I can read"
		}
	}
	for c, col := range columns {
		if c == label || len(col.numbers)+col.words+col.others == 0 {
			continue
		}
		name, over := g.name(header, c), g.label(header-1, c)
		a, k := parse(over)
		surely := s.HeaderRows > 0 || g.label(header-1, label) == ""
		if k == doubtful || k == number && (!a.year() || !surely && col.allYears(len(rows))) {
			col.refuse("its header %q may be a row of numbers", over)
		}
		if isTotal(name) && len(t.values[0]) > 1 {
			col.why = "it is a total"
		} else if col.why != "" && col.numeric() && t.Unfit == "" {
			t.Unfit = col.why
		}
		t.Columns = append(t.Columns, Column{name, col.unit, col.why})
		if col.why == "" {
			t.values[0] = append(t.values[0], name)
			for i, r := range rows {
				t.values[i+1] = append(t.values[i+1], col.value(r))
			}
		}
	}
	if t.Unfit == "" && len(t.values[0]) == 1 {
		t.Unfit = "no column has only numbers"
	}
	return t
}
