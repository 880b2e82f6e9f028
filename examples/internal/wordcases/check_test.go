package wordcases_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	want := [][]string{{"Region", "2024"}, {"North", "120.5"}, {"South", ""}}
	for name, tt := range map[string]struct {
		change func(f *excelize.File, c *excelize.Chart) error
		says   string
	}{
		"right":          {func(*excelize.File, *excelize.Chart) error { return nil }, ""},
		"another number": {func(f *excelize.File, _ *excelize.Chart) error { return f.SetCellValue("Sheet1", "B2", 120) }, "the cells are"},
		"a text":         {func(f *excelize.File, _ *excelize.Chart) error { return f.SetCellStr("Sheet1", "B2", "120.5") }, "the cells are"},
		"a cell more":    {func(f *excelize.File, _ *excelize.Chart) error { return f.SetCellInt("Sheet1", "C9", 1) }, "the cells are"},
		"a sheet more":   {func(f *excelize.File, _ *excelize.Chart) error { _, err := f.NewSheet("x"); return err }, "the sheets are"},
		"another range":  {func(_ *excelize.File, c *excelize.Chart) error { c.Series[0].Values = "Sheet1!$B$2"; return nil }, "the chart shows"},
		"lines":          {func(_ *excelize.File, c *excelize.Chart) error { c.Type = excelize.Line; return nil }, "lineChart"},
		"two charts":     {func(f *excelize.File, c *excelize.Chart) error { return f.AddChart("Sheet1", "D20", c) }, "2 charts"},
	} {
		f := excelize.NewFile()
		for cell, value := range map[string]any{"A1": "Region", "B1": "2024", "A2": "North", "B2": 120.5, "A3": "South"} {
			require.NoError(t, f.SetCellValue("Sheet1", cell, value))
		}
		c := &excelize.Chart{
			Type: excelize.Col, Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Sales"}}},
			Series: []excelize.ChartSeries{{Name: "Sheet1!$B$1", Categories: "Sheet1!$A$2:$A$3", Values: "Sheet1!$B$2:$B$3"}},
		}
		require.NoError(t, tt.change(f, c))
		require.NoError(t, f.AddChart("Sheet1", "D2", c))
		data, err := f.WriteToBuffer()
		require.NoError(t, err)
		title, err := wordcases.Check(data.Bytes(), want, []int{0})
		if tt.says == "" {
			require.NoError(t, err, name)
			assert.Equal(t, "Sales", title)
			continue
		}
		assert.ErrorContains(t, err, tt.says, name)
	}
}
