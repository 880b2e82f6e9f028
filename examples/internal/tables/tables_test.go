package tables_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// read reads tables that no name stands above.
func read(sources ...tables.Source) []*tables.Table {
	var blocks []tables.Block
	for _, s := range sources {
		blocks = append(blocks, tables.Block{Table: &s})
	}
	return tables.Read(blocks)
}

// rows makes rows of lines whose cells stand between bars.
func rows(lines ...string) (list [][]string) {
	for _, line := range lines {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		list = append(list, cells)
	}
	return list
}

func values(t *testing.T, table *tables.Table) string {
	t.Helper()
	e, err := table.Extract()
	require.NoError(t, err)
	raw, err := json.Marshal(e.Rows)
	require.NoError(t, err)
	return string(raw)
}

// A cell is a number as a person reads it, or nothing, or the column is refused.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1204": "1204", "1,204.50": "1204.5", "1.204,50": "1204.5", "1 204,5": "1204.5", "1’204.50": "1204.5", "12,34,567.8": "1234567.8",
		"-7": "-7", "−7": "-7", "(7)": "-7", "-0": "0", "$7": "7", "-$7": "-7", "$-7": "-7", "7 €": "7", "EUR 7": "7", "R$7": "7", "7 kr": "7",
		"12.5 %": "0.125", "-4%": "-0.04", "0.1": "0.1", "٣٬٢٠٤٫٥": "3204.5", "१२": "12", "999999999999999": "999999999999999",
		"": "null", "-": "null", "n/a": "null", "…": "null",
		"1204¹": "FAIL", "10³": "FAIL", "~5": "FAIL", "1.5 kg": "FAIL", "1.2 M": "FAIL", "007": "text", "1,20,4": "FAIL", "1.2.3": "FAIL",
		"9999999999999999": "FAIL", "5\n7": "FAIL", "5 7": "FAIL", "\u202E021": "FAIL", "--7": "FAIL", "7-": "FAIL", "$7 %": "FAIL",
		"120 " + tables.Unknown + " (a picture)": "FAIL", "good": "FAIL", "2024-05-01": "FAIL",
	} {
		table := read(tables.Source{Rows: [][]string{{"Region", "Amount"}, {"North", cell}, {"South", "0"}}})[0]
		switch want {
		case "FAIL", "text":
			assert.NotEmpty(t, table.Unfit, "%q", cell)
		default:
			assert.Equal(t, fmt.Sprintf(`[["Region","Amount"],["North",%s],["South",0]]`, want), values(t, table), "%q", cell)
		}
	}
}

