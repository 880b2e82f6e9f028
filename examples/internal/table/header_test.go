package table_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// rows splits a picture of a table: lines, cells with | between.
func rows(picture string) [][]string {
	var out [][]string
	for line := range strings.SplitSeq(strings.TrimSpace(picture), "\n") {
		var row []string
		for cell := range strings.SplitSeq(line, "|") {
			row = append(row, strings.TrimSpace(cell))
		}
		out = append(out, row)
	}
	return out
}

func TestReadShapes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		marked int
		rows   string
		merges []table.Merge
		want   string // the grid, as JSON
	}{
		{"words over numbers", 0, "Region|Sales|Costs\nNorth|10|4\nSouth|20|5", nil,
			`[["Region","Sales","Costs"],["North",10,4],["South",20,5]]`},
		{"years are a header", 0, "Region|2022|2023\nNorth|10|4\nSouth|20|5", nil,
			`[["Region","2022","2023"],["North",10,4],["South",20,5]]`},
		{"years over numbers that could be years", 0, "Region|2022|2023\nNorth|1950|1920\nSouth|2044|2050", nil,
			`[["Region","2022","2023"],["North",1950,1920],["South",2044,2050]]`},
		{"one year", 0, "Region|2023\nNorth|10\nSouth|1999", nil,
			`[["Region","2023"],["North",10],["South",1999]]`},
		{"one year, nothing in the corner", 0, "|2023\nNorth|1990\nSouth|1999", nil,
			`[["","2023"],["North",1990],["South",1999]]`},
		{"years and words", 0, "Region|2022|2023|Change\nNorth|10|4|-60%\nSouth|20|5|-75%", nil,
			`[["Region","2022","2023","Change"],["North",10,4,-0.60],["South",20,5,-0.75]]`},
		{"a table about years has no header", 0, "Founded|1998\nSold|2003", nil,
			`[["",""],["Founded",1998],["Sold",2003]]`},
		{"no header", 0, "North|10\nSouth|20", nil,
			`[["",""],["North",10],["South",20]]`},
		{"a marked header of numbers", 1, "Region|1|2\nNorth|10|4\nSouth|20|5", nil,
			`[["Region","1","2"],["North",10,4],["South",20,5]]`},
		{"everything is marked", 3, "Region|Sales\nNorth|10\nSouth|20", nil,
			`[["Region","Sales"],["North",10],["South",20]]`},
		{"two rows of header", 0, "Region|2023||2024|\n|H1|H2|H1|H2\nNorth|1|2|3|4\nSouth|5|6|7|8",
			[]table.Merge{{Row: 0, Col: 0, Rows: 2, Cols: 1}, {Row: 0, Col: 1, Rows: 1, Cols: 2}, {Row: 0, Col: 3, Rows: 1, Cols: 2}},
			`[["Region","2023 H1","2023 H2","2024 H1","2024 H2"],["North",1,2,3,4],["South",5,6,7,8]]`},
		{"words over years", 0, "Region|Sales|\n|2023|2024\nNorth|1|2\nSouth|5|6",
			[]table.Merge{{Row: 0, Col: 1, Rows: 1, Cols: 2}},
			`[["Region","Sales 2023","Sales 2024"],["North",1,2],["South",5,6]]`},
		{"only the first of two is marked", 1, "Region|Sales|\n|2023|2024\nNorth|1|2\nSouth|5|6",
			[]table.Merge{{Row: 0, Col: 0, Rows: 2, Cols: 1}, {Row: 0, Col: 1, Rows: 1, Cols: 2}},
			`[["Region","Sales 2023","Sales 2024"],["North",1,2],["South",5,6]]`},
		{"a title over all columns", 0, "Everything||\nRegion|2023|2024\nNorth|1|2\nSouth|5|6",
			[]table.Merge{{Row: 0, Col: 0, Rows: 1, Cols: 3}},
			`[["Region","2023","2024"],["North",1,2],["South",5,6]]`},
		{"a row without numbers is no header", 0, "Region|Sales|Costs\nNorth|none|see note\nSouth|20|5\nWest|7|8", nil,
			`[["Region","Sales","Costs"],["North",null,null],["South",20,5],["West",7,8]]`},
		{"a row without values is no header", 0, "Region|Sales\nNorth|\nSouth|20", nil,
			`[["Region","Sales"],["North",null],["South",20]]`},
		{"merged labels count for each row, merged numbers once", 0, "Region|Shop|Sales\nNorth|a|1\n|b|2\nSouth|c|3\n|d|",
			[]table.Merge{{Row: 1, Col: 0, Rows: 2, Cols: 1}, {Row: 3, Col: 0, Rows: 2, Cols: 1}, {Row: 3, Col: 2, Rows: 2, Cols: 1}},
			`[["Region","Sales"],["North",1],["North",2],["South",3],["South",null]]`},
		{"a merged label over a row without values", 0, "Region|Sales\nNorth|1\n|\nSouth|2",
			[]table.Merge{{Row: 1, Col: 0, Rows: 2, Cols: 1}},
			`[["Region","Sales"],["North",1],["North",null],["South",2]]`},
		{"rows that say nothing", 0, "Region|Sales\nEurope|\nNorth|1\n|\nRegion|Sales\nSouth|2",
			[]table.Merge{{Row: 1, Col: 0, Rows: 1, Cols: 2}},
			`[["Region","Sales"],["North",1],["South",2]]`},
		{"labels further right", 0, "No.|Region|Sales\n7|North|10\n3|South|20", nil,
			`[["Region","No.","Sales"],["North",7,10],["South",3,20]]`},
		{"two columns of words", 0, "Region|Head|Sales\nNorth|Ann|10\nSouth|Bob|20", nil,
			`[["Region","Sales"],["North",10],["South",20]]`},
		{"codes are labels", 0, "Code|Sales\n007|10\n008|20", nil,
			`[["Code","Sales"],["007",10],["008",20]]`},
		{"years are labels when there are no words", 0, "Year|Sales\n2020|10\n2021|20", nil,
			`[["Year","Sales"],["2020",10],["2021",20]]`},
		{"so are 1 2 3", 0, "Month|Sales\n1|10\n2|20\n3|15", nil,
			`[["Month","Sales"],["1",10],["2",20],["3",15]]`},
		{"labels that look like formulas", 0, "=Name|Sales\n=1+1|10\n@x|20\n-all-|3", nil,
			`[["=Name","Sales"],["=1+1",10],["@x",20],["-all-",3]]`},
		{"lines in cells", 0, "Region|Net\\nsales\nNorth\\nEast|10\nSouth|20", nil,
			`[["Region","Net sales"],["North East",10],["South",20]]`},
		{"a column of two currencies is left out", 0, "Region|Sales|Price\nNorth|10|$5\nSouth|20|€5", nil,
			`[["Region","Sales"],["North",10],["South",20]]`},
		{"rows of different length", 0, "Region|Sales|Costs\nNorth|10\nSouth|20|7", nil,
			`[["Region","Sales","Costs"],["North",10,null],["South",20,7]]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := table.Source{Number: 1, HeaderRows: tt.marked, Rows: rows(tt.rows), Merges: tt.merges}
			for _, row := range s.Rows {
				for i := range row {
					row[i] = strings.ReplaceAll(row[i], `\n`, "\n")
				}
			}
			d, err := table.Read(s)
			require.NoError(t, err)
			got, err := json.Marshal(d.Grid())
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(got))
		})
	}
}

func TestDataTracesBack(t *testing.T) {
	t.Parallel()
	d, err := table.Read(table.Source{Number: 4, Heading: "H", Caption: "Table 4:\nSales", Rows: rows("Title||\nNo.|Region|Sales\n7|North|1,204.5\n||\n3|South|20"),
		Merges: []table.Merge{{Row: 0, Col: 0, Rows: 1, Cols: 3}}})
	require.NoError(t, err)
	assert.Equal(t, &table.Data{
		Table: 4, Title: "Table 4: Sales", Label: "Region", LabelColumn: 1, Labels: []string{"North", "South"}, Rows: []int{2, 4},
		Series: []table.Series{
			{Name: "No.", Column: 0, Values: []table.Number{"7", "3"}},
			{Name: "Sales", Column: 2, Values: []table.Number{"1204.5", "20"}, Format: "#,##0.0"},
		},
		Drawn: []int{0, 1},
	}, d)
	assert.Equal(t, []string{"", "", "#,##0.0"}, d.Formats())
	assert.Equal(t, 4, d.Numbers())
}

func TestLongTable(t *testing.T) {
	t.Parallel()
	s := table.Source{Number: 1, Rows: [][]string{{"Name", "2023", "2024"}}}
	for i := range 2000 {
		s.Rows = append(s.Rows, []string{fmt.Sprint("row ", i), fmt.Sprint(i%999+1, ".204,5"), fmt.Sprint(i)})
	}
	d, err := table.Read(s)
	require.NoError(t, err)
	assert.Equal(t, table.Number("999204.5"), d.Series[0].Values[998])
	assert.Equal(t, 4000, d.Numbers())
}

func TestReadUnfit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rows string
		want error
	}{
		"words only":           {"a|b\nc|d", table.ErrNoNumbers},
		"numbers only":         {"5|7\n3|9", table.ErrNoLabels},
		"one column of years":  {"Year\n2020\n2021", table.ErrNoLabels},
		"different currencies": {"Item|Price\na|$5\nb|€5", table.ErrMixed},
		"a layout":             {"some text", table.ErrNoNumbers},
	} {
		_, err := table.Read(table.Source{Number: 7, Rows: rows(tt.rows)})
		require.ErrorIs(t, err, tt.want, name)
		var typed *table.UnfitError
		require.ErrorAs(t, err, &typed, name)
		assert.Equal(t, 7, typed.Table, name)
	}
}
