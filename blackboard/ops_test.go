package blackboard_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/sample"
)

// opsOf returns what was done, and as JSON, without the brackets; "" for nothing.
func opsOf(t testing.TB, board *blackboard.Board) ([]boarddata.Op, string) {
	t.Helper()
	ops, err := board.Inside().TakeOps()
	require.NoError(t, err)
	if len(ops) == 0 {
		return nil, ""
	}
	return ops, textOf(t, ops)
}

func textOf(t testing.TB, ops []boarddata.Op) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(ops))
	return strings.Trim(buf.String(), "[]\n")
}

// The stable form, so that a change to it is seen.
func TestOpsAreWhatWasDone(t *testing.T) {
	board := fullBoard(t)
	_, err := board.Inside().TakeOps()
	require.ErrorContains(t, err, "not logged")
	board.Inside().LogOps()
	_, text := opsOf(t, board)
	assert.Empty(t, text, "what was done before is not logged")

	put := func(name, value string) { require.NoError(t, board.PutRaw(name, json.RawMessage(value))) }
	for _, tc := range []struct {
		name, want string
		do         func()
	}{
		{"a value", `{"op":"put","name":"a","value":1}`, func() { put("a", " 1") }},
		{"null", `{"op":"put","name":"a","value":null}`, func() { put("a", "null") }},
		{"several", `{"op":"put","name":"a","value":3},{"op":"put","name":"b","value":1},{"op":"put","name":"a","value":4}`, func() {
			put("a", "3")
			put("b", "1")
			put("a", "4")
		}},
		{"a numbered one", `{"op":"put_new","name":"n","n":1,"value":"<"}`, func() { putAs(t, board, "n", `"\u003c"`) }},
		{"numbered and put", `{"op":"put_new","name":"m","n":1,"value":1},{"op":"put","name":"m_1","value":2}`, func() {
			putAs(t, board, "m", "1")
			put("m_1", "2")
		}},
		{"numbered, deleted, put", `{"op":"put_new","name":"n","n":2,"value":1},{"op":"delete","name":"n_2"},{"op":"put","name":"n_2","value":2}`, func() {
			putAs(t, board, "n", "1")
			require.NoError(t, board.Delete("n_2"))
			put("n_2", "2")
		}},
		{"deleted", `{"op":"delete","name":"a"}`, func() { require.NoError(t, board.Delete("a")) }},
		{"deleted and put", `{"op":"delete","name":"b"},{"op":"put","name":"b","value":1}`, func() {
			require.NoError(t, board.Delete("b"))
			put("b", "1")
		}},
		{"refused", ``, func() {
			assert.Error(t, board.PutRaw("requests", json.RawMessage("1")))
			assert.Error(t, board.Close("none", "F", nil, ""))
			assert.Error(t, board.Append("b", 1))
			assert.Error(t, board.UnmarshalJSON([]byte("{}")))
		}},
		{"a list", `{"op":"append","name":"requests","n":2,"value":"b"},{"op":"append","name":"requests","n":3,"value":"b"}`, func() {
			require.NoError(t, board.Append(boarddata.Requests, "b"))
			require.NoError(t, board.Append(boarddata.Requests, "b"))
		}},
		{"a list that loses its first items", `{"op":"append","name":"last","n":5,"value":4},{"op":"drop","name":"last","n":3},{"op":"append","name":"last","n":6,"value":5},{"op":"drop","name":"last","n":4}`, func() {
			require.NoError(t, board.Inside().AppendLast("last", 4, 2))
			require.NoError(t, board.Inside().AppendLast("last", 5, 2))
		}},
		{"a list in the place of a value", `{"op":"put","name":"x","value":1},{"op":"delete","name":"x"},{"op":"append","name":"x","n":1,"value":2}`, func() {
			put("x", "1")
			require.NoError(t, board.Delete("x"))
			require.NoError(t, board.Append("x", 2))
		}},
		{"opened", `{"op":"open","name":"s","n":6,"application":"Word","task":"t","depends_on":["d"]}`, func() {
			_, err := board.Open(blackboard.Subtask{ID: "s", App: "Word", Text: "t", DependsOn: []string{"d"}})
			require.NoError(t, err)
		}},
		{"closed", `{"op":"close","name":"s","value":[1],"status":"FINISH","reason":"r"}`, func() {
			require.NoError(t, board.Close("s", "FINISH", json.RawMessage("[1]"), "r"))
		}},
		{"a blob", `{"op":"put_blob","name":"` + refX + `","media_type":"image/png","data":"eA=="}`, func() { putX(t, board) }},
		{"a blob deleted", `{"op":"delete_blob","name":"` + refX + `"}`, func() {
			putX(t, board) // it is there
			board.DeleteBlob(refX)
		}},
		{"everything", `{"op":"clear"},{"op":"put","name":"new","value":1},{"op":"put_blob","name":"` + refX + `","media_type":"m","data":"eA=="}`, func() {
			require.NoError(t, board.UnmarshalJSON([]byte(`{"version":1,"ops":[{"op":"put","name":"new","value":1},{"op":"put_blob","name":"`+refX+`","data":"eA==","media_type":"m"}]}`)))
		}},
	} {
		tc.do()
		_, text := opsOf(t, board)
		assert.Equal(t, tc.want, text, tc.name)
	}
	put("forgotten", "1")
	board.Inside().LogOps()
	_, text = opsOf(t, board)
	assert.Empty(t, text, "LogOps starts anew")
}

func putX(t *testing.T, board *blackboard.Board) {
	t.Helper()
	_, err := board.PutBlob("image/png", []byte("x"))
	require.NoError(t, err)
}

