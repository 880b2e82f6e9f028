package store_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

// A run has two files open while it is driven, and none before and after that.
func TestDescriptors(t *testing.T) {
	const runs = 40
	dir := t.TempDir()
	s, other := files(t, dir), files(t, dir)
	before := openFiles(t)
	var holds []store.Hold
	for i := range runs {
		run := fmt.Sprint(i)
		require.NoError(t, s.Append(t.Context(), run, 0, []byte("one")))
		require.NoError(t, other.Append(t.Context(), run, 1, []byte("two")))
		hold, err := s.Drive(t.Context(), run, false)
		require.NoError(t, err)
		holds = append(holds, hold)
	}
	assert.Equal(t, before+runs, openFiles(t), "the locks")
	for i := range runs {
		for after := range int64(2) {
			require.NoError(t, s.Append(t.Context(), fmt.Sprint(i), 2+after, []byte("more")))
		}
	}
	assert.Equal(t, before+2*runs, openFiles(t))

	// Somebody takes half of them over. Who had them finds out at the next Append.
	for i := range runs / 2 {
		run := fmt.Sprint(i)
		hold, err := other.Drive(t.Context(), run, true)
		require.NoError(t, err)
		require.NoError(t, other.Append(t.Context(), run, 4, []byte("mine")))
		require.ErrorIs(t, s.Append(t.Context(), run, 4, []byte("late")), store.ErrConflict)
		require.NoError(t, hold.Release(t.Context()))
	}
	assert.Equal(t, before+2*runs-runs/2, openFiles(t))
	for _, hold := range holds {
		require.NoError(t, hold.Release(t.Context()))
	}
	assert.Equal(t, before, openFiles(t))
}
