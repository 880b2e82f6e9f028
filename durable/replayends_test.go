package durable_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// edited is a copy of a run in which records of a kind are changed.
func edited(t *testing.T, st store.Store, kind string, change func(map[string]any)) store.Store {
	t.Helper()
	other, changed := store.Memory(), false
	for entry, err := range st.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		var v map[string]any
		d := json.NewDecoder(strings.NewReader(string(entry.Data)))
		d.UseNumber()
		require.NoError(t, d.Decode(&v))
		if v["kind"] == kind {
			change(v)
			changed = true
			entry.Data, err = json.Marshal(v)
			require.NoError(t, err)
		}
		require.NoError(t, other.Append(t.Context(), "run", entry.Seq-1, entry.Data))
	}
	require.True(t, changed)
	return other
}

// A step that came from elsewhere, and a round that ended otherwise, are differences,
// although everything between is the same.
func TestReplayFindsAnotherEnd(t *testing.T) {
	w := newWorld(t)
	_, err := w.life(true)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		kind, field string
		value       any
		want        string
	}{
		"answer":    {"end", "answer", "something else", `answer: it was "something else", and is "all is done"`},
		"outcome":   {"end", "outcome", "FAIL", "outcome: it was FAIL, and is FINISH"},
		"status":    {"end", "status", "FAIL", "position: it was :FAIL, and is :FINISH"},
		"sub-tasks": {"end", "subtasks", 7, "sub-tasks: it was 7, and is 3"},
		"an agent":  {"step", "agent", "somebody", "position: it was somebody:CONTINUE, and is HostAgent:CONTINUE"},
		"a place": {
			"step", "stack", []any{map[string]any{"agent": "somebody", "kind": "HostAgent", "status": "PENDING"}},
			"position: it was HostAgent:CONTINUE -> somebody:PENDING, and is HostAgent:CONTINUE -> HostAgent:PENDING",
		},
		"a source": {"step", "from", "PENDING", "position: it was HostAgent:PENDING, and is HostAgent:CONTINUE"},
	} {
		t.Run(name, func(t *testing.T) {
			st := edited(t, w.store, c.kind, func(v map[string]any) {
				step := v["step"].(map[string]any)
				if slices.Contains([]string{"answer", "outcome", "status"}, c.field) {
					step = step["result"].(map[string]any)
				}
				step[c.field] = c.value
			})
			_, err := durable.Replay(t.Context(), untouched(t, nil), st, "run", nil)
			var differs *durable.ReplayError
			require.ErrorAs(t, err, &differs)
			assert.Contains(t, differs.Error(), c.want)
			assert.Positive(t, differs.Seq)
		})
	}
}
