package xlsx_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// opened is a workbook with two sheets, opened at one of them.
func opened(t *testing.T, sheet string) (*xlsx.Book, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	f := excelize.NewFile()
	_, err := f.NewSheet("Other")
	require.NoError(t, err)
	for cell, value := range map[string]any{"A1": "Name", "B1": "Total", "A2": "x", "B2": 1.5, "D9": true} {
		require.NoError(t, f.SetCellValue("Sheet1", cell, value))
	}
	require.NoError(t, f.SetColWidth("Sheet1", "A", "A", 50))
	require.NoError(t, f.SetCellStr("Other", "B2", "mine"))
	require.NoError(t, f.SaveAs(path))
	require.NoError(t, f.Close())
	b, err := xlsx.Open(path, sheet)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, b.Close()) })
	return b, path
}

func TestOpen(t *testing.T) {
	t.Parallel()
	b, path := opened(t, "SHEET1")
	assert.Equal(t, "Sheet1", b.Sheet(), "by its own name")
	rows, cols := b.Size()
	assert.Equal(t, []int{9, 4}, []int{rows, cols})
	require.NoError(t, b.Set("A3", "y"))
	require.NoError(t, b.Save(t.Context(), path, true))
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	require.Len(t, book.Sheets, 2)
	assert.Equal(t, "y", book.Sheets[0].Cells["A3"].Text)
	assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Number, Text: "1.5"}, book.Sheets[0].Cells["B2"])
	assert.Equal(t, map[string]xlsxtest.Cell{"B2": {Kind: xlsxtest.Text, Text: "mine"}}, book.Sheets[1].Cells)
	f, err := excelize.OpenFile(path)
	require.NoError(t, err)
	width, err := f.GetColWidth("Sheet1", "A")
	require.NoError(t, err)
	assert.InDelta(t, 50, width, 0.1, "no column is made narrower")
	require.NoError(t, f.Close())
}

func TestOpenAtAnotherSheet(t *testing.T) {
	t.Parallel()
	b, path := opened(t, "Answer")
	rows, _ := b.Size()
	assert.Zero(t, rows)
	require.NoError(t, b.SetRow(1, []any{"File", 3}))
	require.NoError(t, b.Save(t.Context(), path, true))
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	require.Len(t, book.Sheets, 3)
	assert.Equal(t, "Answer", book.Sheets[2].Name)
	assert.Len(t, book.Sheets[0].Cells, 5)
}

func TestClear(t *testing.T) {
	t.Parallel()
	b, path := opened(t, "Sheet1")
	require.NoError(t, b.Clear())
	rows, cols := b.Size()
	assert.Zero(t, rows+cols)
	require.NoError(t, b.Save(t.Context(), path, true))
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	assert.Empty(t, book.Sheets[0].Cells)
	assert.Len(t, book.Sheets[1].Cells, 1)
}

func TestOpenBroken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	_, err := xlsx.Open(path, "A")
	require.ErrorIs(t, err, fs.ErrNotExist)
	for _, content := range []string{"", "hello", "PK\x03\x04"} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, err = xlsx.Open(path, "A")
		require.ErrorIs(t, err, xlsx.ErrBroken)
		assert.ErrorContains(t, err, "xlsx: "+path)
	}
}
