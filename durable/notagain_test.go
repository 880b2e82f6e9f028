package durable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
)

// commandKey is the tool with its arguments.
func commandKey(t *testing.T, tool string, params any) string {
	t.Helper()
	raw, err := json.Marshal(params)
	require.NoError(t, err)
	if string(raw) == "null" {
		raw = []byte("{}")
	}
	return tool + string(raw)
}

// uncertainOf are the commands of the open step of a journal that were begun, and of which
// it has no result.
func uncertainOf(t *testing.T, list [][]byte) map[string]bool {
	t.Helper()
	open, keys := map[string]bool{}, map[string]string{} // by id
	for _, raw := range list {
		var n struct {
			Kind string
			Act  struct {
				ID      string
				Refused bool
				Command struct {
					Tool       string `json:"tool_name"`
					Parameters any    `json:"parameters"`
				}
			}
			Result struct{ ID string }
		}
		if json.Unmarshal(raw, &n) != nil {
			continue
		}
		switch n.Kind {
		case "round", "step", "stop", "end":
			clear(open)
			clear(keys)
		case "intent":
			if !n.Act.Refused {
				keys[n.Act.ID] = commandKey(t, n.Act.Command.Tool, n.Act.Command.Parameters)
				open[keys[n.Act.ID]] = true
			}
		case "result":
			delete(open, keys[n.Result.ID])
		}
	}
	return open
}

// Wherever a journal ends, and whatever was done to its last records: a command that was
// begun in the open step, and has no result, is not executed by the step that is handled
// again.
func TestWhatWasBegunIsNotDoneAgain(t *testing.T) {
	var executed []string
	desk := screen(func(cmd desktop.Command) (desktop.Result, error) {
		executed = append(executed, commandKey(t, cmd.ToolName, cmd.Parameters))
		return desktop.Result{Status: desktop.Success}, nil
	})
	y := newTally(t)
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		for i := range 4 { // looks, calls and acts
			look := desktop.Command{ToolName: desktop.GetDesktopAppInfo, Looks: true}
			if _, err := desktop.Execute(ctx, desk, look); err != nil {
				return "", err
			}
			if err := y.ask(ctx); err != nil {
				return "", err
			}
			cmd := desktop.Command{ToolName: fmt.Sprint("tool_", i%2), Parameters: map[string]any{"n": c.N, "i": i}}
			if _, err := desktop.Execute(ctx, desk, cmd); err != nil {
				return "", err
			}
		}
		if c.N++; c.N == 3 {
			return fsm.Finish, nil
		}
		return fsm.Continue, nil
	}
	_, err := y.begin(do, nil).Run(t.Context(), "go")
	require.NoError(t, err)
	var all [][]byte
	for entry, err := range y.store.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		all = append(all, entry.Data)
	}
	tried := 0
	check := func(list [][]byte) {
		begun := uncertainOf(t, list)
		st := store.Memory()
		require.NoError(t, st.Append(t.Context(), "run", 0, list...))
		s, err := durable.Open(t.Context(), newClerk(do), st, "run", &durable.Options{Existing: true})
		if err != nil {
			return
		}
		executed = nil
		for range s.Round().Steps(t.Context()) {
			break // one step
		}
		for _, key := range executed {
			require.NotContains(t, begun, key, "%d records", len(list))
		}
		if len(begun) > 0 {
			tried++
		}
	}
	for n := 1; n <= len(all); n += sample.Every(3) {
		check(all[:n])
	}
	require.GreaterOrEqual(t, tried, sample.Of(12, 4))
	for seed := range uint64(sample.Of(400, 40)) {
		r := rand.New(rand.NewPCG(seed, 7))
		list := append([][]byte(nil), all[:2+r.IntN(len(all)-1)]...)
		for range 1 + r.IntN(2) {
			i := len(list) - 1 - r.IntN(min(8, len(list)-1))
			switch r.IntN(4) {
			case 0:
				list = append(list[:i], list[i+1:]...)
			case 1:
				list = append(list, list[i])
			default:
				var v any
				require.NoError(t, json.Unmarshal(list[i], &v))
				raw, err := json.Marshal(mangle(r, v))
				require.NoError(t, err)
				list[i] = raw
			}
			if len(list) < 2 {
				break
			}
		}
		check(list)
	}
}
