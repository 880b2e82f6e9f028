package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/openfiles"
)

// A run has two files open while it is driven, and none before and after that.
func TestDescriptors(t *testing.T) {
	const runs = 40
	dir := t.TempDir()
	s, other := files(t, dir), files(t, dir)
	var holds []store.Hold
	for i := range runs {
		run := fmt.Sprint(i)
		require.NoError(t, s.Append(t.Context(), run, 0, []byte("one")))
		require.NoError(t, other.Append(t.Context(), run, 1, []byte("two")))
		hold, err := s.Drive(t.Context(), run, false)
		require.NoError(t, err)
		holds = append(holds, hold)
	}
	assert.Equal(t, runs, openfiles.In(t, dir), "the locks")
	for i := range runs {
		for after := range int64(2) {
			require.NoError(t, s.Append(t.Context(), fmt.Sprint(i), 2+after, []byte("more")))
		}
	}
	assert.Equal(t, 2*runs, openfiles.In(t, dir))

	// Somebody takes half of them over. Who had them finds out at the next Append.
	for i := range runs / 2 {
		run := fmt.Sprint(i)
		hold, err := other.Drive(t.Context(), run, true)
		require.NoError(t, err)
		require.NoError(t, other.Append(t.Context(), run, 4, []byte("mine")))
		require.ErrorIs(t, s.Append(t.Context(), run, 4, []byte("late")), store.ErrConflict)
		require.NoError(t, hold.Release(t.Context()))
	}
	assert.Equal(t, 2*runs-runs/2, openfiles.In(t, dir))
	for _, hold := range holds {
		require.NoError(t, hold.Release(t.Context()))
	}
	assert.Zero(t, openfiles.In(t, dir))
}
