package durable_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// empty is a Store that forgot to return something.
type empty struct{ store.Store }

func (empty) Runs(context.Context) iter.Seq2[string, error] { return nil }

func (empty) Read(context.Context, string, int64) iter.Seq2[store.Entry, error] { return nil }

// A Store that returns nil is an error, and no panic of who reads.
func TestAStoreThatReturnsNil(t *testing.T) {
	n := 0
	for state, err := range durable.All(t.Context(), empty{store.Memory()}) {
		n++
		assert.Empty(t, state.Run)
		require.ErrorContains(t, err, "the store returned no sequence")
	}
	assert.Equal(t, 1, n)
	_, err := durable.Look(t.Context(), empty{store.Memory()}, "run")
	require.ErrorContains(t, err, "the store returned no sequence")
	for _, err := range durable.Records(t.Context(), empty{store.Memory()}, "run") {
		require.ErrorContains(t, err, "the store returned no sequence")
	}
}
