package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// named is a document, a request, and either what the chart shows or why the run fails.
type named struct {
	name    string
	doc     *docxtest.Document
	request string

	title  string   // of the chart; "": FAIL
	series []string // of the chart; nil: not looked at
	says   []string // in the answer, or in the reason
}

// part is a table below a heading or a caption.
type part struct {
	heading string
	caption string
	rows    [][]string
}

func report(parts ...part) *docxtest.Document {
	d := docxtest.New()
	for _, p := range parts {
		if p.heading != "" {
			d.Heading(1, p.heading)
		}
		if p.caption != "" {
			d.Caption("Table", p.caption)
		}
		if p.rows != nil {
			d.Table(docxtest.Table{Rows: docxtest.Texts(p.rows...)})
		}
		d.Paragraph("…")
	}
	return d
}

// big is the most numeric table of its document.
func big(caption string, columns ...string) part {
	p := part{caption: caption, rows: [][]string{append([]string{"Name"}, columns...)}}
	for i := range 40 {
		row := []string{fmt.Sprint("row ", i)}
		for c := range columns {
			row = append(row, fmt.Sprint(1000+10*i+c))
		}
		p.rows = append(p.rows, row)
	}
	return p
}

var (
	weights = part{caption: "Shipping weight", rows: [][]string{{"Item", "Weight"}, {"Lamp", "1.5 kg"}, {"Bulb", "850 g"}}}
	revenue = part{caption: "Sales", rows: [][]string{
		{"Region", "Q1 revenue", "Q2 revenue", "Growth"},
		{"North", "$120.00", "$130.00", "8.3 %"}, {"South", "$80.00", "$60.00", "-25 %"}, {"Total", "$200.00", "$190.00", "-5 %"},
	}}
)

func small(caption string) part {
	return part{caption: caption, rows: [][]string{{"Region", "2024"}, {"North", "12"}, {"South", "7"}}}
}

// The table that the request names is drawn, or none: a table that comes next to
// it is another table.
var namedTables = []named{
	{
		"named, and another has more numbers", report(big("Visitors", "2023", "2024"), small("Rainfall")),
		"extract the rainfall table and create a bar chart in Excel", "Table 2: Rainfall", nil, nil,
	},
	{
		"named, and not numeric", report(big("Sales", "2023"), weights),
		"extract the shipping weight table and create a bar chart in Excel", "", nil, []string{`"Table 2: Shipping weight"`, `"1.5 kg" is not a number to me`},
	},
	{
		"does not exist", report(big("Sales", "2023"), weights),
		"extract the salaries table and create a bar chart in Excel", "", nil, []string{`"salaries"`, `"Table 1: Sales"`, `"Table 2: Shipping weight"`},
	},
	{
		"does not exist, and half of its name does", report(big("Sales by region", "2023"), small("Visitors by region")),
		"extract the salaries by region table and create a bar chart", "", nil, []string{`"salaries"`, `"Table 1: Sales by region"`},
	},
	{
		"does not exist, and a column is called so", report(part{caption: "Costs", rows: [][]string{{"Month", "Sales", "Rent"}, {"May", "7", "5"}, {"June", "9", "5"}}}),
		"extract the sales table and create a bar chart", "", nil, []string{`"sales"`, `"Table 1: Costs"`},
	},
	{
		"does not exist, and a chapter is called so", report(part{heading: "Sales"}, part{heading: "Costs", rows: small("").rows}),
		"extract the sales table and create a bar chart", "", nil, []string{`"sales"`, `"Costs"`},
	},
	{
		"exists twice", report(small("Sales by region"), big("Visitors", "2023"), small("Sales by region")),
		"extract the sales table and create a bar chart", "", nil, []string{"2 tables", `"Table 1: Sales by region"`, `"Table 3: Sales by region"`},
	},
	{
		"exists twice below one heading", report(part{heading: "Sales", rows: small("").rows}, part{heading: "Sales", rows: small("").rows}),
		"extract the sales table and create a bar chart", "", nil, []string{"FAIL: the request fits 2 tables", `"Sales" (table 1)`, `"Sales" (table 2)`, "or its number"},
	},
	{
		"exists twice, once without numbers", report(small("Sales"), part{caption: "Sales", rows: [][]string{{"Region", "Head"}, {"North", "Ada"}}}),
		"extract the sales table and create a bar chart", "", nil, []string{"2 tables"},
	},
	{
		"exists twice, told apart by number", report(small("Sales by region"), big("Visitors", "2023"), small("Sales by region")),
		"draw a bar chart of table 3", "Table 3: Sales by region", nil, nil,
	},
	{
		"the exact name of one is in the names of others", report(big("Sales by product", "2023"), small("Sales"), big("Sales by month", "2023")),
		"extract the sales table and create a bar chart", "Table 2: Sales", nil, nil,
	},
	{
		"a number that no table has", report(small("Sales"), small("Costs")),
		"draw a bar chart of table 9", "", nil, []string{"table 9", `"Table 1: Sales"`},
	},
	{
		"two tables at once", report(small("Sales"), small("Costs")),
		"a bar chart of the sales and the costs", "", nil, []string{`"sales"`, `"costs"`},
	},
	{
		"none named, and two can be drawn", report(small("Sales"), small("Costs")),
		"extract the table and create a bar chart", "", nil, []string{"names no table", `"Table 1: Sales"`, `"Table 2: Costs"`},
	},
	{
		"none named, and one can be drawn", report(weights, small("Costs")),
		"extract the table and create a bar chart", "Table 2: Costs", nil, nil,
	},
	{
		"named by a word that most requests have", report(small("Sales")),
		"extract the documents table and create a bar chart", "", nil, []string{`"documents"`},
	},
	{
		"something besides the table", report(small("Sales")),
		"a bar chart of the top 5 sales", "", nil, []string{`"top"`, `"5"`},
	},
}

