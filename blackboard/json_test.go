package blackboard_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
)

// fullBoard has everything that a board can hold.
func fullBoard(t testing.TB) *blackboard.Board {
	board := blackboard.New(0)
	require.NoError(t, blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Put(board, boarddata.Assignment{ID: "subtask_1", Application: "Word", Task: "<read> & tell",
		Context: json.RawMessage(`{"page":3}`), Timestamp: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}))
	require.NoError(t, blackboard.NewKey[boarddata.Progress](boarddata.TaskProgress).Put(board, boarddata.Progress{Total: 2, Finished: 1, Current: "subtask_2"}))
	require.NoError(t, board.PutRaw(boarddata.HostLastStep, json.RawMessage(`{"n":9007199254740993}`)))
	require.NoError(t, board.PutRaw(boarddata.Plan, json.RawMessage(`["a\u2028b","</script>"]`)))
	require.NoError(t, board.PutRaw("null", json.RawMessage("null")))
	require.NoError(t, board.PutRaw("deep", json.RawMessage(strings.Repeat("[", 1000)+strings.Repeat("]", 1000))))
	require.NoError(t, board.Append(boarddata.Requests, "<go>"))
	require.NoError(t, board.Append(boarddata.Answers, boarddata.QuestionAnswer{Agent: "host", Question: "q", Answer: "no answer"}))
	require.NoError(t, board.Append(boarddata.Trajectories, json.RawMessage("null")))
	require.NoError(t, board.Append(boarddata.Trajectories, json.RawMessage(`{"x":"\u003c"}`)))
	for i := range 4 {
		require.NoError(t, board.Inside().AppendLast("last", i, 2))
	}
	for _, s := range []blackboard.Subtask{{App: "Word", Text: "read"}, {ID: "subtask_3", Text: "x"}, {Text: "y", DependsOn: []string{"subtask_1"}}, {Text: "z"}} {
		_, err := board.Open(s)
		require.NoError(t, err)
	}
	require.NoError(t, board.Close("subtask_1", "FINISH", json.RawMessage(`{"html":"<b>"}`), ""))
	require.NoError(t, board.Close("subtask_3", "FAIL", json.RawMessage("null"), "R&D"))
	_, err := board.PutBlob("image/png", []byte{0, 1, 255})
	require.NoError(t, err)
	return board
}

// requireSame checks that two boards cannot be told apart.
func requireSame(t testing.TB, want, got *blackboard.Board) {
	t.Helper()
	require.Equal(t, want.Names(), got.Names())
	for _, name := range want.Names() {
		a, _ := want.Raw(name)
		b, _ := got.Raw(name)
		require.Equal(t, string(a), string(b), name)
	}
	require.Equal(t, want.Subtasks(), got.Subtasks())
	require.Equal(t, want.Size(), got.Size())
	a, err := want.MarshalJSON()
	require.NoError(t, err)
	b, err := got.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))
	whole, err := want.Render(-1)
	require.NoError(t, err)
	for _, size := range []int{-1, 0, max(120, len(whole)), max(120, len(whole)-1), 300, 120} {
		a, err := want.Render(size)
		require.NoError(t, err)
		b, err := got.Render(size)
		require.NoError(t, err)
		require.Equal(t, string(a), string(b), size)
		if size != 0 { // of 8 KiB
			require.Equal(t, size < 0 || size >= len(whole), string(whole) == string(a), size)
		}
	}
}

func TestRoundTripIsLossless(t *testing.T) {
	board := fullBoard(t)
	direct, err := board.MarshalJSON()
	require.NoError(t, err)
	escaped, err := json.Marshal(board) // escapes <, > and &
	require.NoError(t, err)
	indented, err := json.MarshalIndent(board, "", "  ")
	require.NoError(t, err)
	assert.NotEqual(t, string(direct), string(escaped))
	for _, text := range [][]byte{direct, escaped, indented} {
		got := blackboard.New(0)
		require.NoError(t, got.PutRaw("gone", json.RawMessage("1")))
		require.NoError(t, json.Unmarshal(text, got))
		requireSame(t, board, got)

		// It also goes on as the first one would have.
		item, err := got.Lookup("last.3")
		require.NoError(t, err)
		assert.Equal(t, "3", string(item))
		want, err := board.Open(blackboard.Subtask{Text: "next"})
		require.NoError(t, err)
		next, err := got.Open(blackboard.Subtask{Text: "next"})
		require.NoError(t, err)
		assert.Equal(t, want, next)
		assert.ErrorIs(t, got.PutRaw("requests", json.RawMessage("1")), blackboard.ErrInvalid)
		assert.ErrorIs(t, got.Close("subtask_1", "FAIL", nil, ""), blackboard.ErrClosed)
		board = fullBoard(t)
	}
}

