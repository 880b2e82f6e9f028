package office_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// harvest is a table with a total, a gap, a text among the numbers and a column of another unit.
var harvest = table.Source{
	Number: 2, Heading: "Farm", Caption: "Table 2: Harvest",
	Rows: [][]string{
		{"Sort", "2023", "2024", "Change"},
		{"Boskoop", "1,204.5", "980.0", "-18 %"},
		{"Elstar", "–", "7.5", "n/a"},
		{"Gala", "3.0", "many", "4 %"},
		{"Total", "1,207.5", "987.5", ""},
	},
}

var words = table.Source{Number: 1, Heading: "People", Rows: [][]string{{"Name", "Town"}, {"Ada", "London"}}}

// tables are tools for two tables, and how often the document was read.
func tables(failing int) (d desktop.Desktop, reads *int) {
	reads = new(int)
	return office.TableTools(func(context.Context) ([]table.Source, error) {
		if *reads++; *reads <= failing {
			return nil, errors.New("the document loads")
		}
		return []table.Source{words, harvest}, nil
	}), reads
}

func TestTableTools(t *testing.T) {
	t.Parallel()
	d, reads := tables(0)
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, tools, 2)
	for i, name := range []string{"list_tables", "extract_table"} {
		assert.Equal(t, name, tools[i].Name)
		assert.True(t, tools[i].Annotations.ReadOnlyHint, name)
	}
	assert.Zero(t, *reads, "the document is read when a tool needs it")

	listed := all(t, d, "list_tables")
	require.Len(t, listed, 2)
	assert.Equal(t, "no numeric column", listed[0]["unfit"])
	assert.Equal(t, "Table 2: Harvest", listed[1]["caption"])
	assert.Equal(t, []any{"Total"}, listed[1]["totals"])
	assert.InDelta(t, 3, listed[1]["series"], 0)
	assert.InDelta(t, 2, listed[1]["drawn"], 0)

	got := do[office.Extract](t, d, "extract_table", map[string]any{"number": 2})
	assert.Equal(t, 2, got.Table)
	assert.Equal(t, [][]any{
		{"Sort", "2023", "2024", "Change"},
		{"Boskoop", 1204.5, 980.0, -0.18},
		{"Elstar", nil, 7.5, nil},
		{"Gala", 3.0, nil, 0.04},
		{"Total", 1207.5, 987.5, nil},
	}, got.Rows)
	assert.Equal(t, "A1:D4", got.Range, "the total is not drawn")
	assert.Equal(t, []string{"B", "C"}, got.Columns, "and no other unit")
	assert.Equal(t, 1, *reads)
}

// Columns that are asked for are drawn in that order, whatever their units are.
func TestExtractColumns(t *testing.T) {
	t.Parallel()
	d, _ := tables(0)
	for name, c := range map[string]struct {
		columns []any
		want    []string
	}{
		"null": {nil, []string{"B", "C"}}, "none": {[]any{}, []string{"B", "C"}}, "one": {[]any{3}, []string{"D"}}, "two": {[]any{2, 1}, []string{"C", "B"}},
	} {
		parameters := map[string]any{"number": 2}
		if c.columns != nil {
			parameters["columns"] = c.columns
		}
		assert.Equal(t, c.want, do[office.Extract](t, d, "extract_table", parameters).Columns, name)
	}
}

func TestExtractFails(t *testing.T) {
	t.Parallel()
	d, _ := tables(0)
	for name, c := range map[string]struct {
		parameters map[string]any
		want       string
	}{
		"table 0":       {map[string]any{"number": 0}, "office: there is no table 0, the document has 2"},
		"table 3":       {map[string]any{"number": 3}, "office: there is no table 3, the document has 2"},
		"without any":   {map[string]any{"number": 1}, "no numeric column"},
		"column 0":      {map[string]any{"number": 2, "columns": []any{1, 0}}, "office: there is no column 0 to draw, the table has 3"},
		"column 4":      {map[string]any{"number": 2, "columns": []any{4}}, "office: there is no column 4 to draw, the table has 3"},
		"no page so":    {map[string]any{"from": 4}, "office: from is 4, but the list has 2 items"},
		"no page below": {map[string]any{"from": -1}, "office: from is -1, but the list has 2 items"},
	} {
		tool := "extract_table"
		if _, ok := c.parameters["from"]; ok {
			tool = "list_tables"
		}
		result := try(t, d, tool, c.parameters)
		assert.Equal(t, desktop.Failure, result.Status, name)
		assert.Contains(t, result.Error, c.want, name)
	}
}

// A document that cannot be read yet is read again, once it could be it is not.
func TestTableToolsReadAgain(t *testing.T) {
	t.Parallel()
	d, reads := tables(2)
	for tool, parameters := range map[string]map[string]any{"list_tables": nil, "extract_table": {"number": 2}} {
		result := try(t, d, tool, parameters)
		assert.Equal(t, desktop.Failure, result.Status)
		assert.Equal(t, "the document loads", result.Error)
	}
	assert.Len(t, all(t, d, "list_tables"), 2)
	do[office.Extract](t, d, "extract_table", map[string]any{"number": 2})
	assert.Equal(t, 3, *reads)
}

// A document without tables has an empty list, and is read once, too.
func TestTableToolsOfNoTables(t *testing.T) {
	t.Parallel()
	reads := 0
	d := office.TableTools(func(context.Context) ([]table.Source, error) { reads++; return nil, nil })
	for range 2 {
		assert.Empty(t, all(t, d, "list_tables"))
	}
	assert.Equal(t, 1, reads)
}

func TestExtracted(t *testing.T) {
	t.Parallel()
	data, err := table.Read(harvest)
	require.NoError(t, err)
	got, err := office.Extracted(data, data.Drawn)
	require.NoError(t, err)
	assert.Equal(t, "Table 2: Harvest", got.Title)
	assert.Equal(t, []string{"", "#,##0.0", "0.0", "0%"}, got.Formats)
	assert.Equal(t, []table.Cell{{Row: 3, Col: 2, Text: "many"}}, got.Skipped, "n/a is a dash")
	text, err := json.Marshal(got.Rows[1])
	require.NoError(t, err)
	assert.Equal(t, `["Boskoop",1204.5,980,-0.18]`, string(text), "numbers are numbers in JSON")

	got, err = office.Extracted(data, nil)
	require.NoError(t, err)
	assert.Empty(t, got.Columns)
	assert.Equal(t, "A1:D4", got.Range)
}

// A table that is wider than a sheet cannot be written.
func TestExtractedTooWide(t *testing.T) {
	t.Parallel()
	wide := &table.Data{Labels: []string{"a"}, Rows: []int{1}, Series: make([]table.Series, 16384)}
	_, err := office.Extracted(wide, nil)
	require.ErrorContains(t, err, "column 16385")
	wide.Series = []table.Series{{Name: "b", Values: []table.Number{"1"}}}
	_, err = office.Extracted(wide, []int{20000})
	assert.ErrorContains(t, err, "column 20002")
}
