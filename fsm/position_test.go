package fsm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

func TestPosition(t *testing.T) {
	var p fsm.Position
	assert.Equal(t, fsm.Status(""), p.Status(), "the zero value has not started")
	assert.Zero(t, p.Decision())

	p.Decide(fsm.Finish, fsm.ByModel, "first")
	p.Decide(fsm.Fail, fsm.ByUser, "second")
	assert.Equal(t, fsm.Status(""), p.Status(), "a wish moves nothing")
	assert.Equal(t, fsm.Decision{To: fsm.Fail, By: fsm.ByUser, Reason: "second"}, p.Decision(), "the last wish counts")

	p.SetStatus(fsm.Fail)
	assert.Equal(t, fsm.Fail, p.Status())
	assert.Equal(t, fsm.Decision{Reason: "second"}, p.Decision(), "an old wish is not repeated; its reason stays")

	p.SetStatus(fsm.Finish)
	assert.Equal(t, "second", p.Decision().Reason)
	p.Decide(fsm.Continue, fsm.BySystem, "")
	assert.Equal(t, fsm.Decision{To: fsm.Continue, By: fsm.BySystem}, p.Decision(), "the next wish replaces the reason")
}

func TestPositionSettles(t *testing.T) {
	var p fsm.Position
	d := fsm.Decision{To: fsm.Finish, By: fsm.ByUser, Reason: "approved"}
	require.NoError(t, p.Settle(d, nil))
	assert.Equal(t, d, p.Decision())

	broken := errors.New("nobody answers")
	require.ErrorIs(t, p.Settle(fsm.Decision{To: fsm.Fail}, broken), broken)
	assert.Equal(t, d, p.Decision(), "what failed decides nothing")
}

func TestSaveState(t *testing.T) {
	type data struct {
		Args map[string]any `json:"args"`
	}
	saved, err := fsm.SaveState(data{map[string]any{"id": json.Number("12345678901234567890"), "html": "<&>"}})
	require.NoError(t, err)
	var d data
	require.NoError(t, saved.LoadState(&d))
	assert.Equal(t, data{map[string]any{"id": json.Number("12345678901234567890"), "html": "<&>"}}, d, "digits stay")

	raw, err := json.Marshal(saved)
	require.NoError(t, err)
	var again fsm.Saved
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, saved, again)

	_, err = fsm.SaveState(func() {})
	assert.Error(t, err)
}

// What cannot be loaded changes nothing.
func TestLoadStateFails(t *testing.T) {
	type data struct{ N, M int }
	for _, state := range []string{"", "{", `{"N":2,"M":"x"}`, `{"N":2} {}`, "[]"} {
		d := data{N: 1}
		assert.Error(t, fsm.Saved{State: json.RawMessage(state)}.LoadState(&d), state)
		assert.Equal(t, data{N: 1}, d)
	}
	assert.Error(t, fsm.Saved{State: json.RawMessage("1")}.LoadState(7))
	assert.Error(t, fsm.Saved{State: json.RawMessage("1")}.LoadState((*int)(nil)))
	assert.Error(t, fsm.Saved{State: json.RawMessage("1")}.LoadState(nil))
}