func putAs(t *testing.T, board *blackboard.Board, prefix, value string) {
	t.Helper()
	_, err := board.PutNew(prefix, json.RawMessage(value))
	require.NoError(t, err)
}

const refX = "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of the byte x

// touch does something to the board, whatever.
func touch(t *testing.T, r *rand.Rand, board *blackboard.Board) {
	name := fmt.Sprint("v", r.IntN(6))
	if r.IntN(4) == 0 {
		name = fmt.Sprint("new_", 1+r.IntN(20)) // what PutNew put, or passes over
	}
	value := json.RawMessage(fmt.Sprintf(`{"n":%d,"s":"<%d>"}`, r.IntN(3), r.IntN(3)))
	switch r.IntN(13) {
	case 0, 1:
		_ = board.PutRaw(name, value) // it may be a list
	case 2:
		_ = board.Delete(name)
	case 3, 4:
		_ = board.Append(name, value)
	case 5:
		_, err := board.PutNew("new", value)
		require.NoError(t, err)
	case 6, 7:
		_, err := board.Open(blackboard.Subtask{App: "a", Text: "t", DependsOn: []string{"d"}})
		require.NoError(t, err)
	case 8, 9:
		for _, s := range board.Subtasks() {
			if s.Status == "" && r.IntN(2) == 0 {
				require.NoError(t, board.Close(s.ID, "FINISH", [][]byte{nil, value, []byte("null")}[r.IntN(3)], "r"))
			}
		}
	case 10:
		_, err := board.PutBlob([]string{"a", "b"}[r.IntN(2)], fmt.Append(nil, r.IntN(5)))
		require.NoError(t, err)
	case 11:
		data := fmt.Append(nil, r.IntN(5))
		ref, err := blackboard.New(0).PutBlob("", data)
		require.NoError(t, err)
		board.DeleteBlob(ref)
	case 12:
		ref, err := board.PutBlob("", fmt.Append(nil, r.IntN(5)))
		require.NoError(t, err)
		_ = board.Inside().AppendLast(name, ref, 3)
	}
}

// Whatever is done to a board, one that does the same once more is the same after each
// time. And what is done once more is logged itself: a third one follows the second.
// After a replay that fails a board is as it was, and nothing of it is logged.
func TestReplayBringsAnotherBoardAlong(t *testing.T) {
	for seed := 0; seed < sample.Of(60, 8); seed += sample.Raced(4) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		first, second, third := fullBoard(t), fullBoard(t), fullBoard(t)
		first.Inside().LogOps()
		second.Inside().LogOps()
		blobs := map[string][]byte{} // stored once, as a journal does it
		follow := func(board, leader *blackboard.Board) {
			ops, _ := opsOf(t, leader)
			for i := range ops {
				if ops[i].Kind == boarddata.OpPutBlob {
					blobs[ops[i].Name], ops[i].Data = ops[i].Data, nil
				}
			}
			text, err := json.Marshal(ops)
			require.NoError(t, err)
			var again []boarddata.Op
			require.NoError(t, json.Unmarshal(text, &again))
			for i := range again {
				if again[i].Kind == boarddata.OpPutBlob {
					again[i].Data = blobs[again[i].Name]
				}
			}
			before, err := board.MarshalJSON()
			require.NoError(t, err)
			require.ErrorIs(t, board.Inside().Replay(append(slices.Clone(again), boarddata.Op{Kind: "later"})), blackboard.ErrInvalid)
			after, err := board.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(before), string(after))
			require.NoError(t, board.Inside().Replay(again))
			requireSame(t, leader, board)
		}
		for range 60 {
			for range r.IntN(9) {
				touch(t, r, first)
			}
			if r.IntN(20) == 0 {
				text, err := fullBoard(t).MarshalJSON()
				require.NoError(t, err)
				require.NoError(t, first.UnmarshalJSON(text))
				touch(t, r, first)
			}
			follow(second, first)
			follow(third, second) // what the failed replay did is not in the operations
		}
	}
}

// A step costs the same after many as after few: what it allocates and how long its
// operations are.
func TestOpsAreFlat(t *testing.T) {
	cost := func(steps int) (allocs float64, length int) {
		board := blackboard.New(-1)
		board.Inside().LogOps()
		n, size := 0, 0
		step := func() {
			n++
			require.NoError(t, board.PutRaw(boarddata.HostLastStep, json.RawMessage(fmt.Sprint(n%10))))
			require.NoError(t, board.Append(boarddata.Trajectories, json.RawMessage(`{"Status":"CONTINUE"}`)))
			_, err := board.PutNew("result", json.RawMessage(`[1,2,3]`))
			require.NoError(t, err)
			s, err := board.Open(blackboard.Subtask{Text: "t"})
			require.NoError(t, err)
			require.NoError(t, board.Close(s.ID, "FINISH", json.RawMessage(`1`), ""))
			_, err = board.PutBlob("image/png", fmt.Append(nil, n))
			require.NoError(t, err)
			_, text := opsOf(t, board)
			size += len(text)
		}
		for range steps {
			step()
		}
		size = 0
		allocs = testing.AllocsPerRun(100, step)
		return allocs, size / 101
	}
	fewAllocs, fewBytes := cost(50)
	manyAllocs, manyBytes := cost(sample.Of(5000, 500))
	assert.LessOrEqual(t, manyAllocs, 1.2*fewAllocs)
	assert.LessOrEqual(t, float64(manyBytes), 1.2*float64(fewBytes))
}
