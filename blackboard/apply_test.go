package blackboard_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
)

func TestApplyRefuses(t *testing.T) {
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	for name, text := range map[string]string{
		"no JSON":                 `{`,
		"more":                    `{"version":1} {}`,
		"array":                   `[]`,
		"null":                    `null`,
		"no version":              `{}`,
		"newer version":           `{"version":2}`,
		"wrong member":            `{"version":1,"values":[]}`,
		"empty name":              `{"version":1,"values":{"":1}}`,
		"reserved name":           `{"version":1,"values":{"subtask_result_1":1}}`,
		"deep value":              `{"version":1,"values":{"v":` + deep + `}}`,
		"value for a list":        `{"version":1,"values":{"requests":1}}`,
		"deleted list":            `{"version":1,"deleted":["requests"]}`,
		"deleted result":          `{"version":1,"deleted":["subtask_result_1"]}`,
		"deleted and set":         `{"version":1,"deleted":["null"],"values":{"null":1}}`,
		"list for a value":        `{"version":1,"lists":{"null":{"from":0,"items":[1]}}}`,
		"list with a gap":         `{"version":1,"lists":{"requests":{"from":2,"items":[1]}}}`,
		"list told twice":         `{"version":1,"lists":{"requests":{"from":0,"items":[1]}}}`,
		"new list with a gap":     `{"version":1,"lists":{"l":{"from":1,"items":[1]}}}`,
		"list from nowhere":       `{"version":1,"lists":{"l":{"from":-1,"items":[1]}}}`,
		"empty list":              `{"version":1,"lists":{"requests":{"from":1,"items":[]}}}`,
		"reserved list":           `{"version":1,"lists":{"subtask_result_9":{"from":0,"items":[1]}}}`,
		"list and value":          `{"version":1,"lists":{"l":{"from":0,"items":[1]}},"values":{"l":1}}`,
		"number of nothing":       `{"version":1,"numbered":{"":1}}`,
		"number too low":          `{"version":1,"numbered":{"n":0}}`,
		"null sub-task":           `{"version":1,"opened":[null]}`,
		"sub-task told twice":     `{"version":1,"opened":[{"n":5,"id":"new","task":"t","status":""}]}`,
		"sub-task with a used id": `{"version":1,"opened":[{"n":9,"id":"subtask_1","task":"t","status":""}]}`,
		"sub-task without a task": `{"version":1,"opened":[{"n":9,"id":"new","status":""}]}`,
		"open with an outcome":    `{"version":1,"opened":[{"n":9,"id":"new","task":"t","status":"","data":1}]}`,
		"closed without a status": `{"version":1,"closed":[{"n":4,"id":"subtask_4","status":""}]}`,
		"closed, deep result":     `{"version":1,"closed":[{"n":4,"id":"subtask_4","status":"F","data":` + deep + `}]}`,
		"closed before":           `{"version":1,"closed":[{"n":1,"id":"subtask_1","status":"F"}]}`,
		"closed, not opened":      `{"version":1,"closed":[{"n":9,"id":"nobody","status":"F"}]}`,
		"closed, other number":    `{"version":1,"closed":[{"n":9,"id":"subtask_4","status":"F"}]}`,
		"closed twice":            `{"version":1,"closed":[{"n":4,"id":"subtask_4","status":"F"},{"n":4,"id":"subtask_4","status":"F"}]}`,
		"blob that nobody has":    `{"version":1,"blobs":[{"ref":"sha256:00"}]}`,
		"blob put and dropped":    `{"version":1,"blobs":[{"ref":"` + refThree + `"}],"dropped":["` + refThree + `"]}`,
		"all, and a gap":          `{"version":1,"all":true,"lists":{"l":{"from":1,"items":[1]}}}`,
		"all, and deleted":        `{"version":1,"all":true,"deleted":["a"]}`,
		"good, then bad":          `{"version":1,"values":{"a":1},"opened":[{"n":9,"id":"new","task":"t","status":""}],"closed":[{"n":1,"id":"subtask_1","status":"F"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			board := fullBoard(t)
			if id := `"id":"subtask_4"`; strings.Contains(text, id) { // which it is called
				all := board.Subtasks()
				last, _ := board.ResultName(all[len(all)-1].ID)
				n := strings.TrimPrefix(last, "subtask_result_")
				text = strings.NewReplacer(id, `"id":"subtask_`+n+`"`, `"n":4`, `"n":`+n).Replace(text)
			}
			board.Track()
			err := board.Apply([]byte(text), nil)
			require.ErrorIs(t, err, blackboard.ErrCorrupt)
			var e *blackboard.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "apply", e.Op)
			requireSame(t, fullBoard(t), board)
			assert.Empty(t, changesOf(t, board))
		})
	}
}

const refThree = "sha256:00" // refused before its bytes are looked at

func TestApplyIgnoresUnknownMembers(t *testing.T) {
	board := blackboard.New(nil)
	require.NoError(t, board.Apply(nil, nil))
	require.NoError(t, board.Apply([]byte(`{"version":1,"later":{},"values":{"a":1},"deleted":["never there"],"dropped":["neither"]}`), nil))
	assert.Equal(t, []string{"a"}, board.Names())
	none, err := blackboard.NewBlobs(nil)
	require.NoError(t, err)
	assert.Empty(t, none)
	_, err = blackboard.NewBlobs([]byte(`{}`))
	assert.ErrorIs(t, err, blackboard.ErrCorrupt)
}

func TestApplyBlobs(t *testing.T) {
	changes := []byte(`{"version":1,"values":{"a":1},"blobs":[{"ref":"` + refX + `","media_type":"image/png","size":1}]}`)
	t.Run("its bytes", func(t *testing.T) {
		board, mine := blackboard.New(nil), []byte("x")
		require.NoError(t, board.Apply(changes, func(ref string) ([]byte, error) {
			assert.Equal(t, refX, ref)
			board.Names() // no lock is held
			return mine, nil
		}))
		mine[0] = 'y'
		info, data, ok := board.Blob(refX)
		require.True(t, ok)
		assert.Equal(t, "x", string(data), "a copy")
		assert.Equal(t, blackboard.Blob{Ref: refX, MediaType: "image/png", Size: 1}, info)
	})
	t.Run("nobody has them any more", func(t *testing.T) {
		board := blackboard.New(nil)
		require.NoError(t, board.Apply(changes, func(string) ([]byte, error) { return nil, nil }))
		_, _, ok := board.Blob(refX)
		assert.False(t, ok)
		assert.Equal(t, []string{"a"}, board.Names())
	})
	t.Run("other bytes", func(t *testing.T) {
		board := blackboard.New(nil)
		for _, data := range []string{"", "y"} {
			err := board.Apply(changes, func(string) ([]byte, error) { return []byte(data), nil })
			require.ErrorIs(t, err, blackboard.ErrCorrupt)
			assert.Zero(t, board.Size())
		}
	})
	t.Run("no bytes", func(t *testing.T) {
		board, cause := blackboard.New(nil), errors.New("no disk")
		err := board.Apply(changes, func(string) ([]byte, error) { return nil, cause })
		require.ErrorIs(t, err, cause)
		assert.NotErrorIs(t, err, blackboard.ErrCorrupt)
		assert.Zero(t, board.Size())
	})
}

func TestApplyingMoreThanTheBound(t *testing.T) {
	board := blackboard.New(&blackboard.Options{MaxBytes: 10})
	require.NoError(t, board.Apply([]byte(`{"version":1,"values":{"a":"a value of some length"}}`), nil))
	assert.ErrorIs(t, board.PutRaw("b", json.RawMessage("1")), blackboard.ErrFull)
}

// FuzzApply: any changes either fit a board, which can be stored and loaded
// afterwards, or leave it as it was.
func FuzzApply(f *testing.F) {
	board := shallowBoard(f)
	board.Track()
	require.NoError(f, board.PutRaw("a", json.RawMessage("1")))
	require.NoError(f, board.Delete("null"))
	require.NoError(f, blackboard.Requests.Append(board, "more"))
	_, err := board.PutBlob("image/png", []byte("x"))
	require.NoError(f, err)
	for _, s := range board.Subtasks() {
		_ = board.Close(s.ID, "FINISH", json.RawMessage(`{"a":[1]}`), "")
	}
	_, err = board.Open(blackboard.Subtask{Text: "t"})
	require.NoError(f, err)
	f.Add([]byte(changesOf(f, board)))
	require.NoError(f, board.UnmarshalJSON([]byte(`{"version":1,"values":{"v":1}}`)))
	f.Add([]byte(changesOf(f, board)))
	f.Add([]byte(`{"version":1,"lists":{"requests":{"from":1,"items":["\u003c"]}},"numbered":{"n":3}}`))
	before := shallowBoard(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		board := shallowBoard(t)
		board.Track()
		err := board.Apply(text, func(string) ([]byte, error) { return []byte("x"), nil })
		if err != nil {
			require.ErrorIs(t, err, blackboard.ErrCorrupt)
			requireSame(t, before, board)
			return
		}
		stored, err := json.Marshal(board)
		require.NoError(t, err)
		again := blackboard.New(nil)
		require.NoError(t, json.Unmarshal(stored, again))
		requireSame(t, board, again)
		_, err = blackboard.NewBlobs(text)
		require.NoError(t, err)
		follower := shallowBoard(t)
		require.NoError(t, follower.Apply([]byte(changesOf(t, board)), func(ref string) ([]byte, error) {
			_, data, _ := board.Blob(ref)
			return data, nil
		}))
		requireSame(t, board, follower)
	})
}

// shallowBoard is fullBoard without what takes a fuzzer long.
func shallowBoard(t testing.TB) *blackboard.Board {
	board := fullBoard(t)
	require.NoError(t, board.Delete("deep"))
	return board
}
