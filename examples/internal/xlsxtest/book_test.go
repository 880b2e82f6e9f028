package xlsxtest_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

func TestRead(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Region", "B1": "2024", "A2": "North", "B2": 12.5} {
		require.NoError(t, f.SetCellValue("Sheet1", cell, value))
	}
	series := []excelize.ChartSeries{{Name: "Sheet1!$B$1", Categories: "Sheet1!$A$2", Values: "Sheet1!$B$2"}}
	title := excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Sales"}}}
	require.NoError(t, f.AddChart("Sheet1", "D1", &excelize.Chart{Type: excelize.Col, Series: series, Title: title}))
	_, err := f.NewSheet("Lines")
	require.NoError(t, err)
	require.NoError(t, f.AddChart("Lines", "D1", &excelize.Chart{Type: excelize.Line, Series: series}))
	var out bytes.Buffer
	require.NoError(t, f.Write(&out))

	book, err := xlsxtest.Read(out.Bytes())
	require.NoError(t, err)
	require.Len(t, book.Sheets, 2)
	assert.Equal(t, map[string]xlsxtest.Cell{"A1": {Text: "Region"}, "B1": {Text: "2024"}, "A2": {Text: "North"}, "B2": {Number: true, Text: "12.5"}}, book.Sheets[0].Cells)
	assert.Equal(t, []xlsxtest.Chart{{Bars: true, Title: "Sales", Series: []xlsxtest.Series{{Name: "Sheet1!$B$1", Categories: "Sheet1!$A$2", Values: "Sheet1!$B$2"}}}}, book.Sheets[0].Charts)
	assert.False(t, book.Sheets[1].Charts[0].Bars)
	n, ok := book.Sheets[0].Cells["B2"].Float()
	assert.True(t, ok)
	assert.InDelta(t, 12.5, n, 0)
	_, ok = book.Sheets[0].Cells["B1"].Float()
	assert.False(t, ok)
	_, err = xlsxtest.Read([]byte("x"))
	assert.Error(t, err)
}
