package xlsx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

func TestChartOf(t *testing.T) {
	t.Parallel()
	b := xlsx.New("Data")
	t.Cleanup(func() { assert.NoError(t, b.Close()) })
	require.NoError(t, b.SetRow(1, []any{"Region", "2023", nil}))
	require.NoError(t, b.SetRow(2, []any{"North", 1, 2}))
	require.NoError(t, b.SetRow(3, []any{"South", 3, 4}))

	c, err := b.ChartOf("A1:C3")
	require.NoError(t, err)
	assert.Equal(t, xlsx.Chart{
		Categories: "A2:A3",
		Series:     []xlsx.Series{{Name: "B1", Values: "B2:B3"}, {Values: "C2:C3"}},
	}, c)
	assert.NoError(t, b.BarChart(c))

	c, err = b.ChartOf("A1:C3", "C")
	require.NoError(t, err)
	assert.Equal(t, []xlsx.Series{{Values: "C2:C3"}}, c.Series)
	for _, column := range []string{"A", "D", "", "7"} {
		_, err := b.ChartOf("A1:C3", "B", column)
		assert.ErrorIs(t, err, xlsx.ErrChart, "%q", column)
	}

	for _, cells := range []string{"", "A1", "A1:", "A1:A3", "A1:C1", "C3:A1", "A1:C3:D4", "1A:C3"} {
		_, err := b.ChartOf(cells)
		assert.Error(t, err, "%q", cells)
	}
}
