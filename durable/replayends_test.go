package durable_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
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
		want        durable.ReplayError
	}{
		"answer":    {"end", "answer", "something else", durable.ReplayError{What: "answer", Was: `"something else"`, Is: `"all is done"`}},
		"outcome":   {"end", "outcome", "FAIL", durable.ReplayError{What: "outcome", Was: "FAIL", Is: "FINISH"}},
		"status":    {"end", "status", "FAIL", durable.ReplayError{What: "position", Was: ":FAIL", Is: ":FINISH"}},
		"sub-tasks": {"end", "subtasks", 7, durable.ReplayError{What: "sub-tasks", Was: "7", Is: "3"}},
		"an agent":  {"step", "agent", "somebody", durable.ReplayError{What: "position", Was: "somebody:CONTINUE", Is: "HostAgent:CONTINUE"}},
		"a source":  {"step", "from", "PENDING", durable.ReplayError{What: "position", Was: "HostAgent:PENDING", Is: "HostAgent:CONTINUE"}},
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
			assert.Equal(t, c.want.What, differs.What)
			assert.Equal(t, c.want.Was, differs.Was)
			assert.Equal(t, c.want.Is, differs.Is)
			assert.Positive(t, differs.Seq)
		})
	}
}

// What was recorded is in order, but for looks: a call that came behind a command does
// not come before it, in a replay and in a step that is handled again.
func TestTheOrderCounts(t *testing.T) {
	y, turned := newTally(t), false
	var failed string
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N > 1 {
			return fsm.Finish, nil
		}
		list := []func() error{
			func() error { return y.ask(ctx) },
			func() error {
				res, err := y.act(ctx, "pay")
				failed = res.Error
				return err
			},
		}
		if turned {
			list[0], list[1] = list[1], list[0]
		}
		for _, do := range list {
			if err := do(); err != nil {
				return "", err
			}
		}
		return fsm.Continue, nil
	}
	y.dies(4, true, do) // round, call, intent, result
	turned = true
	_, err := y.replay(do)
	var differs *durable.ReplayError
	require.ErrorAs(t, err, &differs)
	assert.Equal(t, "intent", differs.What)
	assert.Equal(t, "call", differs.Was)
	assert.Equal(t, "pay", differs.Is)

	s := y.resume(do, nil)
	_, err = s.Round().Run(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, diverged(t, y.store))
	assert.Contains(t, diverged(t, y.store), "where record 2 has")
	assert.Contains(t, failed, owed)
	assert.Equal(t, 1, y.done["pay"])
	assert.Equal(t, 2, y.calls)
}

// A number of 19 digits is the same number in another process: its command is given back,
// and executed with the same digits.
func TestLongNumbersStayWhatTheyAre(t *testing.T) {
	const account = int64(1234567890123456789)
	y := newTally(t)
	var got []string
	desk := screen(func(cmd desktop.Command) (desktop.Result, error) {
		raw, err := json.Marshal(cmd.Parameters["account"])
		require.NoError(t, err)
		got = append(got, string(raw))
		return desktop.Result{Status: desktop.Success}, nil
	})
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"account":1234567890123456789}`}, nil
	})
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		if _, err := llm.Complete(ctx, model, &llm.Request{}); err != nil {
			return "", err
		}
		_, err := desktop.Execute(ctx, desk, desktop.Command{ToolName: "pay", Parameters: map[string]any{"account": account}})
		return fsm.Finish, err
	}
	y.dies(4, true, do) // round, call, intent, result
	s := y.resume(do, nil)
	_, err := s.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Empty(t, diverged(t, y.store))
	assert.Equal(t, []string{"1234567890123456789"}, got)
	_, err = durable.Replay(t.Context(), newClerk(do), y.store, "run", nil)
	require.NoError(t, err)
}
