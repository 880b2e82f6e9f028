package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// A worker can die only at an Append that has records, so only those are boundaries.
func TestAppendsWithoutRecordsAreNoBoundaries(t *testing.T) {
	m := &mortal{Store: store.Memory()}
	require.NoError(t, m.Append(t.Context(), "run", 0, []byte(`{"kind":"round"}`)))
	require.NoError(t, m.Append(t.Context(), "run", 1)) // a look at the end of the run
	require.NoError(t, m.Append(t.Context(), "run", 1, []byte(`{"kind":"step"}`), []byte(`{"kind":"end"}`)))
	assert.Equal(t, int64(2), m.count.Load())
	assert.Equal(t, m.count.Load(), m.matched.Load())
}
