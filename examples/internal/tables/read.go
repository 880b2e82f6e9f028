package tables

import (
	"regexp"
	"slices"
	"strings"
)

// Summary describes a table to someone who has to choose one.
type Summary struct {
	Number  int      `json:"number"`
	Title   string   `json:"title,omitempty"`
	Under   []string `json:"under,omitempty"` // headings and lines above it
	Columns []Column `json:"columns,omitempty"`
	Rows    int      `json:"rows"`
	Unfit   string   `json:"unfit,omitempty"` // why the table cannot be drawn
}

// Column is a column beside the labels.
type Column struct {
	Name string `json:"name,omitempty"`
	Unit string `json:"unit,omitempty"` // % or a currency
	Why  string `json:"why,omitempty"`  // it cannot be drawn
}

// Table is a table that was read.
type Table struct {
	Summary
	rows    [][]any  // a header, then a label and numbers or nil in each row
	formats []string // of the columns of rows
}

// Read reads the tables of a document. Its texts help to find the decimal sign.
func Read(list []Source, texts ...string) []*Table {
	proved := proofs(list, texts)
	read := make([]*Table, len(list))
	for i, s := range list {
		read[i] = readTable(s, func(open byte) byte { return decimalSign(open, proved, s.Languages) })
	}
	return read
}

func readTable(s Source, sign func(byte) byte) *Table {
	g, t := newGrid(s), &Table{Summary: Summary{Number: s.Number}}
	for _, name := range append([]string{s.Caption, s.Heading, s.Above}, s.Sections...) {
		if name = oneLine(name); t.Title == "" {
			t.Title = name
		} else if name != "" {
			t.Under = append(t.Under, name)
		}
	}
	header := headerRows(g, s.HeaderRows)
	rows := bodyRows(g, header)
	columns, label := make([]*column, g.width), -1
	for c := range columns {
		columns[c] = readColumn(g, c, rows, sign)
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
	t.rows, t.formats = [][]any{{g.name(header, label)}}, []string{""}
	for _, r := range rows {
		t.rows = append(t.rows, []any{g.label(r, label)})
		if strings.Contains(g.label(r, label), Unknown) {
			t.Unfit = "in the label " + g.label(r, label) + " is more than I can read"
		}
	}
	for c, col := range columns {
		if c == label || len(col.numbers)+col.words+col.others == 0 {
			continue
		}
		over, k := parse(g.label(header-1, c))
		if sure := s.HeaderRows > 0 || g.label(header-1, label) == ""; k == doubtful || k == number && (!over.year() || !sure && col.allYears(len(rows))) {
			col.refuse("its header %q may be a row of numbers", g.label(header-1, c))
		}
		if isTotal(g.name(header, c)) && len(t.formats) > 1 {
			col.why = "it is a total"
		} else if col.why != "" && col.numeric() && t.Unfit == "" {
			t.Unfit = col.why
		}
		t.add(Column{g.name(header, c), col.unit, col.why}, col, rows)
	}
	if t.Rows = len(rows); t.Unfit == "" && len(t.formats) == 1 {
		t.Unfit = "no column has only numbers"
	}
	return t
}

// add adds a column, and its values if it can be drawn.
func (t *Table) add(c Column, col *column, rows []int) {
	t.Columns = append(t.Columns, c)
	if c.Why != "" {
		return
	}
	t.rows[0], t.formats = append(t.rows[0], c.Name), append(t.formats, col.format())
	for i, r := range rows {
		var value any // nil for no number
		if a, ok := col.numbers[r]; ok {
			value = a.value(col.decimal)
		}
		t.rows[i+1] = append(t.rows[i+1], value)
	}
}

// allYears reports whether the column has another year in each of n rows.
func (c *column) allYears(n int) bool {
	seen := map[string]bool{}
	for _, a := range c.numbers {
		if a.year() {
			seen[a.body] = true
		}
	}
	return len(seen) == n
}

// headerRows says how many of the first rows are the header: those that the document marks, or the first one, and
// those below it into which a merged cell of the header leads.
func headerRows(g *grid, marked int) int {
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

// bodyRows are the rows below the header that are not blank, not one cell over all columns, not a total, and not the
// header once more.
func bodyRows(g *grid, header int) (rows []int) {
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

// drawn returns which columns a chart shows: a chart has one axis, so they have the unit of the first one.
func (s *Summary) drawn() (list []int) {
	for i, c := range s.Columns {
		if c.Why == "" && (len(list) == 0 || c.Unit == s.Columns[list[0]].Unit) {
			list = append(list, i)
		}
	}
	return list
}
