package blackboard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
)

// replay does operations once more that are given as JSON, without the brackets.
func replay(board *blackboard.Board, text string) error {
	var ops []boarddata.Op
	if err := json.Unmarshal([]byte("["+text+"]"), &ops); err != nil {
		return err
	}
	return board.Inside().Replay(ops)
}

func TestReplayRefuses(t *testing.T) {
	want := fullBoard(t)
	all := want.Subtasks()
	names := strings.NewReplacer("LAST", all[len(all)-1].ID, "REFX", refX)
	golden.Cases(t, "replay.txt", func(ops string) string {
		board := fullBoard(t)
		board.Inside().LogOps()
		err := replay(board, names.Replace(ops))
		require.ErrorIs(t, err, blackboard.ErrInvalid, ops)
		requireSame(t, want, board)
		_, text := opsOf(t, board)
		assert.Empty(t, text)
		return strings.TrimPrefix(err.Error(), "blackboard: replay: invalid use: this is not what a board stored or logged: ")
	})
}

func TestReplayOfWhatMakesNoDifference(t *testing.T) {
	board := blackboard.New(0)
	require.NoError(t, board.Inside().Replay(nil))
	board.Inside().LogOps()
	require.NoError(t, replay(board, `{"op":"put","name":"a","value":1,"later":{}},{"op":"delete","name":"never there"},{"op":"delete_blob","name":"neither"}`))
	assert.Equal(t, []string{"a"}, board.Names())
	_, text := opsOf(t, board)
	assert.Equal(t, `{"op":"put","name":"a","value":1}`, text)
}

// What Replay is given stays its caller's.
func TestReplayCopies(t *testing.T) {
	board := blackboard.New(0)
	op := boarddata.Op{Kind: boarddata.OpPutBlob, Name: refX, MediaType: "image/png", Data: []byte("x")}
	value := boarddata.Op{Kind: "put", Name: "a", Value: json.RawMessage("1")}
	opened := boarddata.Op{Kind: "open", Name: "s", N: 1, Text: "t", DependsOn: []string{"d"}}
	require.NoError(t, board.Inside().Replay([]boarddata.Op{op, value, opened}))
	op.Data[0], value.Value[0], opened.DependsOn[0] = 'y', '2', "e"
	mediaType, data, ok := board.Blob(refX)
	require.True(t, ok)
	assert.Equal(t, "x", string(data))
	assert.Equal(t, "image/png", mediaType)
	raw, _ := board.Raw("a")
	assert.Equal(t, "1", string(raw))
	assert.Equal(t, []string{"d"}, board.Subtasks()[0].DependsOn)
}

// A board that was full when it was recorded can be made again, and is bounded afterwards.
func TestReplayOfMoreThanTheBound(t *testing.T) {
	board := blackboard.New(10)
	require.NoError(t, replay(board, `{"op":"put","name":"a","value":"a value of some length"}`))
	require.ErrorIs(t, board.PutRaw("b", json.RawMessage("1")), blackboard.ErrFull)
	require.Error(t, replay(board, `{}`))
	assert.ErrorIs(t, board.PutRaw("b", json.RawMessage("1")), blackboard.ErrFull)
}

// FuzzReplay: any operations either fit a board, which can be stored and loaded
// afterwards, or leave it as it was.
func FuzzReplay(f *testing.F) {
	board := shallowBoard(f)
	board.Inside().LogOps()
	require.NoError(f, board.PutRaw("a", json.RawMessage("1")))
	require.NoError(f, board.Delete("null"))
	_, err := board.PutNew("n", json.RawMessage("1"))
	require.NoError(f, err)
	require.NoError(f, board.Append(boarddata.Requests, "more"))
	_, err = board.PutBlob("image/png", []byte("x"))
	require.NoError(f, err)
	for _, s := range board.Subtasks() {
		_ = board.Close(s.ID, "FINISH", json.RawMessage(`{"a":[1]}`), "")
	}
	_, err = board.Open(blackboard.Subtask{Text: "t"})
	require.NoError(f, err)
	_, text := opsOf(f, board)
	f.Add("[" + text + "]")
	f.Add("[" + text + `,{"op":"close","name":"subtask_1","status":"F"}]`)
	require.NoError(f, board.UnmarshalJSON([]byte(`{"version":1,"ops":[{"op":"put","name":"v","value":1},{"op":"open","n":3,"name":"a","task":"t"}]}`)))
	board.DeleteBlob(refX)
	_, text = opsOf(f, board)
	f.Add("[" + text + "]")
	f.Add(`[{"op":"drop","name":"last","n":3},{"op":"append","name":"last","n":5,"value":1},{"op":"drop","name":"last","n":4}]`)
	f.Add(`[{"op":"append","name":"requests","n":2,"value":"\u003c"},{"op":"put_new","name":"n","n":3,"value":1},{"op":"delete","name":"n_3"},{"op":"later"}]`)
	before := shallowBoard(f)
	f.Fuzz(func(t *testing.T, text string) {
		var ops []boarddata.Op
		if json.Unmarshal([]byte(text), &ops) != nil {
			return
		}
		board := shallowBoard(t)
		board.Inside().LogOps()
		if err := board.Inside().Replay(ops); err != nil {
			require.ErrorIs(t, err, blackboard.ErrInvalid)
			requireSame(t, before, board)
			_, text := opsOf(t, board)
			require.Empty(t, text)
			return
		}
		stored, err := json.Marshal(board)
		require.NoError(t, err)
		again := blackboard.New(0)
		require.NoError(t, json.Unmarshal(stored, again))
		requireSame(t, board, again)
		follower := shallowBoard(t)
		ops, _ = opsOf(t, board)
		require.NoError(t, follower.Inside().Replay(ops))
		requireSame(t, board, follower)
	})
}

// shallowBoard is fullBoard without what takes a fuzzer long.
func shallowBoard(t testing.TB) *blackboard.Board {
	board := fullBoard(t)
	require.NoError(t, board.Delete("deep"))
	return board
}
