package xlsx_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

func newBook(t testing.TB, sheet string) *xlsx.Book {
	t.Helper()
	b := xlsx.New(sheet)
	t.Cleanup(func() { assert.NoError(t, b.Close()) })
	return b
}

// saved writes the book and reads it back.
func saved(t testing.TB, b *xlsx.Book) *xlsxtest.Book {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.xlsx")
	require.NoError(t, b.Save(context.Background(), path, false))
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	require.Len(t, book.Sheets, 1)
	return book
}

func TestTextStaysText(t *testing.T) {
	t.Parallel()
	texts := []string{
		"=1+1", "+1", "-1", "@SUM(A1)", "=HYPERLINK(\"http://x\")", "'quoted", "1204.5", "TRUE", "#REF!", "2024-05-01",
		" spaces ", "two\nlines", "a\tb", "a\r\nb", "<b>&amp;</b>", "_x0041_", "_x005F_x0041_", "__x0041__", "売上 😀", "المبيعات", "e\u0301", "",
		"=1+1", // twice the same text
		strings.Repeat("é", 32767),
	}
	b := newBook(t, "")
	for i, text := range texts {
		require.NoError(t, b.SetRow(i+1, []any{text}))
	}
	sheet := saved(t, b).Sheets[0]
	for i, text := range texts {
		cell := sheet.Cells[fmt.Sprint("A", i+1)]
		assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Text, Text: text}, cell, "%.50q", text)
	}
}

func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	values := map[string]any{
		"1204.5": json.Number("1204.5"), "-0.1": -0.1, "0": 0, "999999999999999": int64(999999999999999), "7": uint8(7), "0.5": float32(0.5),
		"0.3333333333333333": json.Number("0.33333333333333333333"), "1000000000000000000000": 1e21, "0.00012": json.Number("1.2e-4"),
	}
	b := newBook(t, "")
	row := 0
	for want, v := range values {
		row++
		require.NoError(t, b.SetRow(row, []any{want, v, true, nil}))
	}
	require.NoError(t, b.Set("B20", 1))
	require.NoError(t, b.Set("B20", nil))
	rows, cols := b.Size()
	assert.Equal(t, []int{len(values), 3}, []int{rows, cols})
	sheet := saved(t, b).Sheets[0]
	for r := 1; r <= row; r++ {
		want := sheet.Cells[fmt.Sprint("A", r)].Text
		got := sheet.Cells[fmt.Sprint("B", r)]
		assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Number, Text: want}, got)
		assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Boolean, Text: "TRUE"}, sheet.Cells[fmt.Sprint("C", r)])
		assert.NotContains(t, sheet.Cells, fmt.Sprint("D", r))
	}
	assert.NotContains(t, sheet.Cells, "B20")
}

func TestRefusedValues(t *testing.T) {
	t.Parallel()
	b := newBook(t, "")
	for _, v := range []any{
		math.NaN(), math.Inf(1), json.Number("x"), json.Number("1e999"), json.Number("1234567890123456"), int64(math.MaxInt64),
		strings.Repeat("x", 32768), strings.Repeat("😀", 16384), "a\x00b", "a\uffff", "\xff", []string{"a"}, map[string]any{}, struct{}{},
	} {
		err := b.SetRow(1, []any{"kept out", v})
		require.ErrorIs(t, err, xlsx.ErrValue, "%.40v", v)
		var typed *xlsx.Error
		require.ErrorAs(t, err, &typed)
		assert.Equal(t, "B1", typed.Where)
		require.ErrorIs(t, b.Set("A1", v), xlsx.ErrValue)
	}
	for _, cell := range []string{"", "7", "A", "A0", "XFE1", "A1048577", "A1:B2", "ä1"} {
		require.ErrorIs(t, b.Set(cell, 1), xlsx.ErrCell, cell)
	}
	require.ErrorIs(t, b.SetRow(0, []any{1}), xlsx.ErrCell)
	require.ErrorIs(t, b.SetRow(1, make([]any, 16385)), xlsx.ErrCell)
	rows, cols := b.Size()
	assert.Zero(t, rows+cols, "nothing was written")
}

