package table_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

const job = "Extract the sales table from the Word document and create a bar chart in Excel"

// two returns a table that can be drawn, with n numbers.
func two(number, n int, heading, caption, header string) table.Source {
	s := table.Source{Number: number, Heading: heading, Caption: caption, Rows: [][]string{{"Name", header}}}
	for i := range n {
		s.Rows = append(s.Rows, []string{fmt.Sprint("row ", i), fmt.Sprint(i * 10)})
	}
	return s
}

func TestFindByWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		request string
		tables  []table.Source
		want    int
	}{
		{"by heading", job, []table.Source{two(1, 9, "Costs", "", "x"), two(2, 3, "Sales in 2024", "", "x")}, 2},
		{"by caption", job, []table.Source{two(1, 9, "", "Table 1: costs", "x"), two(2, 3, "", "Table 2: sales", "x")}, 2},
		{"by header", job, []table.Source{two(1, 9, "", "", "Costs"), two(2, 3, "", "", "Sales")}, 2},
		{"more words", "chart the sales by region", []table.Source{two(1, 9, "Sales", "", "x"), two(2, 3, "Sales", "by region", "x")}, 2},
		{"a word counts once", "sales by region", []table.Source{two(1, 9, "Sales sales", "sales", "Sales"), two(2, 3, "Sales", "region", "x")}, 2},
		{"words of the job do not count", job, []table.Source{two(1, 9, "", "Table 1: the costs in the document, from Excel", "Word"), two(2, 3, "Sales", "", "x")}, 2},
		{"one and many", "the region's sale", []table.Source{two(1, 9, "Costs", "", "x"), two(2, 3, "Sales of regions", "", "x")}, 2},
		{"then numbers", job, []table.Source{two(1, 3, "Sales", "", "x"), two(2, 9, "Sales", "", "x"), two(3, 5, "Sales", "", "x")}, 2},
		{"then the first", job, []table.Source{two(1, 3, "Sales", "", "x"), two(2, 3, "Sales", "", "x")}, 1},
		{"no word in common: numbers", job, []table.Source{two(1, 3, "A", "", "x"), two(2, 9, "B", "", "x")}, 2},
		{"by number of the table", "draw table 2", []table.Source{two(1, 9, "", "Table 1: a", "x"), two(2, 3, "", "Table 2: b", "x")}, 2},
		{"chinese", "提取销售表并生成条形图", []table.Source{two(1, 9, "成本", "", "x"), two(2, 3, "销售额", "", "x")}, 2},
		{"russian, another case of letters", "таблица ПРОДАЖИ", []table.Source{two(1, 9, "Расходы", "", "x"), two(2, 3, "Продажи", "", "x")}, 2},
		{"composed and decomposed", "les été", []table.Source{two(1, 9, "hiver", "", "x"), two(2, 3, "E\u0301te\u0301", "", "x")}, 2},
		{"not the one without numbers", job, []table.Source{{Number: 1, Heading: "Sales", Rows: [][]string{{"a", "b"}, {"c", "d"}}}, two(2, 3, "B", "", "x")}, 2},
		{"not the one without labels", job, []table.Source{{Number: 1, Heading: "Sales", Rows: [][]string{{"5", "7"}, {"3", "9"}}}, two(2, 3, "B", "", "x")}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := table.Find(tt.request, tt.tables)
			require.NoError(t, err)
			assert.Equal(t, tt.want, d.Table)
		})
	}
}

func TestFindByOuterHeadings(t *testing.T) {
	t.Parallel()
	a, b := two(1, 9, "Overview", "", "x"), two(2, 3, "Overview", "", "x")
	a.Sections, b.Sections = []string{"Report on sales", "Costs"}, []string{"Report on sales", "Sales of apples"}
	d, err := table.Find("sales of apples", []table.Source{a, b})
	require.NoError(t, err)
	assert.Equal(t, 2, d.Table)

	// The table's own heading says more than those around it.
	a.Heading = "Apples"
	d, err = table.Find("sales of apples", []table.Source{b, a})
	require.NoError(t, err)
	assert.Equal(t, 1, d.Table)
	assert.Equal(t, []string{"apple"}, d.Shared)
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	_, err := table.Find(job, nil)
	require.ErrorIs(t, err, table.ErrNoTables)

	_, err = table.Find(job, []table.Source{
		{Number: 1, Rows: [][]string{{"a", "b"}}},
		{Number: 2, Rows: [][]string{{"5", "7"}, {"3", "9"}}},
		{Number: 3, Rows: [][]string{{"Item", "Price"}, {"a", "$5"}, {"b", "€5"}}},
		{Number: 4}, {Number: 5}, {Number: 6},
	})
	var typed *table.NotFoundError
	require.ErrorAs(t, err, &typed)
	require.ErrorIs(t, err, table.ErrNoNumbers)
	require.ErrorIs(t, err, table.ErrNoLabels)
	require.ErrorIs(t, err, table.ErrMixed)
	assert.Len(t, typed.Tables, 6)
	assert.Equal(t, "table: no table has a label column and a numeric column: table 1: no numeric column; "+
		"table 2: no label column; table 3: its numbers are of different units; table 4: no numeric column; table 5: no numeric column; and 1 more", err.Error())
}

// FuzzFind takes any JSON as the tables. A result is whole and traces back to
// cells of its source.
func FuzzFind(f *testing.F) {
	text, err := json.Marshal([]table.Source{two(1, 2, "Sales", "Table 1", "2024"), {Number: 2, HeaderRows: 1,
		Rows:   [][]string{{"Region", "2023", ""}, {"", "H1", "H2"}, {"North", "1,5", "2"}, {"", "3", "-"}},
		Merges: []table.Merge{{Row: 0, Col: 0, Rows: 2, Cols: 1}, {Row: 0, Col: 1, Rows: 1, Cols: 2}, {Row: 2, Col: 0, Rows: 2, Cols: 1}}}})
	require.NoError(f, err)
	f.Add("sales", string(text))
	f.Add("", `[{"header_rows":-1,"rows":[["a"],[],["b","5","6"]],"merges":[{"row":-5,"col":-5,"rows":99,"cols":99}]}]`)
	f.Fuzz(func(t *testing.T, request, tables string) {
		var sources []table.Source
		if json.Unmarshal([]byte(tables), &sources) != nil {
			return
		}
		d, err := table.Find(request, sources)
		if err != nil {
			return
		}
		require.NotEmpty(t, d.Series)
		require.Len(t, d.Rows, len(d.Labels))
		require.Positive(t, d.Numbers())
		for _, s := range d.Series {
			require.Len(t, s.Values, len(d.Labels))
			require.NotEqual(t, d.LabelColumn, s.Column)
		}
		for _, row := range d.Grid() {
			require.Len(t, row, len(d.Series)+1)
			require.Len(t, d.Formats(), len(row))
		}
		_, err = json.Marshal(d)
		require.NoError(t, err)
	})
}
