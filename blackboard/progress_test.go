package blackboard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

func TestProgressCounts(t *testing.T) {
	board := blackboard.New(0)
	assert.Zero(t, board.Inside().Progress(0))
	open := func(text string) string {
		s, err := board.Open(blackboard.Subtask{Text: text})
		require.NoError(t, err)
		return s.ID
	}
	first, second, third := open("a"), open("b"), open("c")
	require.NoError(t, board.Close(first, "FINISH", nil, ""))
	require.NoError(t, board.Close(second, "FAIL", nil, "no"))
	assert.Equal(t, boarddata.Progress{Total: 3, Finished: 1, Failed: 1, Current: third}, board.Inside().Progress(0))
	assert.Equal(t, boarddata.Progress{Total: 2, Failed: 1, Current: third}, board.Inside().Progress(1))
	assert.Zero(t, board.Inside().Progress(3))
	assert.Zero(t, board.Inside().Progress(9), "a board that was put back has fewer")
	assert.Equal(t, 3, board.Inside().Progress(-1).Total)
	fourth := open("d")
	assert.Equal(t, fourth, board.Inside().Progress(0).Current)
}

func TestClosed(t *testing.T) {
	board := blackboard.New(0)
	var ids []string
	for i, status := range []string{"FINISH", "", "FAIL", "FINISH", "FINISH", ""} {
		s, err := board.Open(blackboard.Subtask{App: "word", Text: fmt.Sprint("part ", i), DependsOn: ids})
		require.NoError(t, err)
		ids = append(ids, s.ID)
		if status != "" {
			require.NoError(t, board.Close(s.ID, status, json.RawMessage(`[1]`), "so"))
		}
	}
	of := func(latest []boarddata.Closed, all int) ([]string, int) {
		var list []string
		for _, c := range latest {
			list = append(list, c.ID)
			assert.Equal(t, "subtask_result_"+strings.TrimPrefix(c.ID, "subtask_"), c.Name)
			record, there := board.Raw(c.Name)
			assert.True(t, there)
			assert.Equal(t, record, c.Record)
		}
		return list, all
	}
	check := func(wantAll int, want ...string) func([]boarddata.Closed, int) {
		return func(latest []boarddata.Closed, all int) {
			t.Helper()
			list, all := of(latest, all)
			assert.Equal(t, want, list)
			assert.Equal(t, wantAll, all)
		}
	}
	check(4, ids[0], ids[2], ids[3], ids[4])(board.Inside().Closed(0, 9))
	check(3, ids[3], ids[4])(board.Inside().Closed(1, 2))
	check(0)(board.Inside().Closed(9, 2))
	check(2, ids[0], ids[3])(board.Inside().ClosedOf([]string{ids[0], "gone", ids[1], ids[3]}, 9))
	check(3, ids[3])(board.Inside().ClosedOf([]string{ids[0], ids[2], ids[3]}, 1))
	check(0)(board.Inside().ClosedOf(nil, 1))

	latest, _ := board.Inside().Closed(2, 1)
	want := board.Subtasks()[4]
	assert.Equal(t, boarddata.Closed{
		ID: want.ID, App: want.App, Text: want.Text, DependsOn: want.DependsOn, Status: want.Status, Result: want.Result, Reason: want.Reason,
		Name: "subtask_result_5", Record: latest[0].Record,
	}, latest[0])
}

// What a caller does to one of the sub-tasks reaches neither the board nor another of them.
func TestSubtasksAreTheCallers(t *testing.T) {
	board := blackboard.New(0)
	for range 2 {
		s, err := board.Open(blackboard.Subtask{Text: "a", DependsOn: []string{"x"}})
		require.NoError(t, err)
		require.NoError(t, board.Close(s.ID, "FINISH", json.RawMessage(`"abc"`), ""))
	}
	all := board.Subtasks()
	all[0].Result[1], all[0].DependsOn[0] = 'X', "y"
	_ = append(all[0].Result, "!"...)
	assert.JSONEq(t, `"abc"`, string(all[1].Result))
	again := board.Subtasks()
	assert.JSONEq(t, `"abc"`, string(again[0].Result))
	assert.Equal(t, []string{"x"}, again[0].DependsOn)
}
