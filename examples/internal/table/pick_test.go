package table_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// titled is a table with a caption.
func titled(caption, text string) table.Source {
	return table.Source{Number: 1, Caption: caption, Rows: rows(text)}
}

// drawnIn returns the names of the columns that a request wants to see.
func drawnIn(t *testing.T, request string, s table.Source) ([]string, error) {
	t.Helper()
	d, err := table.Find(request, []table.Source{s})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, i := range d.Drawn {
		names = append(names, d.Series[i].Name)
	}
	return names, nil
}

const quarters = "Region|Revenue Q1|Revenue Q2|Costs Q1|Costs Q2\nNorth|1|2|3|4\nSouth|5|6|7|8"

// A chart has one axis, of one unit, and no bars of totals among their parts.
func TestDrawn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rows string
		want []string
	}{
		"money, and per cent":       {"R|Sales|Costs|Growth\na|$5|$6|3 %\nb|$7|$8|4 %", []string{"Sales", "Costs"}},
		"per cent before money":     {"R|Growth|Sales|Costs\na|3 %|$5|$6\nb|4 %|$7|$8", []string{"Sales", "Costs"}},
		"even":                      {"R|Sales|Growth\na|$5|3 %\nb|$7|4 %", []string{"Sales"}},
		"two currencies":            {"R|Home|Abroad\na|$5|€6\nb|$7|€8", []string{"Home"}},
		"money, and plain numbers":  {"R|Staff|Sales|Costs\na|3|$5|$6\nb|4|$7|$8", []string{"Sales", "Costs"}},
		"per mille":                 {"R|Rate|Sales\na|3 ‰|5\nb|4 ‰|7", []string{"Rate"}},
		"a column of totals":        {"R|H1|H2|Total\na|5|6|11\nb|7|8|15", []string{"H1", "H2"}},
		"nothing besides the total": {"R|Total\na|5\nb|7", []string{"Total"}},
		"in German":                 {"R|Soll|Ist|Summe:\na|5|6|11\nb|7|8|15", []string{"Soll", "Ist"}},
		"no total, but of totality": {"R|Sales|Total assets\na|5|6\nb|7|8", []string{"Sales", "Total assets"}},
	} {
		names, err := drawnIn(t, "a bar chart of the table", titled("T", tt.rows))
		require.NoError(t, err, name)
		assert.Equal(t, tt.want, names, name)
	}
}

func TestTotalRows(t *testing.T) {
	t.Parallel()
	for label, total := range map[string]bool{
		"Total": true, "TOTAL:": true, "Grand total": true, "Sub-total": true, "Total sales": true, "North total": true,
		"Summe": true, "Gesamt": true, "Итого": true, "合計": true,
		"Totally Lamps": false, "Sum of parts": false, "North": false, "Lump sum": false,
	} {
		d, err := table.Read(titled("T", "R|Sales\n"+label+"|9\na|5\nb|4"))
		require.NoError(t, err)
		if !total {
			assert.Equal(t, []string{label, "a", "b"}, d.Labels)
			assert.Zero(t, d.Totals)
			continue
		}
		assert.Equal(t, []string{"a", "b", label}, d.Labels, "totals come last")
		assert.Equal(t, 1, d.Totals, label)
	}
	d, err := table.Read(titled("T", "R|Sales\nTotal|9\nTotal|5"))
	require.NoError(t, err)
	assert.Zero(t, d.Totals, "there is nothing else to draw")
}

