package blackboard_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// TestConcurrentUse lets many goroutines use every method at once. The race
// detector watches; the counts say that nothing was lost.
func TestConcurrentUse(t *testing.T) {
	const workers, turns = 8, 20
	board := blackboard.New(0)
	counter := blackboard.NewKey[map[string]int]("counter")
	require.NoError(t, counter.Put(board, map[string]int{"a": 0, "b": 0}))
	board.Inside().LogOps()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range turns {
				n := w*turns + i
				assert.NoError(t, counter.Put(board, map[string]int{"a": n, "b": n}))
				v, ok, err := counter.Get(board)
				assert.NoError(t, err)
				assert.True(t, ok)
				assert.Equal(t, v["a"], v["b"], "a value is never seen half written")
				assert.NoError(t, board.Append(boarddata.Requests, fmt.Sprint(n)))
				assert.NoError(t, board.Inside().AppendLast("last", n, 10))
				last, _, err := blackboard.NewKey[[]int]("last").Get(board)
				assert.NoError(t, err)
				assert.Less(t, len(last), 15)
				_, _, err = blackboard.NewKey[[]string](boarddata.Requests).Get(board)
				assert.NoError(t, err)
				s, err := board.Open(blackboard.Subtask{Text: "t"})
				assert.NoError(t, err)
				assert.NoError(t, board.Close(s.ID, "FINISH", json.RawMessage(fmt.Sprint(n)), ""))
				ref, err := board.PutBlob("x", fmt.Append(nil, n%7))
				assert.NoError(t, err)
				board.Blob(ref)
				name, err := board.PutNew("out", json.RawMessage(fmt.Sprint(n)))
				assert.NoError(t, err)
				raw, _ := board.Raw(name)
				assert.Equal(t, fmt.Sprint(n), string(raw), "a name of its own")
				_, err = board.Lookup("requests.0")
				assert.NoError(t, err)
				if i%10 == 0 {
					board.Subtasks()
					board.Names()
					board.DeleteBlob(ref)
					_, err = board.Render(2000)
					assert.NoError(t, err)
					text, err := board.MarshalJSON()
					assert.NoError(t, err)
					assert.NoError(t, blackboard.New(0).UnmarshalJSON(text), "a snapshot is consistent")
				}
			}
		})
	}
	second, done := blackboard.New(0), make(chan struct{})
	require.NoError(t, counter.Put(second, map[string]int{"a": 0, "b": 0}))
	go func() { defer close(done); all.Wait() }()
	for ended := false; !ended; { // operations that are taken while others write bring another board along
		select {
		case <-done:
			ended = true
		default:
		}
		ops, err := board.Inside().TakeOps()
		require.NoError(t, err)
		require.NoError(t, second.Inside().Replay(ops))
	}
	requireSame(t, board, second)
	requests, _, err := blackboard.NewKey[[]string](boarddata.Requests).Get(board)
	require.NoError(t, err)
	assert.Len(t, requests, workers*turns)
	ids := make(map[string]bool)
	for _, s := range board.Subtasks() {
		assert.Equal(t, "FINISH", s.Status)
		ids[s.ID] = true
	}
	assert.Len(t, ids, workers*turns)
}

// own calls back into the board while it is marshalled.
type own struct{ board *blackboard.Board }

func (o own) MarshalJSON() ([]byte, error) {
	return json.Marshal(o.board.Names())
}

func TestNoLockWhileACallersCodeRuns(t *testing.T) {
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("a", json.RawMessage("1")))
	require.NoError(t, blackboard.NewKey[own]("b").Put(board, own{board}))
	raw, _ := board.Raw("b")
	assert.Equal(t, `["a"]`, string(raw))
}
