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

// A board that was worked on shows what one shows that was made at once.
func TestRenderOfABoardThatWasWorkedOn(t *testing.T) {
	for seed := range uint64(sample.Of(200, 20)) {
		r := rand.New(rand.NewPCG(seed, 5))
		board := fullBoard(t)
		for range 100 {
			touch(t, r, board)
			if r.IntN(3) == 0 {
				_, err := board.Render(120 + r.IntN(600))
				require.NoError(t, err)
			}
		}
		text, err := board.MarshalJSON()
		require.NoError(t, err)
		again := blackboard.New(0)
		require.NoError(t, json.Unmarshal(text, again))
		requireSame(t, again, board)
	}
}

// An excerpt of a large board costs what it shows.
func BenchmarkRender(b *testing.B) {
	for _, keys := range []int{100, 100_000} {
		b.Run(fmt.Sprint(keys, " keys"), func(b *testing.B) {
			board := blackboard.New(-1)
			for i := range keys {
				require.NoError(b, board.PutRaw(fmt.Sprint("key_", i*7919%keys), json.RawMessage(`{"amount": 12345, "name": "a value of some length"}`)))
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				require.NoError(b, board.PutRaw(fmt.Sprint("step_", n%10), json.RawMessage(`1`)))
				require.NoError(b, board.Delete(fmt.Sprint("step_", (n+5)%10)))
				_, err := board.Render(4096)
				require.NoError(b, err)
			}
		})
	}
}

func render(t testing.TB, board *blackboard.Board, budget int) map[string]any {
	t.Helper()
	raw, err := board.Render(budget)
	require.NoError(t, err)
	if budget > 0 {
		require.LessOrEqual(t, len(raw), budget)
	}
	return decodeObject(t, raw)
}

func decodeObject(t testing.TB, raw []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v map[string]any
	require.NoError(t, dec.Decode(&v), "%s", raw)
	require.False(t, dec.More())
	return v
}

// checkRefs looks every reference up and compares its size.
func checkRefs(t testing.TB, board *blackboard.Board, v any) (refs int) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			raw, err := board.Lookup(ref)
			require.NoError(t, err)
			if _, note := v["count"]; !note { // there it counts what is left out
				require.Equal(t, fmt.Sprint(len(raw)), fmt.Sprint(v["bytes"]), ref)
			}
			refs++
		}
		for _, x := range v {
			refs += checkRefs(t, board, x)
		}
	case []any:
		for _, x := range v {
			refs += checkRefs(t, board, x)
		}
	}
	return refs
}

func TestRenderShowsSmallBoardsInFull(t *testing.T) {
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("b", json.RawMessage(`{"z":1,"a":"<&>"}`)))
	require.NoError(t, board.Append("a", 1))
	require.NoError(t, board.Append("a", 2))
	want := `{"a":[1,2],"b":{"z":1,"a":"<&>"}}`
	for _, budget := range []int{-1, 0, len(want), 1000} {
		raw, err := board.Render(budget)
		require.NoError(t, err)
		assert.Equal(t, want, string(raw))
	}
}

func TestRenderShowsHeads(t *testing.T) {
	board := blackboard.New(0)
	rows := make([][2]any, 2000)
	for i := range rows {
		rows[i] = [2]any{fmt.Sprintf("row %d", i), i}
	}
	data, err := json.Marshal(map[string]any{"rows": rows, "caption": "Sales"})
	require.NoError(t, err)
	s, err := board.Open(blackboard.Subtask{App: "Word", Text: "read the table"})
	require.NoError(t, err)
	require.NoError(t, board.Close(s.ID, "FINISH", data, ""))
	require.NoError(t, board.PutRaw(boarddata.Plan, json.RawMessage(`["draw"]`)))

	v := render(t, board, 1000)
	assert.Equal(t, []any{"draw"}, v["plan"])
	assert.NotContains(t, v, "$left_out")
	record := v["subtask_result_1"].(map[string]any)
	assert.Equal(t, "read the table", record["task"], "what is small is shown in full beside what is large")
	assert.Equal(t, "FINISH", record["status"])
	result := record["data"].(map[string]any)
	assert.Equal(t, "Sales", result["caption"])
	cut := result["rows"].(map[string]any)
	assert.Equal(t, "subtask_result_1.data.rows", cut["$ref"])
	assert.Equal(t, json.Number("2000"), cut["items"])
	head := cut["head"].([]any)
	assert.Greater(t, len(head), 10)
	for i, row := range head {
		assert.Equal(t, []any{fmt.Sprintf("row %d", i), json.Number(fmt.Sprint(i))}, row)
	}
	assert.Equal(t, 1, checkRefs(t, board, v))
}

