package blackboard_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/sample"
)

// changesOf returns what changed, as text; "" for nothing.
func changesOf(t testing.TB, board *blackboard.Board) string {
	t.Helper()
	raw, err := board.Changes()
	require.NoError(t, err)
	return string(raw)
}

// The stable form, so that a change to it is seen.
func TestChangesHaveWhatChanged(t *testing.T) {
	board := fullBoard(t)
	_, err := board.Changes()
	require.ErrorIs(t, err, blackboard.ErrNotTracked)
	board.Track()
	assert.Empty(t, changesOf(t, board), "what was there before is no change")

	for _, tc := range []struct {
		name, want string
		do         func() error
	}{
		{"nothing", ``, func() error { return nil }},
		{"a value", `{"values":{"a":1},"version":1}`, func() error { return board.PutRaw("a", json.RawMessage(" 1")) }},
		{"the same value", ``, func() error { return board.PutRaw("a", json.RawMessage("1")) }},
		{"a numbered one", `{"numbered":{"n":1},"values":{"n_1":"<"},"version":1}`, func() error {
			_, err := board.PutNew("n", json.RawMessage(`"\u003c"`))
			return err
		}},
		{"deleted", `{"deleted":["a"],"version":1}`, func() error { return board.Delete("a") }},
		{"deleted again", ``, func() error { return board.Delete("a") }},
		{"refused", ``, func() error {
			assert.Error(t, board.PutRaw("requests", json.RawMessage("1")))
			assert.Error(t, board.Close("none", "F", nil, ""))
			return nil
		}},
		{"a list", `{"lists":{"requests":{"from":1,"items":["b","c"]}},"version":1}`, func() error {
			require.NoError(t, blackboard.Requests.Append(board, "b"))
			return blackboard.Requests.Append(board, "c")
		}},
		{"a list in the place of a value", `{"deleted":["x"],"lists":{"x":{"from":0,"items":[2]}},"version":1}`, func() error {
			require.NoError(t, board.PutRaw("x", json.RawMessage("1")))
			require.NoError(t, board.Delete("x"))
			return blackboard.NewList[int]("x").Append(board, 2)
		}},
		{"opened", `{"opened":[{"n":6,"id":"s","application":"Word","task":"t","status":""}],"version":1}`, func() error {
			_, err := board.Open(blackboard.Subtask{ID: "s", App: "Word", Text: "t"})
			return err
		}},
		{"closed", `{"closed":[{"n":6,"id":"s","status":"FINISH","data":[1],"reason":"r"}],"version":1}`, func() error {
			return board.Close("s", "FINISH", json.RawMessage("[1]"), "r")
		}},
		{"opened and closed", `{"opened":[{"n":7,"id":"u","application":"","task":"t","status":"FAIL"}],"version":1}`, func() error {
			_, err := board.Open(blackboard.Subtask{ID: "u", Text: "t"})
			require.NoError(t, err)
			return board.Close("u", "FAIL", nil, "")
		}},
		{"a blob", `{"blobs":[{"ref":"` + refX + `","media_type":"image/png","size":1}],"version":1}`, func() error {
			_, err := board.PutBlob("image/png", []byte("x"))
			return err
		}},
		{"the same blob", ``, func() error {
			_, err := board.PutBlob("image/png", []byte("x"))
			return err
		}},
		{"a blob deleted", `{"dropped":["` + refX + `"],"version":1}`, func() error {
			board.DeleteBlob(refX)
			return nil
		}},
		{"everything", `{"all":true,"numbered":{"n":1},"values":{"new":1},"version":1}`, func() error {
			return board.UnmarshalJSON([]byte(`{"version":1,"values":{"new":1}}`))
		}},
	} {
		require.NoError(t, tc.do(), tc.name)
		assert.Equal(t, tc.want, changesOf(t, board), tc.name)
	}
	require.NoError(t, board.PutRaw("forgotten", json.RawMessage("1")))
	board.Track()
	assert.Empty(t, changesOf(t, board), "Track starts anew")
}

const refX = "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of the byte x

