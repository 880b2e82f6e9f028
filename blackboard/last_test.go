package blackboard_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/sample"
)

var last = blackboard.NewKey[[]int]("last")

// A list keeps its last items, and loses a block of the older ones at once.
func TestAppendLast(t *testing.T) {
	for _, tc := range []struct{ least, most int }{{-1, 1}, {1, 1}, {2, 2}, {3, 3}, {4, 5}, {10, 14}} {
		board := blackboard.New(0)
		began, drops := 0, 0
		for i := range 100 {
			require.NoError(t, board.Inside().AppendLast("last", i, tc.least))
			list, _, err := last.Get(board)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, len(list), min(i+1, tc.least), tc)
			assert.LessOrEqual(t, len(list), tc.most, tc)
			assert.Equal(t, i, list[len(list)-1])
			if list[0] != began {
				began = list[0]
				drops++
			}
			fresh := blackboard.New(0) // as large as one that never had more
			for _, n := range list {
				require.NoError(t, fresh.Append("last", n))
			}
			assert.Equal(t, fresh.Size(), board.Size())
		}
		assert.LessOrEqual(t, drops, 100/max(1, tc.least/2), tc)
	}
}

// What is left keeps its place: a path finds the same item before and after a drop, or none.
func TestPathsOutliveADrop(t *testing.T) {
	board := blackboard.New(0)
	for i := range 14 {
		require.NoError(t, board.Inside().AppendLast("last", strings.Repeat("x", 200+i), 8))
	}
	raw, err := board.Lookup("last.11")
	require.NoError(t, err)
	assert.Equal(t, `"`+strings.Repeat("x", 211)+`"`, string(raw))
	_, err = board.Lookup("last.3")
	require.ErrorIs(t, err, blackboard.ErrNotFound)
	require.ErrorContains(t, err, "last has dropped its first 4 items")
	_, err = board.Lookup("last.14")
	require.ErrorContains(t, err, "last has 14 items")

	shown := render(t, board, 250)
	assert.Equal(t, 1, checkRefs(t, board, shown["last"].(map[string]any)["tail"]), "of its last item")
	assert.Equal(t, json.Number("4"), shown["last"].(map[string]any)["dropped"])
}

// What a list refuses leaves it, and what it was to lose, as they were.
func TestAppendLastRefuses(t *testing.T) {
	board := blackboard.New(40)
	require.NoError(t, board.PutRaw("v", json.RawMessage("1")))
	require.ErrorIs(t, board.Inside().AppendLast("v", 1, 1), blackboard.ErrInvalid)
	require.ErrorIs(t, board.Inside().AppendLast("subtask_result_1", 1, 1), blackboard.ErrInvalid)
	require.ErrorIs(t, board.Inside().AppendLast("l", func() {}, 1), blackboard.ErrNotSerialisable)

	add := func(n int) error { return board.Inside().AppendLast("l", strings.Repeat("x", n-2), 2) }
	require.NoError(t, add(18))
	require.NoError(t, add(19))
	require.Equal(t, 40, board.Size())
	require.ErrorIs(t, add(19), blackboard.ErrFull)
	raw, err := board.Lookup("l.0")
	require.NoError(t, err, "nothing was dropped")
	assert.Len(t, raw, 18)
}

// A picture goes with the last note that refers to it, unless something else on the board does.
func TestBlobsGoWithTheirNotes(t *testing.T) {
	board := blackboard.New(0)
	board.Inside().LogOps()
	note := func(content string) (ref string) {
		ref, err := board.PutBlob("image/png", []byte(content))
		require.NoError(t, err)
		require.NoError(t, board.Inside().AppendLast("notes", map[string]string{"reason": "sha256:", "screenshot": ref}, 2))
		return ref
	}
	there := func(ref string) bool { _, _, ok := board.Blob(ref); return ok }
	alone, twice := note("alone"), note("twice")
	require.Equal(t, twice, note("twice"))
	assert.False(t, there(alone))
	named, listed := note("named"), note("listed")
	assert.False(t, there(twice))
	require.NoError(t, board.PutRaw("evidence", json.RawMessage(`{"of":["`+named+`"]}`)))
	require.NoError(t, board.Append("more", listed))
	note("3")
	note("4")
	assert.True(t, there(named))
	assert.True(t, there(listed))

	ops, _ := opsOf(t, board)
	again := blackboard.New(0)
	require.NoError(t, again.Inside().Replay(ops))
	requireSame(t, board, again)
}

// However many items there were, neither the board nor what it is stored as has more of them, and
// no memory holds them.
func TestAppendLastIsBounded(t *testing.T) {
	const least, size = 100, 1000
	board := blackboard.New(-1)
	item := strings.Repeat("x", size-2)
	heap := func() int {
		var m runtime.MemStats
		for range 3 {
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	held, steps := 0, sample.Of(20_000, 2000)
	for i := range steps {
		require.NoError(t, board.Inside().AppendLast(boarddata.Trajectories, item, least))
		if i%500 == 499 {
			held = max(held, heap()-before)
		}
	}
	assert.Less(t, held, 2*least*size)
	assert.Less(t, board.Size(), 2*least*size)
	text, err := board.MarshalJSON()
	require.NoError(t, err)
	assert.Less(t, len(text), 2*least*size)
	assert.True(t, strings.HasPrefix(string(text), fmt.Sprintf(`{"version":1,"ops":[{"op":"append","name":"trajectories","n":%d,`, steps-least+1)))
}

// An item costs the same in a list that loses some as in one that does not.
func TestAppendLastIsFlat(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	board := blackboard.New(-1)
	add := func() { require.NoError(t, board.Inside().AppendLast("last", json.RawMessage("1"), 100)) }
	few := testing.AllocsPerRun(90, add)
	for range 400 {
		add()
	}
	assert.LessOrEqual(t, testing.AllocsPerRun(200, add), few)
}