func TestRenderShowsTheEndOfLists(t *testing.T) {
	board := blackboard.New(0)
	for i := range 500 {
		require.NoError(t, board.Append(boarddata.Requests, fmt.Sprintf("request %d", i)))
	}
	v := render(t, board, 300)["requests"].(map[string]any)
	assert.Equal(t, "requests", v["$ref"])
	assert.Equal(t, json.Number("500"), v["items"])
	tail := v["tail"].([]any)
	assert.Greater(t, len(tail), 5)
	assert.Equal(t, "request 499", tail[len(tail)-1])

	require.NoError(t, board.Append(boarddata.Requests, strings.Repeat("long ", 200)))
	v = render(t, board, 300)["requests"].(map[string]any)
	tail = v["tail"].([]any)
	require.Len(t, tail, 1)
	assert.Equal(t, "requests.500", tail[0].(map[string]any)["$ref"])
	assert.Contains(t, tail[0].(map[string]any)["head"], "long ")
	assert.Equal(t, 2, checkRefs(t, board, v))
}

func TestRenderSaysWhatItLeavesOut(t *testing.T) {
	board := blackboard.New(0)
	for i := range 60 {
		require.NoError(t, board.PutRaw(fmt.Sprintf("value_%02d", i), json.RawMessage(`"`+strings.Repeat("x", 500)+`"`)))
	}
	require.NoError(t, board.PutRaw(boarddata.Plan, json.RawMessage(`["`+strings.Repeat("p", 500)+`"]`)))
	for range 3 {
		s, err := board.Open(blackboard.Subtask{Text: strings.Repeat("t", 500)})
		require.NoError(t, err)
		require.NoError(t, board.Close(s.ID, "FINISH", nil, ""))
	}
	v := render(t, board, 720)
	var shown []string
	for name := range v {
		shown = append(shown, name)
	}
	slices.Sort(shown)
	assert.Equal(t, []string{"$left_out", "plan", "subtask_result_2", "subtask_result_3"}, shown,
		"built-in values first, then the latest results")
	note := v["$left_out"].(map[string]any)
	assert.Equal(t, json.Number("61"), note["count"])
	assert.Contains(t, note["names"], "subtask_result_1")
	assert.NotContains(t, note, "$ref", "the board itself has no path")

	assert.Equal(t, v, render(t, board, 720), "the same each time")
	raw, err := board.Render(0)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(raw), 8<<10)
	assert.Greater(t, len(raw), 7<<10, "the budget is used")
}

func TestRenderTooSmall(t *testing.T) {
	board := blackboard.New(0)
	_, err := board.Render(1)
	require.ErrorIs(t, err, blackboard.ErrInvalid)
	raw, err := board.Render(2)
	require.NoError(t, err)
	assert.Equal(t, "{}", string(raw))
	require.NoError(t, board.PutRaw("v", json.RawMessage(`"`+strings.Repeat("x", 100)+`"`)))
	_, err = board.Render(20)
	require.ErrorIs(t, err, blackboard.ErrInvalid)
	assert.Equal(t, "blackboard: render: invalid use: a budget of 20 bytes is too small", err.Error())
	raw, err = board.Render(37)
	require.NoError(t, err)
	assert.Equal(t, `{"$left_out":{"count":1,"bytes":102}}`, string(raw))
}

func TestRenderCutsTextBetweenCharacters(t *testing.T) {
	board := blackboard.New(0)
	text := strings.Repeat(`é\n\ud83d\ude00\u00e9€`, 40)
	require.NoError(t, board.PutRaw("s", json.RawMessage(`"`+text+`"`)))
	for budget := 60; budget < 200; budget++ {
		s, ok := render(t, board, budget)["s"].(map[string]any)
		if !ok {
			continue
		}
		head, _ := s["head"].(string)
		assert.NotContains(t, head, "\uFFFD", "half a surrogate pair")
		assert.True(t, strings.HasPrefix(strings.Repeat("é\n😀é€", 40), head))
	}
}

// A large value that comes first leaves their room to small ones, and all are in the order of their
// names.
func TestRenderKeepsSmallValues(t *testing.T) {
	board := blackboard.New(0)
	large := json.RawMessage(`"` + strings.Repeat("x", 2000) + `"`)
	require.NoError(t, board.PutRaw(boarddata.Plan, large))
	for _, name := range []string{"z", "y", "b"} {
		require.NoError(t, board.PutRaw(name, json.RawMessage(`1`)))
		require.NoError(t, board.PutRaw(name+"_large", large))
	}
	text, err := board.Render(500)
	require.NoError(t, err)
	last := -1
	for _, name := range []string{`"b":1`, `"plan":`, `"y":1`, `"z":1`} {
		at := strings.Index(string(text), name)
		assert.Greater(t, at, last, "%s in %s", name, text)
		last = at
	}
}
