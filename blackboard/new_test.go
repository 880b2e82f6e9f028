package blackboard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
)

func putNew(t *testing.T, b *blackboard.Board, prefix string) string {
	t.Helper()
	name, err := b.PutNew(prefix, json.RawMessage(` [1] `))
	require.NoError(t, err)
	raw, ok := b.Raw(name)
	require.True(t, ok)
	assert.Equal(t, `[1]`, string(raw))
	return name
}

// A name that was given once leads to the same thing or to nothing.
func TestPutNewGivesNoNumberTwice(t *testing.T) {
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("out_2", json.RawMessage(`"taken"`)))
	assert.Equal(t, "out_1", putNew(t, board, "out"))
	assert.Equal(t, "out_3", putNew(t, board, "out"))
	assert.Equal(t, "other_1", putNew(t, board, "other"), "each prefix counts for itself")
	require.NoError(t, board.Delete("out_3"))
	assert.Equal(t, "out_4", putNew(t, board, "out"))
	require.NoError(t, board.Delete("out_4"))

	raw, err := board.MarshalJSON()
	require.NoError(t, err)
	loaded := blackboard.New(0)
	require.NoError(t, loaded.UnmarshalJSON(raw))
	requireSame(t, board, loaded)
	assert.Equal(t, "out_5", putNew(t, loaded, "out"))

	putNew(t, board, "out")
	require.NoError(t, board.UnmarshalJSON(raw))
	assert.Equal(t, "out_6", putNew(t, board, "out"), "an older state brings no number back")
}

func TestPutNewRefuses(t *testing.T) {
	board := blackboard.New(20)
	for name, c := range map[string]struct {
		prefix, raw string
		want        error
	}{
		"no prefix":       {"", `1`, blackboard.ErrInvalid},
		"not UTF-8":       {"\xff", `1`, blackboard.ErrInvalid},
		"results":         {"subtask_result", `1`, blackboard.ErrInvalid},
		"no JSON":         {"out", `{`, blackboard.ErrNotSerialisable},
		"more than there": {"out", `"` + strings.Repeat("x", 20) + `"`, blackboard.ErrFull},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := board.PutNew(c.prefix, json.RawMessage(c.raw))
			require.ErrorIs(t, err, c.want)
			assert.Empty(t, got)
			assert.Empty(t, board.Names())
		})
	}
	assert.Equal(t, "out_1", putNew(t, board, "out"), "no number was used up")
}