// The columns that the request names are drawn, or nothing.
var namedColumns = []named{
	{
		"one", report(revenue), "bar chart of Q2 revenue by region only",
		"Table 1: Sales", []string{"Q2 revenue"}, []string{`"Q1 revenue"`, `"Growth"`, `"Total"`},
	},
	{"one, without only", report(revenue), "draw a bar chart of the Q2 revenue", "Table 1: Sales", []string{"Q2 revenue"}, nil},
	{"one besides the table", report(revenue), "extract the sales table and draw a bar chart of growth only", "Table 1: Sales", []string{"Growth"}, nil},
	{"two", report(revenue), "bar chart of Q1 and Q2 revenue", "Table 1: Sales", []string{"Q1 revenue", "Q2 revenue"}, nil},
	{"all", report(revenue), "bar chart of the revenue by region", "Table 1: Sales", []string{"Q1 revenue", "Q2 revenue"}, nil},
	{"the table only", report(revenue), "bar chart of the sales table only", "Table 1: Sales", []string{"Q1 revenue", "Q2 revenue"}, []string{`"Growth", which is in %`}},
	{"one that is not there", report(revenue), "bar chart of Q3 revenue only", "", nil, []string{`"Q3"`}},
	{"a row", report(revenue), "bar chart of the revenue of the North only", "", nil, []string{`"North"`}},
	{"money and per cent", report(revenue), "bar chart of Q1 revenue and growth", "", nil, []string{"$", "%", "one axis"}},
	{
		"one that has no numbers", report(part{caption: "Parcels", rows: [][]string{{"Item", "Weight", "Price"}, {"Lamp", "1.5 kg", "7"}, {"Bulb", "850 g", "9"}}}),
		"bar chart of the weight of the parcels", "", nil, []string{`"Weight"`, `"1.5 kg" is not a number to me`},
	},
	{
		"only, and no column", report(part{caption: "Revenue and costs", rows: [][]string{{"Kind", "2023", "2024"}, {"Revenue", "7", "8"}, {"Costs", "5", "6"}}}),
		"bar chart of the revenue only", "", nil, []string{"only", `"2023"`},
	},
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range append(namedTables, namedColumns...) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.docx"), filepath.Join(dir, "out.xlsx")
			require.NoError(t, tt.doc.WriteFile(in))
			o := quickstart(t, "-in", in, "-out", out, "-request", tt.request)
			for _, text := range tt.says {
				assert.Contains(t, o.answer+o.errors, text)
			}
			if tt.title == "" {
				assert.Equal(t, 1, o.status, o.answer)
				assert.Contains(t, o.errors, "FAIL: ")
				assert.Equal(t, []string{"in.docx"}, files(t, dir))
				return
			}
			require.Equal(t, 0, o.status, o.errors)
			title, series := drawn(t, out)
			assert.Equal(t, tt.title, title)
			if tt.series != nil {
				assert.Equal(t, tt.series, series)
			}
		})
	}
}

// drawn is the title of the chart and what its series are called.
func drawn(t testing.TB, path string) (title string, series []string) {
	t.Helper()
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	require.Len(t, book.Sheets, 1)
	require.Len(t, book.Sheets[0].Charts, 1)
	chart := book.Sheets[0].Charts[0]
	for _, s := range chart.Series {
		name, err := book.Resolve(s.Name)
		require.NoError(t, err)
		require.Len(t, name, 1)
		series = append(series, name[0].Text)
	}
	return chart.Title, series
}
