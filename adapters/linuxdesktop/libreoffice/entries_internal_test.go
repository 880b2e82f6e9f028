package libreoffice

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCellNames(t *testing.T) {
	for name, want := range map[string][2]int{"A1": {0, 0}, "Z9": {8, 25}, "AA10": {9, 26}, "AZ1": {0, 51}, "BA1": {0, 52}, "ZZ1": {0, 701}, "AAA1": {0, 702}, "XFD1048576": {1048575, 16383}} {
		row, column, err := parseCell(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, [2]int{row, column}, name)
		assert.Equal(t, name, entry{row: row, column: column}.cell())
	}
	for _, name := range []string{"", "1", "A", "A0", "a1", "A01", "ABCD1", "A12345678", "A1:B2"} {
		_, _, err := parseCell(name)
		assert.Error(t, err, name)
	}
}

func TestEntries(t *testing.T) {
	list, err := entriesOf([][]any{{"a", nil, json.Number("2.50")}, {}, {json.Number("-1e3")}}, 2, 1)
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, entry{row: 2, column: 1, text: "a"}, list[0])
	assert.Equal(t, "D3", list[1].cell())
	assert.InDelta(t, 2.5, *list[1].number, 0)
	assert.InDelta(t, -1000, *list[2].number, 0)
	_, err = entriesOf([][]any{{true}}, 0, 0)
	require.Error(t, err)
	_, err = entriesOf([][]any{{json.Number("1e999")}}, 0, 0)
	require.Error(t, err)
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "-3": -3, "+5": 5, "1,204.5": 1204.5, "12,345,678": 12345678, "\u2212 7.25": -7.25, "(3)": -3, "1 204": 1204, "007": 7, ".5": -1, "1,2": -1,
		"12,34": -1, "1.204,5": -1, "12%": -1, "€ 5": -1, "": -1, "-": -1, "2024-05-01": -1, "1e5": -1, "(-3)": -1, "Q1": -1, "7 8": -1, "1,204 5": -1, "- -5": -1, "5.": -1} {
		n, ok := numberOf(text)
		if want == -1 {
			assert.False(t, ok, text)
			continue
		}
		assert.True(t, ok, text)
		assert.InDelta(t, want, n, 0, text)
	}
	entries := []entry{{text: "2024"}, {column: 1, text: "2025"}, {row: 1, text: "7"}, {row: 1, column: 1, text: "8"}, {row: 1, column: 2, text: "n/a"}}
	asNumbers(entries, 1, 1)
	for i, number := range []bool{false, false, false, true, false} {
		assert.Equal(t, number, entries[i].number != nil, i)
	}
}

func TestSylk(t *testing.T) {
	number := 1204.5
	list := []entry{{row: 2, column: 1, text: `a "b"; c`}, {row: 2, column: 3, number: &number}, {row: 3, column: 1, text: "one\ntwo"}}
	assert.Equal(t, "ID;PSCALC3\r\nC;X1;Y1;K\"a \"\"b\"\"; c\"\r\nC;X3;Y1;K1204.5\r\nC;X1;Y2;K\"one\x1b :two\"\r\nE\r\n", string(sylk(list, 2, 1)))
}
