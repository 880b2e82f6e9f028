package durable_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// One func for the first process and all others, and what they need to know.
func TestOpen(t *testing.T) {
	w := newWorld(t)
	_, err := durable.Look(t.Context(), w.store, "run")
	require.ErrorIs(t, err, durable.ErrNoRun)
	for life := 1; ; life++ {
		require.Less(t, life, 40)
		w.store.start(8, life%2 == 0)
		how := &durable.Options{Round: unbounded()}
		if life == 1 {
			how.Meta = json.RawMessage(`{"document":"report"}`)
		}
		s, err := durable.Open(t.Context(), w.host(), w.store, "run", how)
		require.NoError(t, err)
		require.Equal(t, life == 1, s.Round() == nil)
		if life == 1 {
			_, err = s.Run(t.Context(), "make the report")
		} else {
			_, err = s.Round().Run(t.Context())
		}
		if err == nil {
			break
		}
		require.ErrorIs(t, err, round.ErrLost)
		w.store.start(0, false)
		state, err := durable.Look(t.Context(), w.store, "run")
		require.NoError(t, err)
		require.JSONEq(t, `{"document":"report"}`, string(state.Meta))
	}
	w.requireOnce()

	w.store.start(0, false)
	_, err = durable.Open(t.Context(), w.host(), nil, "run", nil)
	require.ErrorContains(t, err, "there is no store")
	require.NoError(t, w.store.Append(t.Context(), "broken", 0, []byte("?")))
	_, err = durable.Open(t.Context(), w.host(), w.store, "broken", nil)
	require.ErrorIs(t, err, store.ErrDamaged)
}