// 1.200 is 1200 or 1.2: the column decides, then the document, then its language.
func TestDecimalSign(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cells, language, other, text string
		want                         string // of the first cell
	}{
		{"1.200|850", "", "", "", "FAIL"},
		{"1,200|850", "", "", "", "FAIL"},
		{"1,200|850", "en-US", "", "", "1200"},
		{"1.200|850", "en-US", "", "", "FAIL"}, // many programs write English into every document
		{"1.200|850", "de-DE", "", "", "1200"},
		{"1.200|850", "de-DE en-US", "", "", "FAIL"},
		{"1.200|850", "xx-nonsense", "", "", "FAIL"},
		{"1.200|3,5", "", "", "", "1200"},
		{"1.200|3.5", "", "", "", "1.2"},
		{"1.200|1.234.567", "", "", "", "1200"},
		{"1,234.5|1.234,5", "", "", "", "FAIL"},
		{"1.200|1,200", "", "", "", "FAIL"},
		{"1.200|850", "", "1.234,50", "", "1200"},
		{"1.200|850", "", "$3.50", "", "1.2"},
		{"1.200|850", "", "3.5", "", "FAIL"}, // a chapter
		{"1.200|850", "de-DE", "$1,234.50", "", "FAIL"},
		{"1.200|850", "", "", "It rose to 1.234,50 € in 2024.", "1200"},
	} {
		first, second, _ := strings.Cut(tt.cells, "|")
		table := tables.Read([]tables.Block{
			{Table: &tables.Source{
				Languages: strings.Fields(tt.language), Rows: [][]string{{"Region", "Amount"}, {"North", first}, {"South", second}},
			}},
			{Table: &tables.Source{Rows: [][]string{{"Item", "Cost"}, {"Rent", tt.other}}}},
			{Text: tt.text},
		})[0]
		if tt.want == "FAIL" {
			assert.NotEmpty(t, table.Unfit, tt)
			continue
		}
		assert.Contains(t, values(t, table), `["North",`+tt.want+"]", tt)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	over := []tables.Merge{{Row: 0, Col: 0, Rows: 2, Cols: 1}, {Row: 0, Col: 1, Rows: 1, Cols: 2}}
	for _, tt := range []struct {
		name   string
		source tables.Source
		want   string // the rows, or a part of why there are none
	}{
		{"plain", tables.Source{Rows: rows("Region|2023|2024", "North|5|7")}, `[["Region","2023","2024"],["North",5,7]]`},
		{"two rows of header", tables.Source{Rows: rows("Kind|Half|", "|Q1|Q2", "Rent|5|7"), Merges: over}, `[["Kind","Half Q1","Half Q2"],["Rent",5,7]]`},
		{"marked header", tables.Source{HeaderRows: 2, Rows: rows("Region|Sales", "|in euro", "North|5")}, `[["Region","Sales in euro"],["North",5]]`},
		{"a title over it", tables.Source{Rows: rows("Sales|", "Region|2024", "North|5"), Merges: []tables.Merge{{Rows: 1, Cols: 2}}}, `[["Region","2024"],["North",5]]`},
		{"blank, repeated and total rows", tables.Source{Rows: rows("Region|A", "North|5", "|", "Region|A", "South|6", "Grand total|11")}, `[["Region","A"],["North",5],["South",6]]`},
		{"a column of totals", tables.Source{Rows: rows("Region|A|B|Total", "North|5|6|11")}, `[["Region","A","B"],["North",5,6]]`},
		{"years as labels", tables.Source{Rows: rows("Year|Growth", "2024|3 %", "2025|4 %")}, `[["Year","Growth"],["2024",0.03],["2025",0.04]]`},
		{"a merged label", tables.Source{Rows: rows("Region|A", "North|5", "|6"), Merges: []tables.Merge{{Row: 1, Rows: 2, Cols: 1}}}, `[["Region","A"],["North",5],["North",6]]`},
		{"a column of words", tables.Source{Rows: rows("Region|Head|A", "North|Ada|5")}, `[["Region","A"],["North",5]]`},
		{"short rows", tables.Source{Rows: rows("Region|A|B", "North|5", "South|6|7")}, `[["Region","A","B"],["North",5,null],["South",6,7]]`},
		{"a merged number", tables.Source{Rows: rows("Region|A", "North|5", "South|"), Merges: []tables.Merge{{Row: 1, Col: 1, Rows: 2, Cols: 1}}}, "several rows"},
		{"units", tables.Source{Rows: rows("Region|A", "North|$5", "South|6 %")}, "different units"},
		{"no header", tables.Source{Rows: rows("North|5", "South|6")}, "row of numbers"},
		{"perhaps no header", tables.Source{Rows: rows("North|2001", "South|1999")}, "row of numbers"},
		{"no numbers", tables.Source{Rows: rows("Region|Sales", "North|good")}, "no column has only numbers"},
		{"no labels", tables.Source{Rows: rows("7|5", "3|9")}, "no column labels"},
		{"unknown label", tables.Source{Rows: rows("Region|A", "North "+tables.Unknown+" (ink)|5")}, "more than I can read"},
		{"nothing", tables.Source{}, "no column labels"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := read(tt.source)[0]
			if strings.HasPrefix(tt.want, "[") {
				assert.JSONEq(t, tt.want, values(t, table), table.Columns)
				return
			}
			assert.Contains(t, table.Unfit, tt.want)
			_, err := table.Extract()
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

// A chart has one axis: the columns of the first one's unit. The sheet has the others, too.
func TestExtract(t *testing.T) {
	t.Parallel()
	table := tables.Read([]tables.Block{
		{Text: "Report", Level: 1}, {Text: "2024", Level: 2}, {Text: "Table 1:  Sales"},
		{Table: &tables.Source{Rows: rows("Region|Head|A|Growth|B", "North|Ada|1,200.50 €|3 %|7", "South|Bob|2,000.00 €|4.5 %|8")}},
	})[0]
	described, err := json.Marshal(table)
	require.NoError(t, err)
	assert.JSONEq(t, `{"number": 1, "title": "Table 1: Sales", "under": ["2024", "Report"], "rows": 2, "columns": [
		{"name": "Head", "why": "it has words"}, {"name": "A", "unit": "€"}, {"name": "Growth", "unit": "%"}, {"name": "B"}]}`, string(described))
	e, err := table.Extract()
	require.NoError(t, err)
	assert.Equal(t, "A1:D3", e.Range)
	assert.Equal(t, []string{"B"}, e.Columns)
}

// Captions stand all above their tables or all below them. Else one between two tables belongs to neither.
func TestCaptions(t *testing.T) {
	t.Parallel()
	for order, want := range map[string]string{"c1 t c2 t": "1 2", "t c1 t c2": "1 2", "t c1 t": " ", "h c1 t t": "1 H", "p t": "P"} {
		var blocks []tables.Block
		for part := range strings.FieldsSeq(order) {
			blocks = append(blocks, map[string]tables.Block{
				"t": {Table: &tables.Source{}}, "h": {Text: "H", Level: 1}, "p": {Text: "P"},
				"c1": {Text: "1", Caption: true}, "c2": {Text: "Table 2: 2"},
			}[part])
		}
		var titles []string
		for _, table := range tables.Read(blocks) {
			titles = append(titles, strings.TrimPrefix(table.Title, "Table 2: "))
		}
		assert.Equal(t, want, strings.Join(titles, " "), order)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	one := func(title string, under ...string) *tables.Table { return &tables.Table{Title: title, Under: under} }
	weights := &tables.Table{Title: "Shipping weight", Unfit: `"1.5 kg" is not a number to me`}
	for _, tt := range []struct {
		name, request string
		list          []*tables.Table
		want          string // the title, or a part of the error
	}{
		{"named", "extract the rainfall table and create a bar chart in Excel", []*tables.Table{one("Visitors"), one("Table 2: Rainfall")}, "Table 2: Rainfall"},
		{"named by a heading", "draw the costs of Porto as bars", []*tables.Table{one("Costs", "Porto"), one("Costs", "Gdańsk")}, "Costs"},
		{"named, and not numeric", "chart of the shipping weight", []*tables.Table{one("Sales"), weights}, "1.5 kg"},
		{"does not exist", "extract the salaries table", []*tables.Table{one("Sales"), weights}, `"salary"]; the tables are "Sales", "Shipping weight"`},
		{"half of its name exists", "the salaries by region table", []*tables.Table{one("Sales by region")}, "none is called"},
		{"exists twice", "the sales table", []*tables.Table{one("Sales by region"), one("Sales by month")}, "more than one"},
		{"exactly that", "the sales table", []*tables.Table{one("Sales by product"), one("Table 2: Sales"), one("Sales by month")}, "Table 2: Sales"},
		{"by number", "a bar chart of table 3", []*tables.Table{one("Table 1: Sales"), one("Table 3: Sales")}, "Table 3: Sales"},
		{"two at once", "the sales and the costs", []*tables.Table{one("Sales"), one("Costs")}, "none is called"},
		{"none named, and one can be drawn", "extract the table", []*tables.Table{weights, one("Costs")}, "Costs"},
		{"none named, and two can be drawn", "extract the table", []*tables.Table{one("Sales"), one("Costs")}, "more than one"},
		{"a word for something else", "the top 5 sales", []*tables.Table{one("Sales")}, `"top" "5"`},
		{"the opposite", "do not draw the sales", []*tables.Table{one("Sales")}, `"do" "not"`},
		{"another script", "Extract the table 売上高 from Word", []*tables.Table{one("表 1: 売上高"), one("費用")}, "表 1: 売上高"},
		{"no table", "the sales", nil, "no table"},
	} {
		chosen, err := tables.Choose(tt.request, tt.list)
		if err != nil {
			assert.Contains(t, err.Error(), tt.want, tt.name)
			continue
		}
		assert.Equal(t, tt.want, chosen.Title, tt.name)
	}
}
