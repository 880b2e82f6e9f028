package blackboard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
)

func lookupBoard(t testing.TB) *blackboard.Board {
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("v", json.RawMessage(`{"rows":[{"a":1.50},"x\"]}",[true,null]],"":{"":"e"},"d.o.t":{"x":2},"d":{"o":3},"d\u0061p":[],
		"twice":1,"twice":2,"{\"]":"odd","n":-1e5}`)))
	require.NoError(t, board.PutRaw("v.w", json.RawMessage(`"shadowed by nothing"`)))
	require.NoError(t, board.PutRaw("dot.ted", json.RawMessage(`{"a":1}`)))
	require.NoError(t, board.PutRaw("s", json.RawMessage(`"text"`)))
	require.NoError(t, board.Append(boarddata.Answers, boarddata.QuestionAnswer{Question: "q0", Answer: "a0"}))
	require.NoError(t, board.Append(boarddata.Answers, boarddata.QuestionAnswer{Question: "q1", Answer: "a1"}))
	return board
}

func TestLookup(t *testing.T) {
	board := lookupBoard(t)
	lookup := func(path string) string {
		raw, err := board.Lookup(path)
		if err != nil {
			require.ErrorIs(t, err, blackboard.ErrNotFound, path)
			return err.Error()
		}
		return string(raw)
	}
	golden.Cases(t, "lookup.txt", lookup)
	assert.Contains(t, lookup(strings.Repeat("v", 1025)), "the path is longer than 1024 bytes")
	assert.Contains(t, lookup("v."+strings.Repeat(".", 1000)), "v.. is neither an object nor an array")
}