// The columns that a request names, and no others.
func TestColumns(t *testing.T) {
	t.Parallel()
	for request, want := range map[string][]string{
		"chart of the results":                       {"Revenue Q1", "Revenue Q2", "Costs Q1", "Costs Q2"},
		"chart of the results table only":            {"Revenue Q1", "Revenue Q2", "Costs Q1", "Costs Q2"},
		"chart of revenue":                           {"Revenue Q1", "Revenue Q2"},
		"chart of Q2":                                {"Revenue Q2", "Costs Q2"},
		"chart of Q2 revenue by region only":         {"Revenue Q2"},
		"chart of revenue Q1 and costs Q2":           {"Revenue Q1", "Costs Q2"},
		"chart of Q1 revenue, Q2 revenue, Q1 costs":  {"Revenue Q1", "Revenue Q2", "Costs Q1"},
		"from the results table, chart the costs":    {"Costs Q1", "Costs Q2"},
		"the results table: bar chart of only Q1":    {"Revenue Q1", "Costs Q1"},
		"bar chart of the column costs Q2 (results)": {"Costs Q2"},
	} {
		names, err := drawnIn(t, request, titled("Results", quarters))
		require.NoError(t, err, request)
		assert.Equal(t, want, names, request)
	}
	names, err := drawnIn(t, "chart of revenue only", titled("Results", "R|Revenue|Revenue per head\na|5|6\nb|7|8"))
	require.NoError(t, err)
	assert.Equal(t, []string{"Revenue"}, names, "the one that is called exactly so")
}

func TestColumnsThatCannotBeDrawn(t *testing.T) {
	t.Parallel()
	parcels := "Item|Weight|Price|Note\nLamp|1.5 kg|7|new\nBulb|850 g|9|old"
	for request, tt := range map[string]struct {
		rows string
		says string
	}{
		"chart of Q3 revenue only":         {quarters, `"Q3"`},
		"chart of Q1 and Q2 revenue":       {quarters, `is "Costs Q1" meant, or only "Revenue Q1"?`},
		"chart of the weight":              {parcels, `"1.5 kg" is not a number to me`},
		"chart of price and weight":        {parcels, `"1.5 kg" is not a number to me`},
		"chart of the note":                {parcels, "it has words"},
		"chart of sales and growth":        {"R|Sales|Growth\na|$5|3 %\nb|$7|4 %", "the chart has one axis"},
		"chart of home and abroad":         {"R|Home|Abroad\na|$5|€6\nb|$7|€8", "the chart has one axis"},
		"chart of the price in the North":  {"R|Price\nNorth|5\nSouth|6", `"North"`},
		"chart of results without North":   {"R|Price\nNorth|5\nSouth|6", `"without", "North"`},
		"chart of the revenue price ratio": {"R|Revenue|Price\na|5|6\nb|7|8", `"ratio"`},
		"chart of the revenue price":       {"R|Revenue|Price\na|5|6\nb|7|8", `no column is called "revenue", "price"`},
	} {
		names, err := drawnIn(t, request, titled("Results", tt.rows))
		require.Error(t, err, "%s: %q", request, names)
		assert.Contains(t, err.Error(), tt.says, request)
	}
	// What the caption names too is not drawn in place of it.
	_, err := drawnIn(t, "the shipping weight table", titled("Shipping weight", parcels))
	assert.ErrorContains(t, err, `the column "Weight" cannot be drawn: "1.5 kg" is not a number to me`)
}

// What looks like a number and is none is named, and labels no rows.
func TestQuantities(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{"1.5 kg", "850 g", "1.2 M", "$1.2M", "~5", "< 10", "3 days", "20 °C", "12 km/h", "-4 m²"} {
		s := table.Summarize(titled("T", "Item|Amount\na|"+cell+"\nb|"+cell))
		assert.Contains(t, s.Unfit, `"`+cell+`" is not a number to me`)
	}
	for _, cell := range []string{"Ada", "Q1", "May 2019", "2024-05-01", "a 5", "see page 5"} {
		assert.Equal(t, "no numeric column", table.Summarize(titled("T", "Item|Amount\na|"+cell+"\nb|"+cell)).Unfit, cell)
	}
	d, err := table.Read(titled("T", "Year|Revenue|Staff\n2023|1.2 M|5\n2024|1.3 M|7"))
	require.NoError(t, err)
	assert.Equal(t, []string{"2023", "2024"}, d.Labels)
	require.Len(t, d.Series, 1)
	assert.Equal(t, "Staff", d.Series[0].Name)
}
