package blackboard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

func TestProgressCounts(t *testing.T) {
	board := blackboard.New(0)
	assert.Zero(t, board.Inside().Progress(0))
	open := func(text string) string {
		s, err := board.Open(blackboard.Subtask{Text: text})
		require.NoError(t, err)
		return s.ID
	}
	first, second, third := open("a"), open("b"), open("c")
	require.NoError(t, board.Close(first, "FINISH", nil, ""))
	require.NoError(t, board.Close(second, "FAIL", nil, "no"))
	assert.Equal(t, boarddata.Progress{Total: 3, Finished: 1, Failed: 1, Current: third}, board.Inside().Progress(0))
	assert.Equal(t, boarddata.Progress{Total: 2, Failed: 1, Current: third}, board.Inside().Progress(1))
	assert.Zero(t, board.Inside().Progress(3))
	assert.Zero(t, board.Inside().Progress(9), "a board that was put back has fewer")
	assert.Equal(t, 3, board.Inside().Progress(-1).Total)
	fourth := open("d")
	assert.Equal(t, fourth, board.Inside().Progress(0).Current)
}
