package xlsx

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Chart is a bar chart to add. Ranges are of one column or one row, such as
// A2:A7.
type Chart struct {
	Title      string   `json:"title,omitempty"`
	Anchor     string   `json:"anchor,omitempty"` // the cell at its upper left corner; "": to the right of what is written
	Categories string   `json:"categories"`
	Series     []Series `json:"series"`
}

// Series is one row of bars.
type Series struct {
	Name   string `json:"name,omitempty"` // a cell, or "" for none
	Values string `json:"values"`
}

// maxSeries is how many series Excel draws in one chart.
const maxSeries = 255

// BarChart adds a native chart of clustered horizontal bars, one for each
// category and series, the first category on top.
func (b *Book) BarChart(c Chart) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	refuse := func(where, reason string) error { return &Error{Where: where, Err: ErrChart, Reason: reason} }
	if n := len(c.Series); n == 0 || n > maxSeries {
		return refuse("", fmt.Sprintf("%d series, one to %d are possible", n, maxSeries))
	}
	cats, err := parseLine(c.Categories)
	if err != nil {
		return err
	}
	if len(b.filled(cats, false)) == 0 {
		return refuse(c.Categories, "its categories are empty")
	}
	chart := &excelize.Chart{
		Type:         excelize.Bar,
		Legend:       excelize.ChartLegend{Position: "none"},
		VaryColors:   new(bool),
		XAxis:        excelize.ChartAxis{ReverseOrder: true, TickLabelPosition: excelize.ChartTickLabelLow, Font: dark},    // clear of negative bars
		YAxis:        excelize.ChartAxis{MajorGridLines: true, TickLabelPosition: excelize.ChartTickLabelHigh, Font: dark}, // below, as the order is reversed
		ShowBlanksAs: "gap",
	}
	if c.Title != "" {
		if _, err := checked(c.Title); err != nil {
			return refuse("", "its title: "+err.Error())
		}
		chart.Title = excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: c.Title, Font: &title}}}
	}
	for _, s := range c.Series {
		values, err := parseLine(s.Values)
		switch {
		case err != nil:
			return err
		case len(values) != len(cats):
			return refuse(s.Values, fmt.Sprintf("%d values for %d categories", len(values), len(cats)))
		case len(b.filled(values, true)) == 0:
			return refuse(s.Values, "there is no number in it")
		}
		out := excelize.ChartSeries{Fill: fill(len(chart.Series)), Categories: b.absolute(cats), Values: b.absolute(values)}
		if s.Name != "" {
			p, err := parseCell(s.Name)
			if err != nil {
				return err
			}
			out.Name = b.absolute([]place{p})
			chart.Legend = excelize.ChartLegend{Position: "bottom", Font: &dark} // one series too is called something
		}
		if format := b.column(values[0].col).format; chart.YAxis.NumFmt.CustomNumFmt == "" {
			chart.YAxis.NumFmt.CustomNumFmt = format
		}
		chart.Series = append(chart.Series, out)
	}
	anchor := c.Anchor
	if anchor == "" {
		_, cols := b.size()
		if anchor, err = Cell(cols+2, 2+b.charts*40); err != nil {
			return err
		}
	}
	corner, err := parseCell(anchor)
	if err != nil {
		return err
	}
	chart.Dimension = b.dimension(len(cats) * len(c.Series))
	chart.XAxis.TickLabelSkip = labelSkip(len(cats), chart.Dimension.Height)
	if err := b.file.AddChart(b.sheet, anchor, chart); err != nil {
		return &Error{Where: anchor, Err: err}
	}
	b.charts++
	b.bottom = max(b.bottom, (corner.row-1)*rowHeight+int(chart.Dimension.Height))
	return nil
}

// filled returns those of the cells that have something, or a number, in them.
func (b *Book) filled(cells []place, numbers bool) []place {
	var found []place
	for _, p := range cells {
		if number, ok := b.numbers[p]; ok && (number || !numbers) {
			found = append(found, p)
		}
	}
	return found
}

// absolute refers to a line of cells from anywhere in the book.
func (b *Book) absolute(line []place) string {
	ref := func(p place) string {
		name, _ := excelize.CoordinatesToCellName(p.col, p.row, true) // parsed before
		return name
	}
	text := "'" + strings.ReplaceAll(b.sheet, "'", "''") + "'!" + ref(line[0])
	if len(line) > 1 {
		text += ":" + ref(line[len(line)-1])
	}
	return text
}

// parseLine reads a range of one column or row, or a single cell.
func parseLine(text string) ([]place, error) {
	first, last, isRange := strings.Cut(text, ":")
	from, err := parseCell(first)
	if err != nil {
		return nil, err
	}
	to := from
	if isRange {
		if to, err = parseCell(last); err != nil {
			return nil, err
		}
	}
	if to.col < from.col || to.row < from.row || to.col > from.col && to.row > from.row {
		return nil, &Error{Where: text, Err: ErrCell, Reason: "it must be one column or one row"}
	}
	var line []place
	for p := from; p.col <= to.col && p.row <= to.row; {
		line = append(line, p)
		if to.col > from.col {
			p.col++
		} else {
			p.row++
		}
	}
	return line, nil
}
