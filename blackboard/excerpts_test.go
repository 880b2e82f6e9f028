package blackboard_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// An excerpt that is kept is what a board without any would give, whatever was done in between.
func TestExcerptsAreTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	asked := [][]string{nil, {"a"}, {"a", "list"}, {"list", "a"}, {"subtask_result_1"}, {"nothing"}}
	board := blackboard.New(0)
	for i := range 400 {
		name := string(rune('a' + random.IntN(6)))
		value, err := json.Marshal(fmt.Sprintf("%0*d", random.IntN(300)+1, i))
		require.NoError(t, err)
		switch random.IntN(8) {
		case 0, 1:
			require.NoError(t, board.PutRaw(name, value))
		case 2:
			require.NoError(t, board.Delete(name))
		case 3:
			require.NoError(t, board.Append("list", i))
		case 4:
			s, err := board.Open(blackboard.Subtask{Text: "t"})
			require.NoError(t, err)
			require.NoError(t, board.Close(s.ID, "FINISH", value, ""))
		case 5:
			put := func(name, value string) boarddata.Op {
				return boarddata.Op{Kind: boarddata.OpPut, Name: name, Value: json.RawMessage(value)}
			}
			assert.Error(t, board.Inside().Replay([]boarddata.Op{put(name, `"undone"`), put("new", `1`), put("", `1`)}))
		case 6:
			saved, err := board.MarshalJSON()
			require.NoError(t, err)
			require.NoError(t, board.UnmarshalJSON(saved))
		default: // nothing
		}
		saved, err := board.MarshalJSON()
		require.NoError(t, err)
		for range 3 {
			leaveOut, size := asked[random.IntN(len(asked))], 300+100*random.IntN(3)
			var fresh blackboard.Board
			require.NoError(t, fresh.UnmarshalJSON(saved))
			want, err := fresh.Inside().Excerpt(size, leaveOut)
			require.NoError(t, err)
			got, err := board.Inside().Excerpt(size, leaveOut)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "%d: %d bytes without %q", i, size, leaveOut)
		}
	}
}

// It is kept while what it leaves out changes, and what a caller does to a Render does not reach it.
func TestExcerptsAreKept(t *testing.T) {
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("a", json.RawMessage(`"abc"`)))
	excerpt := func() json.RawMessage {
		text, err := board.Inside().Excerpt(100, []string{"list"})
		require.NoError(t, err)
		return text
	}
	first := excerpt()
	require.NoError(t, board.Append("list", 1))
	assert.Same(t, &first[0], &excerpt()[0])
	require.NoError(t, board.PutRaw("a", json.RawMessage(`"abd"`)))
	assert.JSONEq(t, `{"a":"abd"}`, string(excerpt()))

	own, err := board.Render(0)
	require.NoError(t, err)
	own[1] = 'X'
	again, err := board.Render(0)
	require.NoError(t, err)
	assert.JSONEq(t, `{"a":"abd","list":[1]}`, string(again))
}