// A sub-task that depends on nothing is the same before and after it was stored, however that was said.
func TestNoDependenciesAreStored(t *testing.T) {
	board, again := blackboard.New(0), blackboard.New(0)
	require.NoError(t, board.UnmarshalJSON([]byte(`{"version":1,"ops":[{"op":"open","n":1,"name":"a","task":"t","depends_on":[]}]}`)))
	_, err := board.Open(blackboard.Subtask{Text: "t", DependsOn: []string{}})
	require.NoError(t, err)
	text, err := board.MarshalJSON()
	require.NoError(t, err)
	require.NoError(t, again.UnmarshalJSON(text))
	got, want := again.Subtasks(), board.Subtasks()
	assert.Equal(t, want[0], got[0], "loaded")
	assert.Equal(t, want[1], got[1], "opened")
}

func TestStoredFormIsStable(t *testing.T) {
	board := blackboard.New(0)
	for _, name := range []string{"z", "a", "m"} {
		require.NoError(t, board.PutRaw(name, json.RawMessage("1")))
	}
	_, err := board.Open(blackboard.Subtask{ID: "s", App: "Word", Text: "t", DependsOn: []string{"d"}})
	require.NoError(t, err)
	require.NoError(t, board.Close("s", "FINISH", json.RawMessage("[1]"), "r"))
	require.NoError(t, board.Append(boarddata.Requests, "r"))
	require.NoError(t, board.Inside().AppendLast("last", 1, 1))
	require.NoError(t, board.Inside().AppendLast("last", 2, 1))
	_, err = board.PutBlob("image/png", []byte("x"))
	require.NoError(t, err)
	text, err := json.Marshal(board)
	require.NoError(t, err)
	assert.Equal(t, `{"version":1,"ops":[{"op":"put","name":"a","value":1},{"op":"append","name":"last","n":2,"value":2},{"op":"put","name":"m","value":1},`+
		`{"op":"append","name":"requests","n":1,"value":"r"},{"op":"put","name":"z","value":1},`+
		`{"op":"open","name":"s","n":1,"application":"Word","task":"t","depends_on":["d"]},{"op":"close","name":"s","value":[1],"status":"FINISH","reason":"r"},`+
		`{"op":"put_blob","name":"sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","media_type":"image/png","data":"eA=="}]}`, string(text))
}

func TestUnmarshalRefuses(t *testing.T) {
	want := fullBoard(t)
	refuse := func(text string) string {
		board := fullBoard(t)
		err := board.UnmarshalJSON([]byte(text))
		require.ErrorIs(t, err, blackboard.ErrInvalid, text)
		requireSame(t, want, board)
		return strings.TrimPrefix(err.Error(), "blackboard: load: invalid use: this is not what a board stored or logged: ")
	}
	golden.Cases(t, "unmarshal.txt", refuse)
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	refuse(`{"version":1,"ops":[{"op":"put","name":"v","value":` + deep + `}]}`)
}

func TestLoadingMoreThanTheBound(t *testing.T) {
	text, err := json.Marshal(fullBoard(t))
	require.NoError(t, err)
	board := blackboard.New(100)
	require.NoError(t, json.Unmarshal(text, board))
	require.NoError(t, board.UnmarshalJSON([]byte(" null ")), "changes nothing")
	requireSame(t, fullBoard(t), board)
	assert.ErrorIs(t, board.PutRaw("x", json.RawMessage("1")), blackboard.ErrFull)
	require.NoError(t, board.PutRaw("deep", json.RawMessage("1")))
}
