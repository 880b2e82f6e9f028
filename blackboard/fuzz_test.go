package blackboard_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
)

// FuzzUnmarshalJSON: any text either gives ErrInvalid or a board that can be
// stored and loaded again without a difference.
func FuzzUnmarshalJSON(f *testing.F) {
	full := fullBoard(f)
	require.NoError(f, full.Delete("deep")) // a short seed is minimised sooner
	text, err := json.Marshal(full)
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"version":1,"ops":[{"op":"put","name":"b","value":{"x":[1,{}]}},{"op":"append","name":"l","n":4,"value":null}]}`))
	f.Add([]byte(`{"version":1,"ops":[{"op":"open","n":3,"name":"a","task":"t"},{"op":"close","name":"a","status":"F","value":{"x":1}},{"op":"count","name":"p","n":3}]}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, text []byte) {
		board := blackboard.New(0)
		if err := board.UnmarshalJSON(text); err != nil {
			require.ErrorIs(t, err, blackboard.ErrInvalid)
			require.Empty(t, board.Names())
			return
		}
		stored, err := json.Marshal(board)
		require.NoError(t, err)
		again := blackboard.New(0)
		require.NoError(t, json.Unmarshal(stored, again))
		requireSame(t, board, again)
		_, err = board.Open(blackboard.Subtask{Text: "next"})
		require.NoError(t, err)
		_, err = board.Render(500)
		require.NoError(t, err)
	})
}

// FuzzLookup: any path into any value gives valid JSON or ErrNotFound.
func FuzzLookup(f *testing.F) {
	f.Add(`{"rows":[{"a":1}],"d.o":{"":2}}`, "v.rows.0.a")
	f.Add(`[[[]]]`, "v.0.0")
	f.Add(`{"\ud800":1,"a\"b":"}"}`, "v.a\"b")
	f.Add(`"x"`, "v..")
	f.Fuzz(func(t *testing.T, value, path string) {
		board := blackboard.New(0)
		if err := board.PutRaw("v", json.RawMessage(value)); err != nil {
			require.ErrorIs(t, err, blackboard.ErrNotSerialisable)
			return
		}
		require.NoError(t, board.Append("l", json.RawMessage(value)))
		for _, p := range []string{path, "v." + path, "l.0." + path} {
			raw, err := board.Lookup(p)
			if err != nil {
				require.ErrorIs(t, err, blackboard.ErrNotFound)
				continue
			}
			require.True(t, json.Valid(raw))
		}
	})
}

// FuzzRender: any value within any budget gives a valid object that is not
// larger, whose references are found, or ErrInvalid.
func FuzzRender(f *testing.F) {
	f.Add(`{"rows":[{"a":1},{"a":2}],"d.o":{"":2},"s":"a long text, a long text"}`, "name", 60)
	f.Add(`[[[["x"]]],"\ud83d\ude00\ud83d\ude00\ud83d\ude00\n\n\n\n\n\n\n\n\n\n\n\n\n\n"]`, "a.b", 90)
	f.Add(`123456789012345678901234567890123456789012345678901234567890`, "n\"", 50)
	x := `"` + strings.Repeat("x", 5000) + `"`
	for _, seed := range []struct{ name, value string }{
		{"long number", strings.Repeat("9", 5000)},
		{"deep", strings.Repeat(`{"a":[`, 400) + strings.Repeat(`]}`, 400)},
		{"deep and long", strings.Repeat(`[`, 900) + x + strings.Repeat(`]`, 900)},
		{"name.with.dots", x},
		{"members with dots", `{"b.c":` + x + `,"":` + x + `}`},
		{"doubled member", `{"b":1,"b":` + x + `,"c":[` + strings.Repeat("1,", 3000) + `1]}`},
		{strings.Repeat("n", 3000), x},
		{`"\` + "\n", x},
		{"many members", `{` + strings.Repeat(`"a":1,"b":2,`, 3000) + `"c":3}`},
		{"nested large item", `[[` + x + `],1]`},
	} {
		for _, budget := range []int{40, 64, 100, 300, 1000, 4000} {
			f.Add(seed.value, seed.name, budget)
		}
	}
	f.Fuzz(func(t *testing.T, value, name string, budget int) {
		board := blackboard.New(0)
		if err := board.PutRaw(name, json.RawMessage(value)); err != nil {
			return
		}
		for i := range 3 {
			require.NoError(t, board.Append(name+"!", json.RawMessage(value)))
			require.NoError(t, board.PutRaw(name+string(rune('a'+i)), json.RawMessage(value)))
		}
		raw, err := board.Render(budget)
		if errors.Is(err, blackboard.ErrInvalid) {
			require.Less(t, budget, 100)
			return
		}
		require.NoError(t, err)
		checkRefs(t, board, decodeObject(t, raw))
		switch {
		case budget > 0:
			require.LessOrEqual(t, len(raw), budget)
		case budget == 0:
			require.LessOrEqual(t, len(raw), 8<<10)
		}
	})
}
