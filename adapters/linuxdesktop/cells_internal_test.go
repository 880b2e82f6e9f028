package linuxdesktop

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
)

func TestCellNames(t *testing.T) {
	for name, want := range map[string][2]int{"A1": {0, 0}, "Z9": {8, 25}, "AA10": {9, 26}, "AZ1": {0, 51}, "BA1": {0, 52}, "ZZ1": {0, 701}, "AAA1": {0, 702}, "XFD1048576": {1048575, 16383}} {
		row, column, err := parseCell(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, [2]int{row, column}, name)
		assert.Equal(t, name, cellName(row, column))
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

// Texts are typed in as few stretches as there can be: the header in a row, the labels in a column.
func TestRuns(t *testing.T) {
	at := func(list []entry) (names []string) {
		for _, e := range list {
			names = append(names, e.cell())
		}
		return names
	}
	texts := []entry{{row: 0, column: 0}, {row: 0, column: 1}, {row: 0, column: 2}, {row: 1, column: 0}, {row: 2, column: 0}, {row: 3, column: 0}, {row: 3, column: 2}}
	got := runs(texts)
	require.Len(t, got, 3)
	assert.Equal(t, []string{"A1", "A2", "A3", "A4"}, at(got[0].entries))
	assert.Equal(t, "{ENTER}", got[0].next[0].String())
	assert.Equal(t, []string{"B1", "C1"}, at(got[1].entries))
	assert.Equal(t, "{TAB}", got[1].next[0].String())
	assert.Equal(t, []string{"C4"}, at(got[2].entries))
	assert.Empty(t, runs(nil))
}

func TestKept(t *testing.T) {
	for text, want := range map[string][2]string{
		"2024": {"'2024", "2024"}, "3/4": {"'3/4", "3/4"}, "North": {"North", "'North"}, "Q1 2024": {"Q1 2024", "'Q1 2024"}, "世界": {"世界", "'世界"}, "-": {"'-", "-"},
	} {
		assert.Equal(t, want, [2]string{kept(text, true), kept(text, false)})
	}
}

// A cell that was merged from several has its text once.
func TestTextsOfMergedCells(t *testing.T) {
	r := func(n string) atspi.Ref { return ref("1." + n) }
	header := []cell{{ref: r("1"), text: "Sales"}, {ref: r("1"), text: "Sales"}, {ref: r("2"), text: "Total"}}
	below := []cell{{ref: r("3"), text: "North"}, {ref: r("4"), text: "South"}, {ref: r("2"), text: "Total"}}
	assert.Equal(t, []string{"Sales", "", "Total"}, texts(header, nil))
	assert.Equal(t, []string{"North", "South", ""}, texts(below, header))
}
