package saved_test

import (
	"archive/zip"
	"io"
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
)

var sales = [][]any{{"Region", "2023", "2024"}, {"North", 4, 1204.5}, {"007", nil, -0.25}}

func bars(columns ...string) xlsx.Chart {
	c := xlsx.Chart{Categories: "A2:A3"}
	for _, name := range columns {
		c.Series = append(c.Series, xlsx.Series{Name: name + "1", Values: name + "2:" + name + "3"})
	}
	return c
}

func TestXLSX(t *testing.T) {
	t.Parallel()
	got, err := saved.Read(workbook(t, sales, bars("B", "C")))
	require.NoError(t, err)
	assert.Equal(t, map[string]saved.Cell{
		"A1": text("Region"), "B1": text("2023"), "C1": text("2024"),
		"A2": text("North"), "B2": number(4), "C2": number(1204.5),
		"A3": text("007"), "C3": number(-0.25),
	}, got.Cells)
	assert.Equal(t, []saved.Chart{{Bars: true, Series: series("B", "C")}}, got.Charts)
}

func TestXLSXCharts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		charts []xlsx.Chart
		want   []saved.Chart
	}{
		"none":       {nil, nil},
		"one series": {[]xlsx.Chart{bars("C")}, []saved.Chart{{Bars: true, Series: series("C")}}},
		"two":        {[]xlsx.Chart{bars("B"), bars("B", "C")}, []saved.Chart{{Bars: true, Series: series("B")}, {Bars: true, Series: series("B", "C")}}},
	} {
		got, err := saved.Read(workbook(t, sales, c.charts...))
		require.NoError(t, err, name)
		assert.ElementsMatch(t, c.want, got.Charts, name)
	}
}

// A chart that has anything but bars is none of bars.
func TestXLSXOtherCharts(t *testing.T) {
	t.Parallel()
	list := []excelize.ChartSeries{{Name: "Sheet1!$B$1", Categories: "Sheet1!$A$2:$A$3", Values: "Sheet1!$B$2:$B$3"}}
	for name, c := range map[string]struct {
		kinds []excelize.ChartType
		want  saved.Chart
	}{
		"columns":        {[]excelize.ChartType{excelize.Col}, saved.Chart{Bars: true, Series: series("B")}},
		"lines":          {[]excelize.ChartType{excelize.Line}, saved.Chart{Series: series("B")}},
		"pie":            {[]excelize.ChartType{excelize.Pie}, saved.Chart{Series: series("B")}},
		"bars and lines": {[]excelize.ChartType{excelize.Col, excelize.Line}, saved.Chart{Series: series("B", "B")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book := excelize.NewFile()
			var charts []*excelize.Chart
			for _, kind := range c.kinds {
				charts = append(charts, &excelize.Chart{Type: kind, Series: list})
			}
			require.NoError(t, book.AddChart("Sheet1", "D2", charts[0], charts[1:]...))
			file := filepath.Join(t.TempDir(), "a.xlsx")
			require.NoError(t, book.SaveAs(file))
			require.NoError(t, book.Close())
			got, err := saved.Read(file)
			require.NoError(t, err)
			assert.Equal(t, []saved.Chart{c.want}, got.Charts)
		})
	}
}

// Cells of other kinds than texts and numbers are texts, so that no number is taken for them.
func TestXLSXOtherCells(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	require.NoError(t, book.SetCellValue("Sheet1", "A1", true))
	require.NoError(t, book.SetCellStr("Sheet1", "B1", "4"))
	require.NoError(t, book.SetCellRichText("Sheet1", "C1", []excelize.RichTextRun{{Text: "No"}, {Text: "rth", Font: &excelize.Font{Bold: true}}}))
	require.NoError(t, book.SetCellFloat("Sheet1", "XFD9", 1e-9, -1, 64))
	_, err := book.NewSheet("Second")
	require.NoError(t, err)
	require.NoError(t, book.SetCellValue("Second", "A5", "elsewhere"))
	file := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, book.SaveAs(file))
	require.NoError(t, book.Close())
	got, err := saved.Read(file)
	require.NoError(t, err)
	assert.Equal(t, map[string]saved.Cell{"A1": text("1"), "B1": text("4"), "C1": text("North"), "XFD9": number(1e-9)}, got.Cells)
	assert.Empty(t, got.Charts)
}

// parts are those of a workbook, by name.
func parts(t testing.TB, file string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(file)
	require.NoError(t, err)
	defer func() { require.NoError(t, z.Close()) }()
	list := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		list[f.Name] = string(data)
	}
	return list
}

// A workbook with one part that is broken is an error.
func TestXLSXBroken(t *testing.T) {
	t.Parallel()
	const sheet, drawn = "xl/worksheets/sheet1.xml", "xl/charts/chart1.xml"
	rows := func(text string) string {
		return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + text + `</sheetData></worksheet>`
	}
	whole := parts(t, workbook(t, sales, bars("B")))
	for name, c := range map[string]struct{ part, content, want string }{
		"a chart that ends early": {drawn, `<c:chart xmlns:c="x"><c:barChart>`, "chart1.xml: "},
		"a chart of nothing":      {drawn, `<<`, "chart1.xml: "},
		"a number that is none":   {sheet, rows(`<row r="1"><c r="A1"><v>many</v></c></row>`), `parsing "many"`},
		"it ends early":           {sheet, rows(`<row r="1"><c r="A1"><v>1</v></c></row>`)[:120], "XML syntax error"},
		"no workbook":             {"xl/workbook.xml", "<workbook", ""},
		"no sheets":               {"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>`, "sheet name can not be blank"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := map[string]string{}
			maps.Copy(changed, whole)
			require.Contains(t, changed, c.part)
			changed[c.part] = c.content
			_, err := saved.Read(written(t, "a.xlsx", docxtest.Zip(changed)))
			require.ErrorContains(t, err, "saved: a.xlsx: ")
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// series are those of columns of two rows.
func series(columns ...string) (list []saved.Series) {
	for _, c := range columns {
		list = append(list, saved.Series{Name: c + "1", Categories: "A2:A3", Values: c + "2:" + c + "3"})
	}
	return list
}
