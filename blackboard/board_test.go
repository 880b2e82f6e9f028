package blackboard_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

func TestZeroBoardIsEmpty(t *testing.T) {
	board := &blackboard.Board{}
	assert.Empty(t, board.Names())
	assert.Empty(t, board.Subtasks())
	assert.Zero(t, board.Size())
	board.DeleteBlob("x")
	require.NoError(t, board.Delete("x"))
	require.NoError(t, board.PutRaw("x", json.RawMessage("1")))
	require.NoError(t, board.Delete("x"))
	assert.Zero(t, board.Size())
	raw, err := board.Render(0)
	require.NoError(t, err)
	assert.Equal(t, "{}", string(raw))
	require.NoError(t, board.PutRaw(boarddata.Plan, json.RawMessage(`["a"]`)))
	_, err = board.PutBlob("", []byte{1})
	require.NoError(t, err)
	_, err = board.Open(blackboard.Subtask{ID: "s", Text: "t"})
	require.NoError(t, err)
	require.NoError(t, board.Close("s", "FINISH", nil, ""))
	require.ErrorIs(t, board.Delete("subtask_result_1"), blackboard.ErrInvalid)
}

func TestNames(t *testing.T) {
	board := blackboard.New(0)
	for _, name := range []string{"b", "a.b", "ü", "subtask_result_", "subtask_result_0", "subtask_result_01", "subtask_result_1x", "subtask_result_99999999999999999999"} {
		assert.NoError(t, board.PutRaw(name, json.RawMessage("1")), name)
	}
	require.NoError(t, board.Append("list", 1))
	assert.Equal(t, []string{"a.b", "b", "list", "subtask_result_", "subtask_result_0", "subtask_result_01", "subtask_result_1x",
		"subtask_result_99999999999999999999", "ü"}, board.Names())

	for name, want := range map[string]error{
		"":                  blackboard.ErrInvalid,
		"\xff":              blackboard.ErrInvalid,
		"subtask_result_1":  blackboard.ErrInvalid,
		"subtask_result_42": blackboard.ErrInvalid,
	} {
		assert.ErrorIs(t, board.PutRaw(name, json.RawMessage("1")), want, "%q", name)
		assert.ErrorIs(t, blackboard.NewKey[int](name).Put(board, 1), want, "%q", name)
		assert.ErrorIs(t, board.Append(name, 1), want, "%q", name)
	}
}

func TestListsOnlyGrow(t *testing.T) {
	board := blackboard.New(0)
	list := blackboard.NewKey[[][]int]("list")
	_, ok, err := list.Get(board)
	require.NoError(t, err)
	assert.False(t, ok)

	mine := []int{1}
	require.NoError(t, board.Append("list", mine))
	mine[0] = 9
	require.NoError(t, board.Append("list", []int{2, 3}))
	all, ok, err := list.Get(board)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, [][]int{{1}, {2, 3}}, all)
	all[0][0] = 9

	raw, ok := board.Raw("list")
	require.True(t, ok)
	assert.Equal(t, "[[1],[2,3]]", string(raw))
	again, _, err := list.Get(board)
	require.NoError(t, err)
	assert.Equal(t, [][]int{{1}, {2, 3}}, again, "what was read is a copy")

	assert.ErrorIs(t, board.PutRaw("list", json.RawMessage("[]")), blackboard.ErrInvalid)
	assert.ErrorIs(t, board.Delete("list"), blackboard.ErrInvalid)
	assert.ErrorIs(t, blackboard.NewKey[[]int]("list").Put(board, nil), blackboard.ErrInvalid)
	_, _, err = blackboard.NewKey[[]string]("list").Get(board)
	assert.ErrorIs(t, err, blackboard.ErrInvalid)

	require.NoError(t, board.PutRaw("value", json.RawMessage("[]")))
	assert.ErrorIs(t, board.Append("value", 1), blackboard.ErrInvalid)
}

func TestBound(t *testing.T) {
	board := blackboard.New(20)
	require.NoError(t, board.PutRaw("a", json.RawMessage(`"12345678"`))) // 1 + 10
	require.NoError(t, board.PutRaw("b", json.RawMessage(`"123456"`)))   // 1 + 8
	assert.Equal(t, 20, board.Size())

	err := board.PutRaw("c", json.RawMessage("1"))
	require.ErrorIs(t, err, blackboard.ErrFull)
	assert.Equal(t, `blackboard: put "c": the board is full: 2 bytes more than the 20 in use exceed 20`, err.Error())
	assert.ErrorIs(t, board.PutRaw("a", json.RawMessage(`"123456789"`)), blackboard.ErrFull)
	assert.ErrorIs(t, board.Append("l", 1), blackboard.ErrFull)
	_, err = board.Open(blackboard.Subtask{Text: "t"})
	assert.ErrorIs(t, err, blackboard.ErrFull)
	_, err = board.PutBlob("x", []byte{1})
	assert.ErrorIs(t, err, blackboard.ErrFull)
	assert.Equal(t, 20, board.Size(), "what was refused takes no room")
	assert.Equal(t, []string{"a", "b"}, board.Names())

	require.NoError(t, board.PutRaw("a", json.RawMessage(`"12345679"`)), "same size")
	require.NoError(t, board.PutRaw("a", json.RawMessage(`1`)))
	assert.Equal(t, 11, board.Size())
	require.NoError(t, board.PutRaw("c", json.RawMessage("1")))
}

func TestDefaultBound(t *testing.T) {
	almost := make([]byte, 64<<20-100)
	for _, c := range []struct {
		maxBytes int
		want     error
	}{
		{0, blackboard.ErrFull},
		{-1, nil},
	} {
		board := blackboard.New(c.maxBytes)
		_, err := board.PutBlob("", almost)
		require.NoError(t, err)
		require.NoError(t, board.PutRaw("small", json.RawMessage("1")))
		assert.ErrorIs(t, board.PutRaw("more", json.RawMessage(`"`+strings.Repeat("x", 100)+`"`)), c.want)
	}
}

func TestBlobs(t *testing.T) {
	board := blackboard.New(0)
	mine := []byte("picture")
	sum := sha256.Sum256(mine)
	ref, err := board.PutBlob("image/png", mine)
	require.NoError(t, err)
	assert.Equal(t, "sha256:"+hex.EncodeToString(sum[:]), ref)
	size := board.Size()
	mine[0] = 'X'

	again, err := board.PutBlob("image/jpeg", []byte("picture"))
	require.NoError(t, err)
	assert.Equal(t, ref, again, "same content, stored once")
	assert.Equal(t, size, board.Size())

	mediaType, data, ok := board.Blob(ref)
	require.True(t, ok)
	assert.Equal(t, "image/png", mediaType)
	assert.Equal(t, "picture", string(data))
	data[0] = 'X'
	_, data, _ = board.Blob(ref)
	assert.Equal(t, "picture", string(data))

	_, err = board.PutBlob("image/png", nil)
	assert.ErrorIs(t, err, blackboard.ErrInvalid)
	board.DeleteBlob(ref)
	_, _, ok = board.Blob(ref)
	assert.False(t, ok)
	assert.Zero(t, board.Size())
}
