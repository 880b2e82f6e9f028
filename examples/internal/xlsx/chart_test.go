package xlsx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

func TestChartRefersToCells(t *testing.T) {
	t.Parallel()
	b := newBook(t, "It's <sales>")
	require.NoError(t, b.SetRow(1, []any{"Region", "2023", "2024"}))
	require.NoError(t, b.SetRow(2, []any{"=North", 10.5, nil}))
	require.NoError(t, b.SetRow(3, []any{"South", 20, 7}))
	require.NoError(t, b.BarChart(xlsx.Chart{
		Title: "Sales & <more>", Categories: "A2:A3",
		Series: []xlsx.Series{{Name: "B1", Values: "B2:B3"}, {Name: "C1", Values: "C2:C3"}},
	}))
	book := saved(t, b)
	require.Len(t, book.Sheets[0].Charts, 1)
	chart := book.Sheets[0].Charts[0]
	chart.Look = xlsxtest.Look{}
	assert.Equal(t, xlsxtest.Chart{Bars: true, Dir: "bar", Title: "Sales & <more>", Series: []xlsxtest.Series{
		{Name: "'It''s <sales>'!$B$1", Categories: "'It''s <sales>'!$A$2:$A$3", Values: "'It''s <sales>'!$B$2:$B$3"},
		{Name: "'It''s <sales>'!$C$1", Categories: "'It''s <sales>'!$A$2:$A$3", Values: "'It''s <sales>'!$C$2:$C$3"},
	}}, chart)
	assert.Equal(t, []string{"=North", "South"}, texts(t, book, chart.Series[0].Categories))
	assert.Equal(t, []string{"10.5", "20"}, texts(t, book, chart.Series[0].Values))
	assert.Equal(t, []string{"", "7"}, texts(t, book, chart.Series[1].Values))
	assert.Equal(t, []string{"2024"}, texts(t, book, chart.Series[1].Name))
}

func texts(t testing.TB, b *xlsxtest.Book, ref string) []string {
	t.Helper()
	cells, err := b.Resolve(ref)
	require.NoError(t, err)
	var out []string
	for _, c := range cells {
		out = append(out, c.Text)
	}
	return out
}

func TestChartOfManyRows(t *testing.T) {
	t.Parallel()
	b := newBook(t, "")
	for row := 1; row <= 2000; row++ {
		require.NoError(t, b.SetRow(row, []any{fmt.Sprint("row ", row), row}))
	}
	require.NoError(t, b.BarChart(xlsx.Chart{Categories: "A1:A2000", Series: []xlsx.Series{{Values: "B1:B2000"}}}))
	book := saved(t, b)
	series := book.Sheets[0].Charts[0].Series
	require.Len(t, series, 1)
	assert.Empty(t, series[0].Name)
	assert.Len(t, texts(t, book, series[0].Values), 2000)
}

func TestSeveralChartsAndRows(t *testing.T) {
	t.Parallel()
	b := newBook(t, "")
	require.NoError(t, b.SetRow(1, []any{"a", "b"}))
	require.NoError(t, b.SetRow(2, []any{1, 2}))
	for _, anchor := range []string{"", "", "D9"} {
		require.NoError(t, b.BarChart(xlsx.Chart{Anchor: anchor, Categories: "A1:B1", Series: []xlsx.Series{{Values: "A2:B2"}}}))
	}
	assert.Len(t, saved(t, b).Sheets[0].Charts, 3)
}

func TestRefusedCharts(t *testing.T) {
	t.Parallel()
	b := newBook(t, "")
	require.NoError(t, b.SetRow(1, []any{"a", 1, "x"}))
	require.NoError(t, b.SetRow(2, []any{"b", 2, "y"}))
	one := []xlsx.Series{{Values: "B1:B2"}}
	tests := []struct {
		name  string
		chart xlsx.Chart
		want  error
	}{
		{"no series", xlsx.Chart{Categories: "A1:A2"}, xlsx.ErrChart},
		{"too many series", xlsx.Chart{Categories: "A1:A2", Series: make([]xlsx.Series, 256)}, xlsx.ErrChart},
		{"no categories", xlsx.Chart{Series: one}, xlsx.ErrCell},
		{"empty categories", xlsx.Chart{Categories: "A5:A6", Series: one}, xlsx.ErrChart},
		{"values without a number", xlsx.Chart{Categories: "A1:A2", Series: []xlsx.Series{{Values: "C1:C2"}}}, xlsx.ErrChart},
		{"another number of values", xlsx.Chart{Categories: "A1:A2", Series: []xlsx.Series{{Values: "B1:B3"}}}, xlsx.ErrChart},
		{"an area", xlsx.Chart{Categories: "A1:B2", Series: one}, xlsx.ErrCell},
		{"backwards", xlsx.Chart{Categories: "A2:A1", Series: one}, xlsx.ErrCell},
		{"no range", xlsx.Chart{Categories: "A1:x", Series: one}, xlsx.ErrCell},
		{"no values", xlsx.Chart{Categories: "A1:A2", Series: []xlsx.Series{{}}}, xlsx.ErrCell},
		{"a name that is no cell", xlsx.Chart{Categories: "A1:A2", Series: []xlsx.Series{{Name: "Sales", Values: "B1:B2"}}}, xlsx.ErrCell},
		{"an anchor that is no cell", xlsx.Chart{Anchor: "here", Categories: "A1:A2", Series: one}, xlsx.ErrCell},
		{"a title that XML cannot hold", xlsx.Chart{Title: "\x00", Categories: "A1:A2", Series: one}, xlsx.ErrChart},
	}
	for _, tt := range tests {
		err := b.BarChart(tt.chart)
		require.ErrorIs(t, err, tt.want, tt.name)
		assert.Regexp(t, `^xlsx: `, err.Error())
	}
	assert.Empty(t, saved(t, b).Sheets[0].Charts)
}
