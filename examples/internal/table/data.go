package table

import (
	"fmt"
	"strings"
)

// Data is a table that can be drawn.
type Data struct {
	Table       int      `json:"table"`            // number of the source
	Title       string   `json:"title,omitempty"`  // caption, else heading of the source
	Label       string   `json:"label"`            // header of the label column
	LabelColumn int      `json:"label_column"`     // in the source, from 0
	Labels      []string `json:"labels"`           // one for each row
	Rows        []int    `json:"rows"`             // where in the source they are, from 0
	Totals      int      `json:"totals,omitempty"` // how many of the last rows are totals of others
	Series      []Series `json:"series"`           // at least one
	Drawn       []int    `json:"drawn"`            // those that the chart shows, from 0
	Shared      []string `json:"shared,omitempty"` // words of the request that led here, sorted
	Skipped     []Cell   `json:"skipped,omitempty"`
}

// Series is a numeric column.
type Series struct {
	Name   string   `json:"name"`             // from the header; "" if there is none
	Column int      `json:"column"`           // in the source, from 0
	Values []Number `json:"values"`           // one for each row
	Unit   string   `json:"unit,omitempty"`   // such as % or $; "" for plain numbers
	Format string   `json:"format,omitempty"` // number format of a spreadsheet that shows them as the document does
}

// Cell is a cell among numbers that is none. Row and Col are of the source.
type Cell struct {
	Row  int    `json:"row"`
	Col  int    `json:"col"`
	Text string `json:"text"`
}

// Numbers counts the values.
func (d *Data) Numbers() int {
	n := 0
	for _, s := range d.Series {
		for _, v := range s.Values {
			if v != "" {
				n++
			}
		}
	}
	return n
}

// Grid returns the header row and the rows below it: a label, then a value for
// each series. Cells are string, [Number], or nil for no value.
func (d *Data) Grid() [][]any {
	rows := make([][]any, 0, len(d.Labels)+1)
	header := []any{d.Label}
	for _, s := range d.Series {
		header = append(header, s.Name)
	}
	rows = append(rows, header)
	for i, label := range d.Labels {
		row := []any{label}
		for _, s := range d.Series {
			if s.Values[i] == "" {
				row = append(row, nil)
			} else {
				row = append(row, s.Values[i])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Formats returns the number format of each column of [Data.Grid].
func (d *Data) Formats() []string {
	formats := []string{""}
	for _, s := range d.Series {
		formats = append(formats, s.Format)
	}
	return formats
}

// columns describes the series.
func (d *Data) columns() []Column {
	list := make([]Column, len(d.Series))
	for i, s := range d.Series {
		list[i] = Column{Name: s.Name, Unit: s.Unit}
	}
	return list
}

// Read understands one table. The error is an [*UnfitError].
func Read(s Source) (*Data, error) { return lay(s).data(s) }

func (l *layout) data(s Source) (*Data, error) {
	if l.numeric == 0 {
		if l.mixed > 0 && l.doubt() == "" {
			return nil, &UnfitError{Table: s.Number, Err: ErrMixed}
		}
		return nil, &UnfitError{Table: s.Number, Err: l.noNumbers()}
	}
	if l.label < 0 || l.label == 0 && l.columns[0].kind == kindNumbers && l.numeric == 1 {
		return nil, &UnfitError{Table: s.Number, Err: ErrNoLabels}
	}
	if why := l.columns[l.label].unclear; why != "" {
		return nil, &UnfitError{Table: s.Number, Err: fmt.Errorf("%w: %s", ErrUnclear, why)}
	}
	d := &Data{Table: s.Number, Title: title(s.Caption, s.Heading, s.Above), Label: name(l.grid, l.header, l.label), LabelColumn: l.label}
	var totals []int
	for _, r := range l.rows {
		if isTotalRow(l.grid.label(r, l.label)) {
			totals = append(totals, r)
		} else {
			d.Rows = append(d.Rows, r)
		}
	}
	if len(d.Rows) > 0 {
		d.Totals = len(totals)
	}
	d.Rows = append(d.Rows, totals...)
	for _, r := range d.Rows {
		d.Labels = append(d.Labels, l.grid.label(r, l.label))
	}
	for c := range l.columns {
		if c != l.label && l.columns[c].kind == kindNumbers {
			d.add(l.grid, c, &l.columns[c], name(l.grid, l.header, c))
		}
	}
	d.Drawn = Drawn(d.columns())
	return d, nil
}

func (d *Data) add(g *grid, col int, c *column, name string) {
	s := Series{Name: name, Column: col, Unit: c.unit(d.Rows), Format: c.format(d.Rows)}
	for _, r := range d.Rows {
		v := c.value(r)
		s.Values = append(s.Values, v)
		if _, _, dash := parseAmount(g.cell(r, col)); v == "" && !dash && strings.TrimSpace(g.cell(r, col)) != "" {
			d.Skipped = append(d.Skipped, Cell{Row: r, Col: col, Text: g.cell(r, col)})
		}
	}
	d.Series = append(d.Series, s)
}
