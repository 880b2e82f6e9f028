package runtask_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// subtasks opens a session whose worker records what it did on the blackboard.
func subtasks(data string, to fsm.Status) func(context.Context) (*round.Session, error) {
	return func(context.Context) (*round.Session, error) {
		board := blackboard.New(0)
		return round.NewSession(&worker{step: func(_ context.Context, w *worker) error {
			for _, status := range []fsm.Status{fsm.Finish, to} {
				s, err := board.Open(blackboard.Subtask{App: "word", Text: "read it"})
				if err != nil {
					return err
				}
				reason := ""
				if status == fsm.Fail {
					reason = "no such page"
				}
				if err := board.Close(s.ID, string(status), []byte(data), reason); err != nil {
					return err
				}
			}
			w.Decide(to, fsm.BySystem, "as it is")
			return nil
		}}, &round.Options{Board: board})
	}
}

func decode(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

func TestResultJSON(t *testing.T) {
	long := `"` + strings.Repeat("x", 5000) + `"`
	for name, c := range map[string]struct {
		data string
		max  int
		want map[string]any
	}{
		"long":      {long, 0, map[string]any{"data_bytes": 5002.0}},
		"as wanted": {`{"a":1}`, 3, map[string]any{"data_bytes": 7.0}},
		"just fits": {`{"a":1}`, 7, map[string]any{"data": map[string]any{"a": 1.0}}},
		"any":       {long, -1, map[string]any{"data": strings.Trim(long, `"`)}},
	} {
		t.Run(name, func(t *testing.T) {
			task, err := runtask.New(subtasks(c.data, fsm.Finish), &runtask.Options{MaxData: c.max})
			require.NoError(t, err)
			res, err := task.Run(t.Context(), "x")
			require.NoError(t, err)
			require.Len(t, res.Subtasks, 2)
			assert.Equal(t, c.data, string(res.Subtasks[0].Result), "in Go it is all there")
			list, ok := decode(t, res)["subtasks"].([]any)
			require.True(t, ok)
			require.Len(t, list, 2)
			c.want["id"], c.want["application"], c.want["task"], c.want["status"] = "subtask_1", "word", "read it", "FINISH"
			assert.Equal(t, c.want, list[0])
		})
	}
}

// But for what is too long it is the JSON of the round's Result, numbers that no
// float64 holds included.
func TestResultJSONIsTheRounds(t *testing.T) {
	res, err := newTool(t, subtasks(`{"n": 9007199254740993, "list": [1.50]}`, fsm.Finish)).Run(t.Context(), "x")
	require.NoError(t, err)
	got, err := json.Marshal(res)
	require.NoError(t, err)
	want, err := json.Marshal(res.Result)
	require.NoError(t, err)
	assert.Contains(t, string(got), "9007199254740993")
	assert.JSONEq(t, string(want), string(got))
	var back round.Result
	require.NoError(t, json.Unmarshal(got, &back))
	assert.Equal(t, res.Result, back)

	res.Warning = errors.New("the window is stuck")
	assert.Equal(t, "the window is stuck", decode(t, res)["warning"])
}

func TestErrorTellsSubtasks(t *testing.T) {
	_, err := newTool(t, subtasks(`1`, fsm.Fail)).Run(t.Context(), "x")
	assert.ErrorContains(t, err, "sub-tasks: read it (word): FINISH; read it (word): FAIL, no such page")
}

// left opens a sub-task, and goes no further.
func left(t *testing.T) *round.Session {
	t.Helper()
	board := blackboard.New(0)
	session, err := round.NewSession(&worker{step: func(context.Context, *worker) error {
		if len(board.Subtasks()) == 0 {
			if _, err := board.Open(blackboard.Subtask{App: "notes", Text: "read a"}); err != nil {
				return err
			}
		}
		return fsm.ErrSuspend
	}}, &round.Options{Board: board})
	require.NoError(t, err)
	return session
}

// What is open when a round stops is closed with its session, and is told so.
func TestErrorTellsOpenSubtasks(t *testing.T) {
	task := newTool(t, func(context.Context) (*round.Session, error) { return left(t), nil })
	_, err := task.Run(t.Context(), "x")
	require.ErrorIs(t, err, round.ErrSuspended)
	assert.Regexp(t, `; sub-tasks: read a \(notes\): FAIL, the round was given up: .`, err.Error())
	failed, ok := errors.AsType[*runtask.Error](err)
	require.True(t, ok)
	assert.Equal(t, round.Suspended, failed.Result.Outcome, "why it stopped stays")
	assert.Equal(t, "FAIL", failed.Result.Subtasks[0].Status)

	task, err = runtask.Shared(left(t), nil)
	require.NoError(t, err)
	_, err = task.Run(t.Context(), "x")
	require.ErrorIs(t, err, round.ErrSuspended)
	assert.True(t, strings.HasSuffix(err.Error(), "; sub-tasks: read a (notes): not finished"), err.Error())
	failed, ok = errors.AsType[*runtask.Error](err)
	require.True(t, ok)
	assert.Empty(t, failed.Result.Subtasks[0].Status, "the round can go on")
}
