package blackboard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
)

func TestSubtasks(t *testing.T) {
	board := blackboard.New(0)
	deps := []string{"before"}
	first, err := board.Open(blackboard.Subtask{App: "Word", Text: "read", DependsOn: deps, Status: "FINISH", Result: json.RawMessage("1"), Reason: "r"})
	require.NoError(t, err)
	assert.Equal(t, blackboard.Subtask{ID: "subtask_1", App: "Word", Text: "read", DependsOn: []string{"before"}}, first,
		"a new sub-task is open, whatever the argument says")
	deps[0], first.DependsOn[0] = "x", "y"
	_, err = board.Open(blackboard.Subtask{ID: "draw", App: "Excel", Text: "chart"})
	require.NoError(t, err)

	_, ok := board.Raw("subtask_result_1")
	assert.False(t, ok, "no result before it is closed")
	name, ok := board.Inside().ResultName("draw")
	assert.True(t, ok)
	assert.Equal(t, "subtask_result_2", name)
	_, ok = board.Inside().ResultName("none")
	assert.False(t, ok)

	result := json.RawMessage(`{"rows": [1, 2.50]}`)
	require.NoError(t, board.Close("subtask_1", "FINISH", result, ""))
	result[2] = 'X'
	require.NoError(t, board.Close("draw", "FAIL", nil, "no <chart>"))

	for name, want := range map[string]string{
		"subtask_result_1": `{"id":"subtask_1","application":"Word","task":"read","status":"FINISH","data":{"rows":[1,2.50]}}`,
		"subtask_result_2": `{"id":"draw","application":"Excel","task":"chart","status":"FAIL","reason":"no <chart>"}`,
	} {
		raw, ok := board.Raw(name)
		require.True(t, ok)
		assert.Equal(t, want, string(raw))
	}
	want := []blackboard.Subtask{
		{ID: "subtask_1", App: "Word", Text: "read", DependsOn: []string{"before"}, Status: "FINISH", Result: json.RawMessage(`{"rows":[1,2.50]}`)},
		{ID: "draw", App: "Excel", Text: "chart", Status: "FAIL", Reason: "no <chart>"},
	}
	all := board.Subtasks()
	require.Equal(t, want, all)
	all[0].Result[0], all[0].DependsOn[0] = 'X', "x"
	assert.Equal(t, want, board.Subtasks())
	raw, _ := board.Raw("subtask_result_1")
	assert.True(t, json.Valid(raw))
}

func TestOpenCountsOn(t *testing.T) {
	board := blackboard.New(0)
	for _, c := range []struct{ id, want, result string }{
		{"", "subtask_1", "subtask_result_1"},
		{"mine", "mine", "subtask_result_2"},
		{"subtask_4", "subtask_4", "subtask_result_3"},
		{"", "subtask_5", "subtask_result_5"}, // 4 is taken, so its number is passed over
		{"", "subtask_6", "subtask_result_6"},
	} {
		s, err := board.Open(blackboard.Subtask{ID: c.id, Text: "t"})
		require.NoError(t, err)
		assert.Equal(t, c.want, s.ID)
		name, _ := board.Inside().ResultName(s.ID)
		assert.Equal(t, c.result, name)
	}
}

func TestOpenRefuses(t *testing.T) {
	board := blackboard.New(0)
	_, err := board.Open(blackboard.Subtask{ID: "a", Text: "t"})
	require.NoError(t, err)
	_, err = board.Open(blackboard.Subtask{ID: "a", Text: "other"})
	assert.ErrorIs(t, err, blackboard.ErrInvalid)
	for _, text := range []string{"", " \n\t"} {
		_, err = board.Open(blackboard.Subtask{Text: text})
		assert.ErrorIs(t, err, blackboard.ErrInvalid)
	}
	require.NoError(t, board.Close("a", "FINISH", nil, ""))
	_, err = board.Open(blackboard.Subtask{ID: "a", Text: "t"})
	assert.ErrorIs(t, err, blackboard.ErrInvalid, "also when it is closed")
	assert.Len(t, board.Subtasks(), 1)
}

func TestFirstCloseCounts(t *testing.T) {
	board := blackboard.New(0)
	_, err := board.Open(blackboard.Subtask{ID: "a", Text: "t"})
	require.NoError(t, err)
	assert.ErrorIs(t, board.Close("b", "FINISH", nil, ""), blackboard.ErrNotFound)
	assert.ErrorIs(t, board.Close("a", "", nil, ""), blackboard.ErrInvalid)
	assert.ErrorIs(t, board.Close("a", "FINISH", json.RawMessage("{"), ""), blackboard.ErrNotSerialisable)
	require.Empty(t, board.Subtasks()[0].Status, "a refused close changes nothing")

	require.NoError(t, board.Close("a", "FAIL", json.RawMessage("null"), "why"))
	err = board.Close("a", "FINISH", json.RawMessage("2"), "")
	require.ErrorIs(t, err, blackboard.ErrClosed)
	assert.Equal(t, `blackboard: close "a": it is closed already`, err.Error())
	assert.Equal(t, []blackboard.Subtask{{ID: "a", Text: "t", Status: "FAIL", Result: json.RawMessage("null"), Reason: "why"}}, board.Subtasks())
}

func TestCloseOnAFullBoard(t *testing.T) {
	board := blackboard.New(10)
	_, err := board.Open(blackboard.Subtask{ID: "a", Text: "123456789"})
	require.NoError(t, err)
	require.ErrorIs(t, board.Close("a", "FINISH", json.RawMessage(`"large"`), ""), blackboard.ErrFull)
	require.Empty(t, board.Subtasks()[0].Status)
	require.NoError(t, board.Close("a", "FAIL", nil, strings.Repeat("why ", 10)), "what was begun can be ended")
	assert.Greater(t, board.Size(), 10)
	assert.ErrorIs(t, board.PutRaw("x", json.RawMessage("1")), blackboard.ErrFull)
}

func TestTextThatIsNotUTF8(t *testing.T) {
	board := blackboard.New(0)
	s, err := board.Open(blackboard.Subtask{ID: "a\xff", App: "b\xff", Text: "c\xff", DependsOn: []string{"d\xff"}})
	require.NoError(t, err)
	assert.Equal(t, blackboard.Subtask{ID: "a\uFFFD", App: "b\uFFFD", Text: "c\uFFFD", DependsOn: []string{"d\uFFFD"}}, s)
	require.NoError(t, board.Close("a\xff", "F\xff", nil, "g\xff"))
	assert.Equal(t, "g\uFFFD", board.Subtasks()[0].Reason)
}
