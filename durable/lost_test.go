package durable_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A program whose application agents cannot be kept loses the run where it would hand
// over, and a better one goes on from there.
func TestAnAgentThatCannotBeKeptEndsNothing(t *testing.T) {
	_, err := durable.Open(t.Context(), withoutSave("p"), store.Memory(), "x", nil)
	require.ErrorIs(t, err, round.ErrNotResumable, "nor does one begin anything")
	w := newWorld(t)
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: llm.ModelFunc(w.think), Desktop: w.desk, User: people.UserFunc(w.answer), NoImages: true,
		},
		NewApp: func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			return withoutSave(strings.TrimPrefix(app.Name, "AppAgent/")), nil
		},
	})
	require.NoError(t, err)
	s, err := durable.Open(t.Context(), host, w.store, "run", &durable.Options{Round: unbounded()})
	require.NoError(t, err)
	res, err := s.Continue(t.Context(), "make the report")
	require.ErrorIs(t, err, round.ErrNotResumable)
	require.ErrorIs(t, err, round.ErrLost)
	assert.Equal(t, round.Lost, res.Outcome)
	state, err := durable.Look(t.Context(), w.store, "run")
	require.NoError(t, err)
	assert.Equal(t, round.Unfinished, state.Outcome)
	assert.Equal(t, state.Agent, res.Agent)
	assert.Equal(t, state.Status, res.Status, "where the record has it")

	// Nor does its session begin another round: what the step did is to be given back.
	before, _ := w.records()
	_, err = s.Run(t.Context(), "make another report")
	require.ErrorIs(t, err, round.ErrLost)
	require.NoError(t, s.Close(t.Context()))
	after, _ := w.records()
	assert.Equal(t, before, after)

	calls := w.calls
	s, err = durable.Open(t.Context(), w.host(), w.store, "run", &durable.Options{Round: unbounded()})
	require.NoError(t, err)
	res, err = s.Continue(t.Context(), "make the report")
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	assert.Greater(t, w.calls, calls)
	w.requireOnce()
}

// Where a run is lost, it says where the record has it, and nothing that was not reached.
func TestALostRunStandsWhereItIsRecorded(t *testing.T) {
	for _, at := range appends()[1:] { // the first one begins the run
		w := newWorld(t)
		w.store.start(at, false)
		res, err := w.life(true)
		require.ErrorIs(t, err, round.ErrLost)
		require.Equal(t, round.Lost, res.Outcome)
		state, err := durable.Look(t.Context(), w.store, "run")
		require.NoError(t, err)
		require.Equal(t, state.Agent, res.Agent, at)
		if state.Status != "" { // before the first step nobody stands anywhere
			require.Equal(t, state.Status, res.Status, at)
		}
		require.NotEqual(t, fsm.Error, res.Status)
	}
}

// The Meta of a run is that of its first Open, in whatever process. One that is no JSON is refused before
// anything is recorded.
func TestMeta(t *testing.T) {
	w := newWorld(t)
	_, err := durable.Open(t.Context(), w.host(), w.store, "other", &durable.Options{Meta: json.RawMessage("{")})
	require.ErrorContains(t, err, "its Meta is no JSON")
	w.store.start(8, true)
	s, err := durable.Open(t.Context(), w.host(), w.store, "run", &durable.Options{Meta: json.RawMessage(`{"document":"report"}`)})
	require.NoError(t, err)
	assert.Nil(t, s.Round())
	_, err = s.Run(t.Context(), "make the report")
	require.ErrorIs(t, err, round.ErrLost)
	w.store.start(0, false)
	assert.NotNil(t, w.resume(nil).Round())
	state, err := durable.Look(t.Context(), w.store, "run")
	require.NoError(t, err)
	assert.JSONEq(t, `{"document":"report"}`, string(state.Meta))
}
