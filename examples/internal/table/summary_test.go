package table_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

func TestSummarize(t *testing.T) {
	t.Parallel()
	s := table.Summarize(table.Source{
		Number: 3, Parent: 1, Heading: "By region", Sections: []string{"Sales"}, Caption: "Table 2:  sales",
		Rows: [][]string{{"Region", "2023", "2024"}, {"North", "1", "2"}, {"South", "3", "soon"}, {"West", "4", "5"}},
	})
	text, err := json.Marshal(s)
	require.NoError(t, err)
	assert.JSONEq(t, `{"number": 3, "parent": 1, "heading": "By region", "sections": ["Sales"], "caption": "Table 2:  sales",
		"label": "Region", "columns": [{"name": "2023"}, {"name": "2024"}], "series": 2, "drawn": 2, "rows": 3, "numbers": 5, "skipped": ["soon"]}`, string(text))
	assert.Equal(t, "Table 2: sales", s.Title())
	s.Caption = ""
	assert.Equal(t, "By region", s.Title())
}

func TestSummarizeUnfit(t *testing.T) {
	t.Parallel()
	for _, s := range []table.Source{
		{},
		{Rows: [][]string{{}}},
		{Rows: [][]string{{"a"}}},
		{Rows: [][]string{{"a", "b"}, {"c", "d"}}},
		{Rows: [][]string{{"5", "7"}, {"3", "9"}}},
	} {
		assert.NotEmpty(t, table.Summarize(s).Unfit, "%v", s)
	}
}

// What was summarised elsewhere is chosen among as if it had been here.
func TestChooseThroughJSON(t *testing.T) {
	t.Parallel()
	list := []table.Summary{
		table.Summarize(table.Source{Number: 1, Heading: "Sales", Rows: [][]string{{"a", "b"}}}),
		table.Summarize(two(2, 9, "Costs", "", "x")),
		table.Summarize(two(3, 3, "Sales", "", "x")),
	}
	text, err := json.Marshal(list)
	require.NoError(t, err)
	var read []table.Summary
	require.NoError(t, json.Unmarshal(text, &read))

	choice, err := table.Choose("a chart of the costs", read)
	require.NoError(t, err)
	assert.Equal(t, table.Choice{Index: 1, Words: []string{"cost"}}, choice)

	_, err = table.Choose("a chart of the sales", read[:1])
	var unfit *table.UnfitError
	require.ErrorAs(t, err, &unfit)
	_, here := table.Choose("a chart of the sales", list[:1])
	assert.EqualError(t, err, here.Error())
	assert.ErrorIs(t, here, table.ErrNoNumbers)
	_, err = table.Choose("a chart of the sales", nil)
	assert.ErrorIs(t, err, table.ErrNoTables)
}
