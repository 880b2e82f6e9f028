package acting_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/golden"
)

// library is a board whose values look like references themselves.
func library(t *testing.T) *blackboard.Board {
	t.Helper()
	board := blackboard.New(0)
	for name, raw := range map[string]string{
		"n":    `12345678901234567890`,
		"rows": `[["a", 1.50]]`,
		"trap": `{"$ref": "n"}`,
		"deep": `{"list": [{"$ref": "n"}, {"text": "{\"$ref\": \"n\"}"}]}`,
	} {
		require.NoError(t, board.PutRaw(name, []byte(raw)))
	}
	return board
}

func TestResolve(t *testing.T) {
	board := library(t)
	golden.Cases(t, "resolve.txt", func(text string) string {
		var args map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &args))
		resolved, err := acting.Resolve(board, args)
		require.NoError(t, err)
		got, err := json.Marshal(resolved)
		require.NoError(t, err)
		before, err := json.Marshal(args)
		require.NoError(t, err)
		assert.JSONEq(t, text, string(before), "the arguments stay")

		raw, err := acting.ResolveJSON(board, []byte(text))
		require.NoError(t, err)
		assertSameJSON(t, string(got), string(raw))
		return string(got)
	})
}

// assertSameJSON compares to the last digit, which JSONEq does not.
func assertSameJSON(t *testing.T, want, got string) {
	t.Helper()
	decode := func(text string) (v any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		require.NoError(t, d.Decode(&v))
		return v
	}
	assert.Equal(t, decode(want), decode(got))
}

func TestResolveErrors(t *testing.T) {
	board := library(t)
	for name, args := range map[string]map[string]any{
		"unknown":   {"a": map[string]any{"$ref": "nobody"}},
		"in a list": {"a": []any{map[string]any{"$ref": "nobody"}}},
		"deep":      {"a": map[string]any{"b": map[string]any{"$ref": "nobody"}}},
	} {
		for _, b := range []*blackboard.Board{board, nil} {
			_, err := acting.Resolve(b, args)
			require.ErrorIs(t, err, blackboard.ErrNotFound, name)
			assert.Contains(t, err.Error(), `acting: $ref "nobody": `)
		}
	}
	_, err := acting.ResolveJSON(board, []byte(`{"a": {"$ref": "nobody"}}`))
	require.ErrorIs(t, err, blackboard.ErrNotFound)
	_, err = acting.ResolveJSON(board, []byte(`{"$ref"`))
	require.Error(t, err)

	empty, err := acting.Resolve(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{}, empty)
}

// What is put into one argument is not shared with the board or another one.
func TestResolveGivesCopies(t *testing.T) {
	board := library(t)
	args := map[string]any{"a": map[string]any{"$ref": "rows"}, "b": map[string]any{"$ref": "rows"}}
	resolved, err := acting.Resolve(board, args)
	require.NoError(t, err)
	resolved["a"].([]any)[0].([]any)[0] = "changed"
	assert.Equal(t, "a", resolved["b"].([]any)[0].([]any)[0])
	raw, err := board.Lookup("rows.0.0")
	require.NoError(t, err)
	assert.Equal(t, `"a"`, string(raw))
}

// A short reply must not become a huge command.
func TestResolveHasABudget(t *testing.T) {
	board := blackboard.New(0)
	for name, size := range map[string]int{"half": 8 << 20, "over": 16<<20 + 1, "one": 1} {
		raw := "1"
		if size > 1 {
			raw = `"` + strings.Repeat("x", size-2) + `"`
		}
		require.NoError(t, board.PutRaw(name, json.RawMessage(raw)))
	}
	ref := func(name string) any { return map[string]any{"$ref": name} }
	if !testing.Short() { // it fits, as what is one too many says as well
		_, err := acting.Resolve(board, map[string]any{"a": []any{ref("half"), ref("half")}})
		require.NoError(t, err)
	}

	_, err := acting.Resolve(board, map[string]any{"a": []any{ref("half"), map[string]any{"b": ref("half")}, ref("one")}})
	require.ErrorContains(t, err, `acting: $ref "one": all references together stand for more than`)

	_, err = acting.Resolve(board, map[string]any{"a": ref("over")})
	require.ErrorContains(t, err, "stand for more than")
	_, err = acting.ResolveJSON(board, json.RawMessage(`{"$ref": "over"}`))
	require.ErrorContains(t, err, "stand for more than")
}
