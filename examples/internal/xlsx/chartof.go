package xlsx

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// ChartOf returns the chart of a range such as A1:C13, as Excel itself would
// make it: the first row has the names of the series, the first column the
// categories, and each column after it is a series, or each of those that are
// named, such as C. A name that is empty is left out. The caller may change the
// chart before it is added.
func (b *Book) ChartOf(cells string, columns ...string) (Chart, error) {
	first, last, _ := strings.Cut(cells, ":")
	from, err := parseCell(first)
	if err != nil {
		return Chart{}, err
	}
	to, err := parseCell(last)
	if err != nil {
		return Chart{}, err
	}
	if to.col <= from.col || to.row <= from.row {
		return Chart{}, &Error{Where: cells, Err: ErrChart, Reason: "it needs two rows and two columns at least"}
	}
	column := func(col int) string {
		return cellName(col, from.row+1) + ":" + cellName(col, to.row)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var cols []int
	for _, name := range columns {
		col, err := excelize.ColumnNameToNumber(name)
		if err != nil || col <= from.col || col > to.col {
			return Chart{}, &Error{Where: cells, Err: ErrChart, Reason: fmt.Sprintf("%q is no column of its numbers", name)}
		}
		cols = append(cols, col)
	}
	for col := from.col + 1; col <= to.col && len(columns) == 0; col++ {
		cols = append(cols, col)
	}
	chart := Chart{Categories: column(from.col)}
	for _, col := range cols {
		series := Series{Values: column(col)}
		if name := (place{col, from.row}); len(b.filled([]place{name}, false)) > 0 {
			series.Name = cellName(col, from.row)
		}
		chart.Series = append(chart.Series, series)
	}
	return chart, nil
}

// cellName is Cell for a place between two that were parsed.
func cellName(col, row int) string {
	name, _ := Cell(col, row)
	return name
}
