package runs_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/round/journal"
	"github.com/agentfsm/agentfsm/round/runs"
)

// empty is a Store that forgot to return something.
type empty struct{ journal.Store }

func (empty) Runs(context.Context) iter.Seq2[string, error] { return nil }

func (empty) Read(context.Context, string, int64) iter.Seq2[journal.Entry, error] { return nil }

// A Store that returns nil is an error, and no panic of who reads.
func TestAStoreThatReturnsNil(t *testing.T) {
	n := 0
	for state, err := range runs.All(t.Context(), empty{journal.Memory()}) {
		n++
		assert.Empty(t, state.Run)
		require.ErrorContains(t, err, "the store returned no sequence")
	}
	assert.Equal(t, 1, n)
	_, err := runs.Look(t.Context(), empty{journal.Memory()}, "run")
	require.ErrorContains(t, err, "the store returned no sequence")
	for _, err := range runs.Records(t.Context(), empty{journal.Memory()}, "run") {
		require.ErrorContains(t, err, "the store returned no sequence")
	}
}
