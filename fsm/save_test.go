package fsm_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

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
