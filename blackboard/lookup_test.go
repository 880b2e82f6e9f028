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

func lookupBoard(t testing.TB) *blackboard.Board {
	board := blackboard.New(nil)
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
	for path, want := range map[string]string{
		"s":                  `"text"`,
		"v.rows":             `[{"a":1.50},"x\"]}",[true,null]]`,
		"v.rows.0":           `{"a":1.50}`,
		"v.rows.0.a":         `1.50`,
		"v.rows.1":           `"x\"]}"`,
		"v.rows.2.1":         `null`,
		"v.":                 `{"":"e"}`,
		"v..":                `"e"`,
		"v.d":                `{"o":3}`,
		"v.d.o":              `3`,
		"v.dap":              `[]`,
		"v.twice":            `2`,
		`v.{"]`:              `"odd"`,
		"v.n":                `-1e5`,
		"dot.ted":            `{"a":1}`,
		"dot.ted.a":          `1`,
		"questions":          `[{"question":"q0","answer":"a0"},{"question":"q1","answer":"a1"}]`,
		"questions.1":        `{"question":"q1","answer":"a1"}`,
		"questions.0.answer": `"a0"`,
	} {
		raw, err := board.Lookup(path)
		if assert.NoError(t, err, path) {
			assert.Equal(t, want, string(raw), path)
		}
	}
}

func TestLookupFindsNothing(t *testing.T) {
	board := lookupBoard(t)
	for path, reason := range map[string]string{
		"":                               "the blackboard has nothing of that name",
		"none":                           "the blackboard has nothing of that name",
		"V":                              "the blackboard has nothing of that name",
		"v.w":                            "v has no such member", // the shorter name is taken
		"v.none.x":                       "v has no such member",
		"v.d.o.t":                        "v.d.o is neither an object nor an array",
		"v.rows.3":                       "v.rows has 3 items",
		"v.rows.-1":                      "v.rows has 3 items",
		"v.rows.01":                      "v.rows has 3 items",
		"v.rows.+1":                      "v.rows has 3 items",
		"v.rows.":                        "v.rows has 3 items",
		"v.rows.x":                       "v.rows has 3 items",
		"v.dap.0":                        "v.dap has 0 items",
		"s.0":                            "s is neither an object nor an array",
		"questions.2":                    "the list has 2 items",
		"questions.x":                    "the list has 2 items",
		"questions.0.none":               "questions.0 has no such member",
		strings.Repeat("v", 1025):        "the path is longer than 1024 bytes",
		"v." + strings.Repeat(".", 1000): "v.. is neither an object nor an array",
	} {
		_, err := board.Lookup(path)
		require.ErrorIs(t, err, blackboard.ErrNotFound, path)
		assert.ErrorContains(t, err, "not found: "+reason, path)
		assert.Contains(t, err.Error(), "blackboard: lookup")
	}
}
