package table

import "strings"

// Data is a table that can be drawn.
type Data struct {
	Table       int      `json:"table"`            // number of the source
	Title       string   `json:"title,omitempty"`  // caption, else heading of the source
	Label       string   `json:"label"`            // header of the label column
	LabelColumn int      `json:"label_column"`     // in the source, from 0
	Labels      []string `json:"labels"`           // one for each row
	Rows        []int    `json:"rows"`             // where in the source they are, from 0
	Series      []Series `json:"series"`           // at least one
	Shared      []string `json:"shared,omitempty"` // words of the request that led here, sorted
	Skipped     []Cell   `json:"skipped,omitempty"`
}

// Series is a numeric column.
type Series struct {
	Name   string   `json:"name"`             // from the header; "" if there is none
	Column int      `json:"column"`           // in the source, from 0
	Values []Number `json:"values"`           // one for each row
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

// Read understands one table. The error is an [*UnfitError].
func Read(s Source) (*Data, error) {
	g := newGrid(s)
	header := headerRows(g, s.HeaderRows)
	rows := bodyRows(g, header)
	columns := make([]column, g.width)
	numeric, mixed := 0, 0
	for c := range columns {
		columns[c] = readColumn(g, c, rows)
		switch columns[c].kind {
		case kindNumbers:
			numeric++
		case kindMixed:
			mixed++
		default: // words label the rows
		}
	}
	if numeric == 0 {
		if mixed > 0 {
			return nil, &UnfitError{Table: s.Number, Err: ErrMixed}
		}
		return nil, &UnfitError{Table: s.Number, Err: ErrNoNumbers}
	}
	label := labelColumn(columns, rows)
	if label < 0 || label == 0 && columns[0].kind == kindNumbers && numeric == 1 {
		return nil, &UnfitError{Table: s.Number, Err: ErrNoLabels}
	}

	d := &Data{Table: s.Number, Title: oneLine(s.Caption), Label: name(g, header, label), LabelColumn: label, Rows: rows}
	if d.Title == "" {
		d.Title = oneLine(s.Heading)
	}
	for _, r := range rows {
		d.Labels = append(d.Labels, g.label(r, label))
	}
	for c := range columns {
		if c != label && columns[c].kind == kindNumbers {
			d.add(g, c, &columns[c], name(g, header, c))
		}
	}
	return d, nil
}

func (d *Data) add(g *grid, col int, c *column, name string) {
	s := Series{Name: name, Column: col, Format: c.format(d.Rows)}
	for _, r := range d.Rows {
		v := c.value(r)
		s.Values = append(s.Values, v)
		if _, _, dash := parseAmount(g.cell(r, col)); v == "" && !dash && strings.TrimSpace(g.cell(r, col)) != "" {
			d.Skipped = append(d.Skipped, Cell{Row: r, Col: col, Text: g.cell(r, col)})
		}
	}
	d.Series = append(d.Series, s)
}

// labelColumn is the first one of words, else the first one if it counts; -1
// for none.
func labelColumn(columns []column, rows []int) int {
	for c := range columns {
		if columns[c].kind == kindWords {
			return c
		}
	}
	if len(columns) > 0 && columns[0].counts(rows) {
		return 0
	}
	return -1
}
