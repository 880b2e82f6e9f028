package blackboard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
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
	for name, tc := range map[string]struct {
		ops  string
		also error
	}{
		"nothing":                     {ops: `{}`},
		"a kind of later":             {ops: `{"op":"rename","name":"null"}`},
		"no value":                    {ops: `{"op":"put","name":"a"}`, also: blackboard.ErrNotSerialisable},
		"empty name":                  {ops: `{"op":"put","value":1}`, also: blackboard.ErrInvalid},
		"value for a list":            {ops: `{"op":"put","name":"requests","value":1}`, also: blackboard.ErrInvalid},
		"deleted list":                {ops: `{"op":"delete","name":"requests"}`, also: blackboard.ErrInvalid},
		"list for a value":            {ops: `{"op":"append","name":"null","n":1,"value":1}`, also: blackboard.ErrInvalid},
		"list with a gap":             {ops: `{"op":"append","name":"requests","n":3,"value":1}`},
		"item told twice":             {ops: `{"op":"append","name":"requests","n":1,"value":"<go>"}`},
		"item without a value":        {ops: `{"op":"append","name":"l","n":1}`},
		"reserved list":               {ops: `{"op":"append","name":"subtask_result_9","n":1,"value":1}`, also: blackboard.ErrInvalid},
		"number too low":              {ops: `{"op":"put_new","name":"n","value":1}`, also: blackboard.ErrInvalid},
		"number too high":             {ops: `{"op":"put_new","name":"n","n":2147483647,"value":1}`},
		"number that was used":        {ops: `{"op":"put_new","name":"n","n":1,"value":1},{"op":"delete","name":"n_1"},{"op":"put_new","name":"n","n":1,"value":1}`, also: blackboard.ErrInvalid},
		"number of a value":           {ops: `{"op":"put","name":"n_1","value":1},{"op":"put_new","name":"n","n":1,"value":1}`, also: blackboard.ErrInvalid},
		"sub-task told twice":         {ops: `{"op":"open","name":"new","n":5,"task":"t"}`, also: blackboard.ErrInvalid},
		"sub-task with a used id":     {ops: `{"op":"open","name":"subtask_1","n":9,"task":"t"}`, also: blackboard.ErrInvalid},
		"sub-task without an id":      {ops: `{"op":"open","n":9,"task":"t"}`, also: blackboard.ErrInvalid},
		"number of a result":          {ops: `{"op":"put_new","name":"subtask_result","n":9,"value":1}`, also: blackboard.ErrInvalid},
		"sub-task without a task":     {ops: `{"op":"open","name":"new","n":9,"task":" "}`, also: blackboard.ErrInvalid},
		"closed without a status":     {ops: `{"op":"close","name":"LAST"}`, also: blackboard.ErrInvalid},
		"closed before":               {ops: `{"op":"close","name":"subtask_1","status":"F"}`, also: blackboard.ErrClosed},
		"closed, not opened":          {ops: `{"op":"close","name":"nobody","status":"F"}`, also: blackboard.ErrNotFound},
		"blob without its bytes":      {ops: `{"op":"put_blob","name":"` + refX + `","media_type":"image/png"}`},
		"blob with others":            {ops: `{"op":"put_blob","name":"` + refX + `","media_type":"image/png","data":"eQ=="}`},
		"load of nothing":             {ops: `{"op":"load"}`},
		"load of another version":     {ops: `{"op":"load","value":{"version":2}}`},
		"good, then bad":              {ops: `{"op":"put","name":"a","value":1},{"op":"open","name":"new","n":9,"task":"t"},{"op":"close","name":"subtask_1","status":"F"}`, also: blackboard.ErrClosed},
		"everything replaced, bad":    {ops: `{"op":"load","value":{"version":1}},{"op":"append","name":"requests","n":2,"value":1}`},
		"loaded, then closed as once": {ops: `{"op":"load","value":{"version":1}},{"op":"close","name":"LAST","status":"F"}`, also: blackboard.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			board := fullBoard(t)
			all := board.Subtasks()
			board.Inside().LogOps()
			err := replay(board, strings.ReplaceAll(tc.ops, "LAST", all[len(all)-1].ID))
			require.ErrorIs(t, err, blackboard.ErrInvalid)
			if tc.also != nil {
				require.ErrorIs(t, err, tc.also, "the board's own rule")
			}
			assert.Contains(t, err.Error(), "blackboard: replay: ")
			requireSame(t, fullBoard(t), board)
			_, text := opsOf(t, board)
			assert.Empty(t, text)
		})
	}
}

func TestReplayOfWhatMakesNoDifference(t *testing.T) {
	board := blackboard.New(nil)
	require.NoError(t, board.Inside().Replay(nil))
	board.Inside().LogOps()
	require.NoError(t, replay(board, `{"op":"put","name":"a","value":1,"later":{}},{"op":"delete","name":"never there"},{"op":"delete_blob","name":"neither"}`))
	assert.Equal(t, []string{"a"}, board.Names())
	_, text := opsOf(t, board)
	assert.Equal(t, `{"op":"put","name":"a","value":1}`, text)
}

// What Replay is given stays its caller's.
func TestReplayCopies(t *testing.T) {
	board := blackboard.New(nil)
	op := boarddata.Op{Kind: boarddata.OpPutBlob, Name: refX, MediaType: "image/png", Data: []byte("x")}
	value := boarddata.Op{Kind: "put", Name: "a", Value: json.RawMessage("1")}
	opened := boarddata.Op{Kind: "open", Name: "s", N: 1, Text: "t", DependsOn: []string{"d"}}
	require.NoError(t, board.Inside().Replay([]boarddata.Op{op, value, opened}))
	op.Data[0], value.Value[0], opened.DependsOn[0] = 'y', '2', "e"
	info, data, ok := board.Blob(refX)
	require.True(t, ok)
	assert.Equal(t, "x", string(data))
	assert.Equal(t, blackboard.Blob{Ref: refX, MediaType: "image/png", Size: 1}, info)
	raw, _ := board.Raw("a")
	assert.Equal(t, "1", string(raw))
	assert.Equal(t, []string{"d"}, board.Subtasks()[0].DependsOn)
}

// A board that was full when it was recorded can be made again, and is bounded afterwards.
func TestReplayOfMoreThanTheBound(t *testing.T) {
	board := blackboard.New(&blackboard.Options{MaxBytes: 10})
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
	require.NoError(f, board.UnmarshalJSON([]byte(`{"version":1,"values":{"v":1},"subtasks":[{"n":3,"id":"a","task":"t","status":"F","data":{"x":1}}]}`)))
	board.DeleteBlob(refX)
	_, text = opsOf(f, board)
	f.Add("[" + text + "]")
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
		again := blackboard.New(nil)
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
