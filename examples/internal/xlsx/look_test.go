package xlsx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// charted is a sheet with a chart of that many rows and series, in thousands of dollars.
func charted(t *testing.T, rows, series int) *xlsxtest.Book {
	t.Helper()
	b := newBook(t, "")
	header := []any{"Region"}
	for s := range series {
		header = append(header, fmt.Sprint("Year ", s))
	}
	require.NoError(t, b.SetRow(1, header))
	for r := range rows {
		row := []any{fmt.Sprint("Region ", r)}
		for s := range series {
			row = append(row, 1_000_000*(r+s)-500)
		}
		require.NoError(t, b.SetRow(r+2, row))
	}
	for s := range series {
		require.NoError(t, b.SetFormat(s+2, `"$"#,##0.00`))
	}
	require.NoError(t, b.SetHeader(1))
	last, err := xlsx.Cell(series+1, rows+1)
	require.NoError(t, err)
	chart, err := b.ChartOf("A1:" + last)
	require.NoError(t, err)
	chart.Title = "Sales"
	require.NoError(t, b.BarChart(chart))
	return saved(t, b)
}

// What is written in a chart can be read, and its bars can be seen.
func TestChartCanBeRead(t *testing.T) {
	t.Parallel()
	for _, series := range []int{1, 3, 8} {
		look := charted(t, 5, series).Sheets[0].Charts[0].Look
		require.Len(t, look.Texts, 4, "title, both axes, legend")
		for what, color := range look.Texts {
			contrast, err := xlsxtest.OnWhite(color)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, contrast, 4.5, "%s is %s", what, color)
		}
		require.Len(t, look.Bars, series)
		for i, color := range look.Bars {
			contrast, err := xlsxtest.OnWhite(color)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, contrast, 3.0, "bar %d is %s", i, color)
			if i > 0 {
				assert.NotEqual(t, look.Bars[i-1], color)
			}
		}
		assert.Equal(t, `"$"#,##0.00`, look.Format, "along the axis as in the cells")
	}
}

func TestHeader(t *testing.T) {
	t.Parallel()
	sheet := charted(t, 3, 2).Sheets[0]
	for name, cell := range sheet.Cells {
		assert.Equal(t, name == "A1" || name == "B1" || name == "C1", cell.Bold, name)
	}
}

// A sheet with a chart is printed as wide as the paper, on one page unless its rows
// need more. A sheet without one is left alone.
func TestPage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rows, series int
		want         xlsxtest.Page
	}{
		{2, 1, xlsxtest.Page{Landscape: true, Wide: 1, High: 1}},
		{5, 12, xlsxtest.Page{Landscape: true, Wide: 1, High: 1}},
		{60, 1, xlsxtest.Page{Wide: 1, High: 1}},
		{300, 1, xlsxtest.Page{Wide: 1}},
		{300, 4, xlsxtest.Page{Wide: 1}},
	} {
		assert.Equal(t, tt.want, charted(t, tt.rows, tt.series).Sheets[0].Page, "%d rows, %d series", tt.rows, tt.series)
	}
	b := newBook(t, "")
	require.NoError(t, b.Set("A1", "a"))
	assert.Equal(t, xlsxtest.Page{}, saved(t, b).Sheets[0].Page)
}

// A column is wide enough for its numbers as they are shown; others show ###.
func TestWidths(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]int{
		"": len("-1234567.5"), `"$"#,##0.00`: len("-$1,234,567.50"), "0": len("-1234568"), "0.0%": len("-123456750.0%"), `#,##0.0" kr"`: len("-1,234,567.5 kr"),
	} {
		b := newBook(t, "")
		require.NoError(t, b.SetRow(1, []any{-1234567.5}))
		require.NoError(t, b.SetRow(2, []any{0.123}))
		require.NoError(t, b.SetFormat(1, format))
		assert.GreaterOrEqual(t, saved(t, b).Sheets[0].Widths[1], float64(want), format)
	}
}
