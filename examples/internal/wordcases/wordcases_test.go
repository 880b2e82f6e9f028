package wordcases_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

func TestAll(t *testing.T) {
	t.Parallel()
	names, office := map[string]bool{}, 0
	list := wordcases.All()
	for _, c := range list {
		assert.False(t, names[c.Name], "%s is there twice", c.Name)
		names[c.Name] = true
		assert.NotEmpty(t, c.Why, c.Name)
		assert.True(t, c.Want != nil || c.Refused != "", c.Name)
		for _, row := range c.Want {
			assert.Len(t, row, len(c.Want[0]), c.Name)
		}
		if c.Office {
			office++
		}
		wellFormed(t, c)
	}
	assert.GreaterOrEqual(t, len(list), 40)
	assert.GreaterOrEqual(t, office, 10)
}

func wellFormed(t *testing.T, c wordcases.Case) {
	t.Helper()
	data := c.Docx()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		for d := xml.NewDecoder(r); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, "%s: %s", c.Name, f.Name)
		}
	}
}

// book is a workbook of Region and Amount, with a chart of the cells from B1 on.
func book(t *testing.T, north any, more string, charts int, last string) []byte {
	t.Helper()
	b := xlsx.New("Data")
	for i, row := range [][]any{{"Region", "Amount"}, {"North", north}, {"South", 80}} {
		require.NoError(t, b.SetRow(i+1, row))
	}
	if more != "" {
		require.NoError(t, b.Set(more, 1))
	}
	for range charts {
		chart, err := b.ChartOf("A1:B" + last)
		require.NoError(t, err)
		require.NoError(t, b.BarChart(chart))
	}
	path := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, b.Save(t.Context(), path, false))
	require.NoError(t, b.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func TestCheck(t *testing.T) {
	t.Parallel()
	c := wordcases.Case{Name: "x", Want: [][]string{{"Region", "Amount"}, {"North", "120"}, {"South", "80"}}}
	require.NoError(t, c.Check(book(t, 120, "", 1, "3")))
	for name, data := range map[string][]byte{
		"another number":   book(t, 9120, "", 1, "3"),
		"no number":        book(t, nil, "", 1, "3"),
		"a number as text": book(t, "120", "", 1, "3"),
		"one more cell":    book(t, 120, "C2", 1, "3"),
		"no chart":         book(t, 120, "", 0, "3"),
		"two charts":       book(t, 120, "", 2, "3"),
		"fewer rows":       book(t, 120, "", 1, "2"),
		"no workbook":      []byte("x"),
	} {
		assert.Error(t, c.Check(data), name)
	}
	c.Want = nil
	assert.Error(t, c.Check(book(t, 120, "", 1, "3")), "nobody can tell")
}
