package libreoffice

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCellNames(t *testing.T) {
	for name, want := range map[string][2]int{"A1": {0, 0}, "Z9": {8, 25}, "AA10": {9, 26}, "AZ1": {0, 51}, "BA1": {0, 52}, "ZZ1": {0, 701}, "AAA1": {0, 702}, "XFD1048576": {1048575, 16383}} {
		c, err := parseCell(name)
		require.NoError(t, err, name)
		assert.Equal(t, cell{want[0], want[1]}, c, name)
		assert.Equal(t, name, c.String())
	}
	for _, name := range []string{"", "1", "A", "A0", "a1", "A01", "ABCD1", "A12345678", "A1:B2"} {
		_, err := parseCell(name)
		assert.Error(t, err, name)
	}
}

func TestEntries(t *testing.T) {
	list := entriesOf([][]any{{"a", nil, 2.5}, {}, {"7", "8", "n/a"}}, cell{2, 1}, &cell{4, 2})
	var texts []string
	for _, e := range list {
		if e.number != nil {
			e.text = fmt.Sprint(*e.number, " as a number")
		}
		texts = append(texts, e.String()+": "+e.text)
	}
	assert.Equal(t, []string{"B3: a", "D3: 2.5 as a number", "B5: 7", "C5: 8 as a number", "D5: n/a"}, texts)
	assert.Nil(t, entriesOf([][]any{{"7"}}, cell{}, nil)[0].number)
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
}

func TestSylk(t *testing.T) {
	number := 1204.5
	list := []entry{{cell: cell{2, 1}, text: `a "b"; c`}, {cell: cell{2, 3}, number: &number}, {cell: cell{3, 1}, text: "one\ntwo"}}
	assert.Equal(t, "ID;PSCALC3\r\nC;X1;Y1;K\"a \"\"b\"\"; c\"\r\nC;X3;Y1;K1204.5\r\nC;X1;Y2;K\"one\x1b :two\"\r\nE\r\n", string(sylk(list, cell{2, 1})))
}
