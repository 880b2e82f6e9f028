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
		{"the exact name before longer ones", job, []table.Source{two(1, 9, "Sales by month", "", "x"), two(2, 3, "Sales", "", "x"), two(3, 9, "Sales tax", "", "x")}, 2},
		{"the caption before the heading", job, []table.Source{two(1, 9, "Sales", "Table 1: costs", "x"), two(2, 3, "Sales", "Table 2: sales", "x")}, 2},
		{"the title before the header", job, []table.Source{two(1, 9, "", "", "Sales"), two(2, 3, "Sales by region", "", "x")}, 2},
		{"a column, where nothing speaks of a table", "chart the sales", []table.Source{two(1, 9, "Costs", "", "x"), two(2, 3, "A year", "", "Sales")}, 2},
		{"the one that can be drawn, if none is named", "chart the table", []table.Source{{Number: 1, Heading: "Sales", Rows: [][]string{{"a", "b"}, {"c", "d"}}}, two(2, 3, "B", "", "x")}, 2},
		{"by place, if no caption has a number", "draw table 2", []table.Source{two(1, 9, "A", "", "x"), two(2, 3, "B", "", "x")}, 2},
		{"by number, whatever the place", "draw table no. 1", []table.Source{two(1, 9, "A", "", "x"), two(2, 3, "", "Table 1: b", "x")}, 2},
		{"by number, in any language", "draw table 2", []table.Source{two(1, 9, "", "Tabelle 1: a", "x"), two(2, 3, "", "Tabelle 2: b", "x")}, 2},
		{"by number and name", "chart of the sales of table 2", []table.Source{two(1, 9, "", "Table 1: sales", "x"), two(2, 3, "", "Table 2: sales", "x")}, 2},
		{"by number of the table", "draw table 2", []table.Source{two(1, 9, "", "Table 1: a", "x"), two(2, 3, "", "Table 2: b", "x")}, 2},
		{"chinese", "chart of 销售", []table.Source{two(1, 9, "成本", "", "x"), two(2, 3, "销售额", "", "x")}, 2},
		{"russian, another case of letters", "table ПРОДАЖИ", []table.Source{two(1, 9, "Расходы", "", "x"), two(2, 3, "Продажи", "", "x")}, 2},
		{"composed and decomposed", "chart of été", []table.Source{two(1, 9, "hiver", "", "x"), two(2, 3, "E\u0301te\u0301", "", "x")}, 2},
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
	d, err := table.Find("overview of the sales of apples", []table.Source{a, b})
	require.NoError(t, err)
	assert.Equal(t, 2, d.Table)
	assert.Equal(t, []string{"apple", "overview", "sale"}, d.Shared)

	// A chapter may have any table: alone it names none.
	_, err = table.Find("sales of apples", []table.Source{a, b})
	require.ErrorIs(t, err, table.ErrNoSuch)
	assert.Contains(t, err.Error(), `"Overview" below "Costs", "Overview" below "Sales of apples"`)
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	_, err := table.Find(job, nil)
	require.ErrorIs(t, err, table.ErrNoTables)

	_, err = table.Find("a bar chart of the table", []table.Source{
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

// What is not clear is no table: the one that comes next would be another one. The
// classes are those of the tests of the quickstart; here are more members of each.
func TestFindNone(t *testing.T) {
	t.Parallel()
	words := table.Source{Number: 1, Heading: "Sales", Rows: [][]string{{"a", "b"}, {"c", "d"}}}
	numbers := table.Source{Number: 1, Heading: "Sales", Rows: [][]string{{"5", "7"}, {"3", "9"}}}
	mixed := table.Source{Number: 1, Heading: "Sales", Rows: [][]string{{"Item", "Price"}, {"a", "$5"}, {"b", "€5"}}}
	costs, visitors := two(2, 9, "Costs", "", "x"), two(3, 9, "", "Table 2: visitors", "x")
	tests := []struct {
		name    string
		request string
		tables  []table.Source
		want    error
		says    string
	}{
		{"it has words only", job, []table.Source{words, costs}, table.ErrNoNumbers, `"Sales"`},
		{"it has numbers only", job, []table.Source{numbers, costs}, table.ErrNoLabels, `"Sales"`},
		{"it has two currencies", job, []table.Source{mixed, costs}, table.ErrMixed, `"Sales"`},
		{"the number is of one that has words only", "draw table 1", []table.Source{words, costs}, table.ErrNoNumbers, `"Sales"`},
		{"none is called so", job, []table.Source{costs, visitors}, table.ErrNoSuch, `"sales"; the tables are "Costs", "Table 2: visitors"`},
		{"one that is not there, of two", "chart of costs and sales", []table.Source{costs, visitors}, table.ErrNoSuch, `"sales"`},
		{"a word more", "chart of costs per employee", []table.Source{costs, visitors}, table.ErrNoSuch, `"employee"`},
		{"an ordinal number", "chart of the second table", []table.Source{costs, visitors}, table.ErrNoSuch, `"second"`},
		{"an order", "chart of the costs, sorted", []table.Source{costs, visitors}, table.ErrNoSuch, `"sorted"`},
		{"another number", "draw table 1", []table.Source{costs, visitors}, table.ErrNoSuch, "table 1"},
		{"number and name of two", "draw table 2, the costs", []table.Source{costs, visitors}, table.ErrNoSuch, "table 2"},
		{"called new", "chart of the new costs", []table.Source{costs, visitors}, table.ErrNoSuch, `"new"`},
		{"called US", "chart of US costs", []table.Source{costs, visitors}, table.ErrNoSuch, `"US"`},
		{"called a report", "the costs report table", []table.Source{costs, visitors}, table.ErrNoSuch, `"report"`},
		{"two called so", job, []table.Source{two(1, 3, "Sales", "", "x"), two(2, 9, "Sales", "", "x"), costs}, table.ErrSeveral, "2 tables"},
		{"two called so and more", job, []table.Source{two(1, 3, "Sales 2023", "", "x"), two(2, 9, "Sales 2024", "", "x")}, table.ErrSeveral, `"Sales 2023", "Sales 2024"`},
		{"the whole title of one, in the title of one", "sales by region", []table.Source{
			{Number: 1, Heading: "Sales", Rows: [][]string{{"Region", "2024"}, {"a", "5"}}}, two(2, 9, "Sales plan by region", "", "x"),
		}, table.ErrSeveral, `"Sales", "Sales plan by region"`},
		{"two with the column", "chart of the sales", []table.Source{two(1, 3, "A", "", "Sales"), two(2, 9, "B", "", "Sales")}, table.ErrSeveral, "2 tables"},
		{"none named", "chart of the table", []table.Source{costs, visitors}, table.ErrNotNamed, `"Costs", "Table 2: visitors"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := table.Find(tt.request, tt.tables)
			require.ErrorIs(t, err, tt.want, "%+v", d)
			assert.Contains(t, err.Error(), tt.says)
		})
	}
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
