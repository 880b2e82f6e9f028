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
		"header": ["Region", "2023", "2024"], "rows": 3, "series": 2, "numbers": 5, "skipped": 1}`, string(text))
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

	index, words, err := table.Choose("a chart of the sales", read)
	require.NoError(t, err)
	assert.Equal(t, 2, index)
	assert.Equal(t, []string{"sale"}, words)

	_, _, err = table.Choose("a chart of the sales", read[:1])
	var none *table.NotFoundError
	require.ErrorAs(t, err, &none)
	_, _, here := table.Choose("a chart of the sales", list[:1])
	assert.EqualError(t, err, here.Error())
	assert.ErrorIs(t, here, table.ErrNoNumbers)
	_, _, err = table.Choose("a chart of the sales", nil)
	assert.ErrorIs(t, err, table.ErrNoTables)
}