// touch does something to the board, whatever.
func touch(t *testing.T, r *rand.Rand, board *blackboard.Board) {
	name := fmt.Sprint("v", r.IntN(6))
	value := json.RawMessage(fmt.Sprintf(`{"n":%d,"s":"<%d>"}`, r.IntN(3), r.IntN(3)))
	switch r.IntN(12) {
	case 0, 1:
		_ = board.PutRaw(name, value) // it may be a list
	case 2:
		_ = board.Delete(name)
	case 3, 4:
		_ = blackboard.NewList[json.RawMessage](name).Append(board, value)
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
		blob, err := blackboard.New(nil).PutBlob("", data)
		require.NoError(t, err)
		board.DeleteBlob(blob.Ref)
	}
}

// Whatever is done to a board, one that gets its changes is the same after each of
// them. And what is applied is a change itself: a third one follows the second.
func TestChangesBringAnotherBoardAlong(t *testing.T) {
	for seed := range uint64(sample.Of(30, 4)) {
		r := rand.New(rand.NewPCG(seed, 2))
		first, second, third := fullBoard(t), fullBoard(t), fullBoard(t)
		first.Track()
		second.Track()
		// Blobs are stored once, as a journal does it, and none is asked for that is there.
		blobs, want := map[string][]byte{}, map[string]bool{}
		fetch := func(ref string) ([]byte, error) {
			require.True(t, want[ref], "%s is there", ref)
			return blobs[ref], nil
		}
		for range 60 {
			for range r.IntN(5) {
				touch(t, r, first)
			}
			if r.IntN(20) == 0 {
				text, err := fullBoard(t).MarshalJSON()
				require.NoError(t, err)
				require.NoError(t, first.UnmarshalJSON(text))
			}
			changes := []byte(changesOf(t, first))
			added, err := blackboard.NewBlobs(changes)
			require.NoError(t, err)
			clear(want)
			for _, b := range added {
				_, data, ok := first.Blob(b.Ref)
				require.True(t, ok)
				_, _, there := second.Blob(b.Ref)
				blobs[b.Ref], want[b.Ref] = data, !there
			}
			require.NoError(t, second.Apply(changes, fetch))
			requireSame(t, first, second)
			again := []byte(changesOf(t, second))
			require.NoError(t, third.Apply(again, fetch))
			requireSame(t, first, third)
		}
	}
}

// A step costs the same after many as after few: what it allocates and how long its
// changes are.
func TestChangesAreFlat(t *testing.T) {
	cost := func(steps int) (allocs float64, bytes int) {
		board := blackboard.New(&blackboard.Options{MaxBytes: -1})
		board.Track()
		n := 0
		step := func() {
			n++
			require.NoError(t, blackboard.HostLastStep.Put(board, json.RawMessage(fmt.Sprint(n%10))))
			require.NoError(t, blackboard.Trajectories.Append(board, json.RawMessage(`{"Status":"CONTINUE"}`)))
			_, err := board.PutNew("result", json.RawMessage(`[1,2,3]`))
			require.NoError(t, err)
			s, err := board.Open(blackboard.Subtask{Text: "t"})
			require.NoError(t, err)
			require.NoError(t, board.Close(s.ID, "FINISH", json.RawMessage(`1`), ""))
			_, err = board.PutBlob("image/png", fmt.Append(nil, n))
			require.NoError(t, err)
			raw, err := board.Changes()
			require.NoError(t, err)
			bytes += len(raw)
		}
		for range steps {
			step()
		}
		bytes = 0
		allocs = testing.AllocsPerRun(100, step)
		return allocs, bytes / 101
	}
	fewAllocs, fewBytes := cost(50)
	manyAllocs, manyBytes := cost(sample.Of(5000, 500))
	assert.LessOrEqual(t, manyAllocs, 1.2*fewAllocs)
	assert.LessOrEqual(t, float64(manyBytes), 1.2*float64(fewBytes))
}

// A board that nobody tracks pays nothing for it, and one that is tracked hardly.
func TestTrackingCostsNoAllocation(t *testing.T) {
	put := func(track bool) float64 {
		board := blackboard.New(nil)
		if track {
			board.Track()
		}
		n := 0
		return testing.AllocsPerRun(100, func() {
			n++
			require.NoError(t, board.PutRaw("v", json.RawMessage([]string{"1", "2"}[n%2])))
		})
	}
	assert.Equal(t, put(false), put(true))
}
