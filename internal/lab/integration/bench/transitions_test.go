package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryMachineMoves(t *testing.T) {
	for _, n := range []int{paceCycle + 1, 3*paceCycle + 1} {
		seen := 0
		require.NoError(t, walkTurn(t.Context(), n, func(string, cost) { seen++ }))
		assert.Len(t, machines(), seen)
	}
	assert.ErrorIs(t, walkTurn(t.Context(), paceCycle, func(string, cost) {}), errOther, "a number of steps that no host takes")
}
