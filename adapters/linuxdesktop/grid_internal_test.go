package linuxdesktop

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// namedRow makes a row of cells: the name and the text of each.
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

// Of a table that runs from right to left the program gives the first cell of a row in each of its columns. The places of its
// cells say in which they are.
func TestMirrored(t *testing.T) {
	at := func(name string, from, to int) cell {
		return cell{ref: ref("1." + name), name: name, text: name, bounds: image.Rect(from, 0, to, 10)}
	}
	list := []cell{
		at("A1", 551, 684), at("B1", 284, 551), at("B2", 418, 551), at("C2", 284, 418), at("A3", 551, 684), at("B3", 418, 551), at("C3", 284, 417),
	}
	g, ok := mirrored(list, 3, 3)
	require.True(t, ok)
	assert.Equal(t, [][]string{{"A1", "B1", ""}, {"", "B2", "C2"}, {"A3", "B3", "C3"}}, g.texts())
	assert.Equal(t, []merged{{1, 1, 2, 1}, {1, 2, 1, 2}}, g.merged())

	// The first cell of the second row is longer than the view. The one above it is not that cell.
	long := []cell{at("A1", 20, 30), at("B1", 10, 20), {name: "A2"}, at("B2", 10, 20), at("B3", 10, 20)}
	g, ok = mirrored(long, 3, 2)
	require.True(t, ok)
	assert.False(t, slices.ContainsFunc(g[0], cell.unseen))
	assert.True(t, allUnseen(g[1]))
	assert.True(t, g[2][0].unseen())

	_, ok = mirrored(list[:2], 1, 3)
	assert.False(t, ok, "nothing shows where the third column is")
	_, ok = mirrored([]cell{{text: "no name"}}, 1, 1)
	assert.False(t, ok)

	first := list[0]
	spread := grid{{first, first, first}, {list[4], list[4], list[4]}}
	assert.True(t, spread.spread(&node{rows: 2, columns: 3, count: 6}))
	assert.False(t, spread.spread(&node{rows: 2, columns: 3, count: 2}), "each row is one merged cell")
	assert.False(t, grid{{first, list[1], list[1]}}.spread(&node{rows: 1, columns: 3, count: 3}))
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
		for n := range strings.FieldsSeq(names) {
			list = append(list, cell{ref: ref("1." + n)})
		}
		return list
	}
	g := grid{at("1 2 2 2"), at("1 3 4 5"), at("6 7 8 8"), at("6 9 8 8")}
	assert.Equal(t, []merged{{1, 1, 2, 1}, {1, 2, 1, 3}, {3, 1, 2, 1}, {3, 3, 2, 2}}, g.merged())
	assert.Empty(t, grid{at("1 2"), at("3 4")}.merged())
}

// Below a cell of several rows that is too short there is nothing, and the program gives the cell beside that.
func TestFill(t *testing.T) {
	at := func(name string, from, to int) cell {
		return cell{ref: ref("1." + name), name: name, text: name, bounds: image.Rect(from, 0, to, 10)}
	}
	wide := at("B1", 100, 300)
	g := grid{
		{at("A1", 0, 100), wide, wide},
		{at("A2", 0, 100), at("B2", 100, 200), at("C2", 200, 300)},
		{at("B3", 101, 200), at("B3", 101, 200), at("C3", 200, 300)},
		{at("C4", 200, 300), at("C4", 200, 300), at("C4", 200, 300)},
	}
	whole := slices.Clone(g[:2])
	g.fill()
	assert.Equal(t, whole, g[:2])
	assert.Equal(t, [][]string{{"A1", "B1", ""}, {"A2", "B2", "C2"}, {"", "B3", "C3"}, {"", "", "C4"}}, g.texts())
	assert.Equal(t, []merged{{1, 2, 1, 2}, {2, 1, 3, 1}, {3, 2, 2, 1}}, g.merged())

	first := grid{{at("B1", 100, 200), at("B1", 100, 200)}, {at("A2", 0, 100), at("B2", 100, 200)}}
	first.fill()
	assert.Equal(t, [][]string{{"", "B1"}, {"A2", "B2"}}, first.texts(), "with nothing above")
}