func TestFormats(t *testing.T) {
	t.Parallel()
	b := newBook(t, "")
	require.NoError(t, b.SetRow(1, []any{"label", 0.125, 5}))
	require.NoError(t, b.SetFormat(2, "0.0%"))
	require.NoError(t, b.SetFormat(3, `"€"#,##0.00`))
	require.NoError(t, b.SetFormat(4, "0.0%"))
	require.NoError(t, b.SetRow(2, []any{"later", 0.5, 6, 7}))
	require.NoError(t, b.SetFormat(4, ""))
	sheet := saved(t, b).Sheets[0]
	for cell, want := range map[string]string{"A1": "", "B1": "0.0%", "B2": "0.0%", "C1": `"€"#,##0.00`, "C2": `"€"#,##0.00`, "D2": ""} {
		assert.Equal(t, want, sheet.Cells[cell].Format, cell)
	}
	require.ErrorIs(t, b.SetFormat(0, "0"), xlsx.ErrCell)
	require.ErrorIs(t, b.SetFormat(1, `"`), xlsx.ErrFormat)
	require.ErrorIs(t, b.SetFormat(1, strings.Repeat("0", 256)), xlsx.ErrFormat)
}

func TestSheetNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "Sheet1", "Sales": "Sales", "a/b:c*d?e[f]g\\h": "a b c d e f g h", "  two\n lines ": "two lines", "'quoted'": "quoted", "it's": "it's",
		"history": "Sheet1", "///": "Sheet1", strings.Repeat("売", 40): strings.Repeat("売", 31), strings.Repeat("😀", 40): strings.Repeat("😀", 15),
	} {
		b := newBook(t, in)
		require.NoError(t, b.SetRow(1, []any{"a", 1}))
		require.NoError(t, b.BarChart(xlsx.Chart{Categories: "A1", Series: []xlsx.Series{{Values: "B1"}}}))
		book := saved(t, b)
		assert.Equal(t, want, book.Sheets[0].Name)
		assert.Equal(t, want, b.Sheet())
		cells, err := book.Resolve(book.Sheets[0].Charts[0].Series[0].Values)
		require.NoError(t, err)
		assert.Equal(t, "1", cells[0].Text)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	b := newBook(t, "")
	var wg sync.WaitGroup
	for row := 1; row <= 50; row++ {
		wg.Go(func() {
			assert.NoError(t, b.SetRow(row, []any{fmt.Sprint(row), row}))
			b.Size()
		})
	}
	wg.Wait()
	rows, _ := b.Size()
	assert.Equal(t, 50, rows)
	assert.Len(t, saved(t, b).Sheets[0].Cells, 100)
}

func TestSave(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "Book.XLSX")
	b := newBook(t, "")
	require.NoError(t, b.Set("A1", "one"))
	require.NoError(t, b.Save(ctx, path, false))

	require.NoError(t, b.Set("A1", "two"))
	err := b.Save(ctx, path, false)
	require.ErrorIs(t, err, xlsx.ErrExists)
	assert.Equal(t, "xlsx: "+path+": the file exists", err.Error())
	assert.Equal(t, "one", open(t, path).Sheets[0].Cells["A1"].Text, "it is what it was")

	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(path, 0o640))
	}
	require.NoError(t, b.Save(ctx, path, true))
	assert.Equal(t, "two", open(t, path).Sheets[0].Cells["A1"].Text)
	if info, err := os.Stat(path); assert.NoError(t, err) && runtime.GOOS != "windows" {
		assert.Equal(t, fs.FileMode(0o640), info.Mode().Perm())
	}
	assertOnly(t, dir, "Book.XLSX")
}

func TestSaveThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := newBook(t, "")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.xlsx"), 0o755))
	why := errors.New("enough")
	cancelled, cancel := context.WithCancelCause(context.Background())
	cancel(why)

	ctx := context.Background()
	require.ErrorIs(t, b.Save(ctx, filepath.Join(dir, "book.xls"), false), xlsx.ErrName)
	require.ErrorIs(t, b.Save(ctx, filepath.Join(dir, "missing", "book.xlsx"), false), fs.ErrNotExist)
	require.ErrorIs(t, b.Save(ctx, filepath.Join(dir, "folder.xlsx"), true), xlsx.ErrExists)
	require.ErrorIs(t, b.Save(cancelled, filepath.Join(dir, "book.xlsx"), false), why)
	assertOnly(t, dir, "folder.xlsx")
}

func TestSaveThroughALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "real.xlsx"), filepath.Join(dir, "link.xlsx")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o600))
	if err := os.Symlink(target, link); err != nil {
		t.Log("no symbolic links here:", err)
		return
	}
	b := newBook(t, "")
	require.NoError(t, b.Set("A1", "new"))
	require.ErrorIs(t, b.Save(context.Background(), link, false), xlsx.ErrExists)
	require.NoError(t, b.Save(context.Background(), link, true))
	assert.Equal(t, "new", open(t, target).Sheets[0].Cells["A1"].Text)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeSymlink, "the link is still one")
}

func open(t testing.TB, path string) *xlsxtest.Book {
	t.Helper()
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	return book
}

func assertOnly(t testing.TB, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	assert.Equal(t, names, got)
}
