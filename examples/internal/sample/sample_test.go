package sample_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

const committed = "../office/testdata/sales.docx"

// parts unpacks a file: what compresses it may differ between versions of Go.
func parts(t testing.TB, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		out[f.Name] = string(text)
	}
	return out
}

func TestCommittedSampleIsUpToDate(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(committed)
	require.NoError(t, err)
	assert.Equal(t, parts(t, sample.Sales().Bytes()), parts(t, data), "run go generate in internal/sample")
}

// found reads the document at path and finds what the request is about, with
// JSON between the two, as in a run.
func found(t testing.TB, path, request string) *table.Data {
	t.Helper()
	doc, err := docx.Open(context.Background(), path, nil)
	require.NoError(t, err)
	text, err := json.Marshal(doc.Tables)
	require.NoError(t, err)
	var tables []table.Source
	require.NoError(t, json.Unmarshal(text, &tables))
	again, err := json.Marshal(tables)
	require.NoError(t, err)
	require.JSONEq(t, string(text), string(again), "package table reads all that package docx writes")
	d, err := table.Find(request, tables)
	require.NoError(t, err)
	return d
}

// charted writes d as a run does, row by row as JSON, and reads the file back.
func charted(t testing.TB, d *table.Data) *xlsxtest.Book {
	t.Helper()
	text, err := json.Marshal(d.Grid())
	require.NoError(t, err)
	var grid [][]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&grid))

	b := xlsx.New(d.Title)
	t.Cleanup(func() { assert.NoError(t, b.Close()) })
	chart := xlsx.Chart{Title: d.Title, Categories: fmt.Sprintf("A2:A%d", len(grid))}
	for i, row := range grid {
		require.NoError(t, b.SetRow(i+1, row))
	}
	for i, s := range d.Series {
		require.NoError(t, b.SetFormat(i+2, s.Format))
		col := string(rune('B' + i))
		chart.Series = append(chart.Series, xlsx.Series{Name: col + "1", Values: fmt.Sprintf("%s2:%s%d", col, col, len(grid))})
	}
	require.NoError(t, b.BarChart(chart))
	path := filepath.Join(t.TempDir(), "out.xlsx")
	require.NoError(t, b.Save(context.Background(), path, false))
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	return book
}

func TestSales(t *testing.T) {
	t.Parallel()
	d := found(t, committed, sample.Request)
	assert.Equal(t, 2, d.Table)
	assert.Equal(t, "Table 1: Sales by region, in thousands of euros", d.Title)
	assert.Equal(t, []string{"North", "East", "South", "West", "Overseas"}, d.Labels)
	require.Len(t, d.Series, 3)
	assert.Equal(t, []table.Number{"1310", "901.7", "598.1", "1175.2", "-12.5"}, d.Series[1].Values)

	book := charted(t, d)
	require.Len(t, book.Sheets[0].Charts, 1)
	assert.Equal(t, "Table 1: Sales by region, in thousands of euros", book.Sheets[0].Charts[0].Title)
	assert.Equal(t, "#,##0.0", book.Sheets[0].Cells["C6"].Format)

	costs := found(t, committed, "draw a bar chart of the costs")
	assert.Equal(t, []any{"Kind", "First half Q1", "First half Q2", "Second half Q3", "Second half Q4"}, costs.Grid()[0])
	growth := found(t, committed, "chart the growth")
	assert.Equal(t, []table.Number{"0.035", "0.04"}, growth.Series[0].Values)
	assert.Equal(t, []string{"2025", "2026"}, growth.Labels)
}

func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	for seed := range uint64(9) { // the program's own tests run on more
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := sample.Random(seed)
			path := filepath.Join(t.TempDir(), "in.docx")
			require.NoError(t, c.Document.WriteFile(path))
			d := found(t, path, c.Request)
			book := charted(t, d)

			sheet := book.Sheets[0]
			require.Len(t, sheet.Charts, 1)
			chart := sheet.Charts[0]
			require.True(t, chart.Bars)
			require.Len(t, chart.Series, len(c.Header)-1)
			assert.Equal(t, c.Header[0], sheet.Cells["A1"].Text)
			assert.Equal(t, len(c.Labels)+1, sheet.Rows)
			assert.Equal(t, len(c.Header), sheet.Cols)
			for i, s := range chart.Series {
				name, err := book.Resolve(s.Name)
				require.NoError(t, err)
				assert.Equal(t, c.Header[i+1], name[0].Text)
				labels, err := book.Resolve(s.Categories)
				require.NoError(t, err)
				values, err := book.Resolve(s.Values)
				require.NoError(t, err)
				require.Len(t, labels, len(c.Labels))
				require.Len(t, values, len(c.Labels))
				for row := range c.Labels {
					require.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Text, Text: c.Labels[row]}, labels[row])
					require.Equal(t, c.Values[row][i], values[row].Text)
				}
			}
		})
	}
}

func TestRandomIsRepeatable(t *testing.T) {
	t.Parallel()
	a, b := sample.Random(3), sample.Random(3)
	assert.Equal(t, a.Document.Bytes(), b.Document.Bytes())
	assert.Equal(t, a.Values, b.Values)
	assert.NotEqual(t, a.Document.Bytes(), sample.Random(9).Document.Bytes())
}

func TestPaper(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		c := sample.Paper(seed)
		assert.Equal(t, c.Document.Bytes(), sample.Paper(seed).Document.Bytes(), "the same each time")
		assert.NotEmpty(t, c.Labels)
		assert.Len(t, c.Values, len(c.Labels))
		assert.Equal(t, seed%4 == 1, len(c.Labels) == 60)
	}
}
