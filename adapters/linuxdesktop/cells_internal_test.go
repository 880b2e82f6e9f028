package linuxdesktop

import (
	"encoding/json"
	"image"
	"slices"
	"strings"
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

// named makes a row of cells: the name and the text of each.
func namedRow(namesAndTexts ...string) (list []cell) {
	for i := 0; i < len(namesAndTexts); i += 2 {
		name, text := namesAndTexts[i], namesAndTexts[i+1]
		list = append(list, cell{ref: ref("1." + name + "." + text), name: name, text: text})
	}
	return list
}

// The next part of a table repeats its header, or does not. A row that says what another one says is kept, one
// that goes on is one row, and so is a label that goes on beside other rows.
func TestPartsOfATable(t *testing.T) {
	head := grid{namedRow("A1", "a", "B1", "b"), namedRow("A2", "c", "B2", "d")}
	for name, c := range map[string]struct {
		first, next grid
		want        [][]string
		merged      []merged
	}{
		"header again": {
			append(slices.Clone(head), namedRow("A3", "1", "B3", "2")),
			append(slices.Clone(head), namedRow("A4", "1", "B4", "2")),
			[][]string{{"a", "b"}, {"c", "d"}, {"1", "2"}, {"1", "2"}}, nil,
		},
		"no header": {head, grid{namedRow("A3", "c", "B3", "d")}, [][]string{{"a", "b"}, {"c", "d"}, {"c", "d"}}, nil},
		"a row goes on": {
			grid{namedRow("A1", "a", "B1", "b"), namedRow("A2", "two", "B2", "3")},
			grid{namedRow("A1", "a", "B1", "b"), namedRow("A2", "lines", "B2", "")},
			[][]string{{"a", "b"}, {"two lines", "3"}}, nil,
		},
		"a label goes on": {
			grid{namedRow("A1", "a", "B1", "1")}, grid{namedRow("A1", "", "B2", "2"), namedRow("A3", "c", "B3", "3")},
			[][]string{{"a", "1"}, {"", "2"}, {"c", "3"}}, []merged{{1, 1, 2, 1}},
		},
		"a row goes on beside its label": {
			grid{namedRow("A1", "a", "B1", "1"), {{ref: ref("1.A1.a"), name: "A1", text: "a"}, {ref: ref("1.B2"), name: "B2", text: "2.5"}}},
			grid{namedRow("A2", "", "B2", "€"), namedRow("A3", "c", "B3", "3")},
			[][]string{{"a", "1"}, {"", "2.5 €"}, {"c", "3"}}, []merged{{1, 1, 2, 1}},
		},
		"the same part twice": {head, slices.Clone(head), [][]string{{"a", "b"}, {"c", "d"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := grid(nil).with(c.first).with(c.next)
			assert.Equal(t, c.want, g.texts())
			assert.Equal(t, c.merged, g.merged())
		})
	}
	assert.False(t, head.goOn())
	assert.False(t, grid{namedRow("A1", "", "B1", ""), namedRow("A1", "", "B2", "")}.goOn())
	assert.True(t, grid{namedRow("A1", "", "B1", ""), namedRow("A40", "", "B40", "")}.goOn())
	assert.True(t, grid{namedRow("A17", "", "B18", "")}.goOn())
}

// Of a row that begins at the height of the rest of the one above, of no height, the program gives only the label.
func TestUncover(t *testing.T) {
	at := func(x, y int) image.Rectangle { return image.Rect(x, y, x+10, y+5) }
	row := []cell{{ref: ref("1.1"), bounds: at(0, 50)}, {ref: ref("1.2")}, {ref: ref("1.3")}}
	below := []cell{{bounds: at(0, 55)}, {bounds: at(10, 55)}, {bounds: at(20, 55)}}
	others := []cell{{text: "x", bounds: at(10, 90)}, {ref: ref("1.4"), text: "b", bounds: at(10, 50)}, {ref: ref("1.5"), text: "c", bounds: at(20, 50)}, {text: "gone"}}
	uncover(row, others, grid{row, below})
	assert.Equal(t, []string{"", "b", "c"}, texts(row, nil))

	unseen := []cell{{ref: ref("1.1")}, {ref: ref("1.2")}}
	uncover(unseen, others, grid{unseen, below})
	assert.True(t, allUnseen(unseen))
}

func TestTogether(t *testing.T) {
	for _, c := range [][3]string{
		{"two", "lines", "two lines"}, {"−1 142 478,", "55", "−1 142 478,55"}, {"12", "5", "125"}, {"($1,129,329", ".88)", "($1,129,329.88)"}, {"(5", ")", "(5)"}, {"North-", "East", "North-East"},
		{"東部と", "西部", "東部と西部"}, {"", "rest", "rest"}, {"all", "", "all"}, {"Table 2,", "below", "Table 2, below"},
	} {
		assert.Equal(t, c[2], together(c[0], c[1]))
	}
}

func TestMergedCells(t *testing.T) {
	at := func(names string) (list []cell) {
		for _, n := range strings.Fields(names) {
			list = append(list, cell{ref: ref("1." + n)})
		}
		return list
	}
	g := grid{at("1 2 2 2"), at("1 3 4 5"), at("6 7 8 8"), at("6 9 8 8")}
	assert.Equal(t, []merged{{1, 1, 2, 1}, {1, 2, 1, 3}, {3, 1, 2, 1}, {3, 3, 2, 2}}, g.merged())
	assert.Empty(t, grid{at("1 2"), at("3 4")}.merged())
}
