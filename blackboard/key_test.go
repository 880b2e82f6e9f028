package blackboard_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/plainjson"
)

func TestRawValuesAreIsolated(t *testing.T) {
	board := blackboard.New(0)
	key := blackboard.NewKey[json.RawMessage]("v")
	mine := json.RawMessage(`[1]`)
	require.NoError(t, board.PutRaw("v", mine))
	mine[1] = '2'
	for range 2 {
		raw, ok := board.Raw("v")
		require.True(t, ok)
		require.Equal(t, `[1]`, string(raw))
		raw[1] = '3'
		typed, _, err := key.Get(board)
		require.NoError(t, err)
		require.Equal(t, `[1]`, string(typed))
		typed[1] = '4'
		part, err := board.Lookup("v.0")
		require.NoError(t, err)
		require.Equal(t, `1`, string(part))
		part[0] = '5'
	}
}

type loop struct{ Next *loop }

type broken struct{}

func (broken) MarshalJSON() ([]byte, error) { return []byte(`{"half`), nil }

func TestWhatHasNoJSONFormIsRefused(t *testing.T) {
	circle := &loop{}
	circle.Next = circle
	board := blackboard.New(0)
	key := blackboard.NewKey[any]("v")
	require.NoError(t, key.Put(board, "before"))
	require.ErrorIs(t, board.PutRaw("v", nil), blackboard.ErrNotSerialisable)
	for name, v := range map[string]any{
		"channel":        make(chan int),
		"NaN":            math.NaN(),
		"nested channel": map[string]any{"deep": []any{make(chan int)}},
		"circle":         circle,
		"broken JSON":    broken{},
		"bad raw":        json.RawMessage(`{]`),
		"nothing":        json.RawMessage(" "),
		"a sign first":   json.RawMessage("\ufeff1"),
		"two values":     json.RawMessage("1 2"),
		"too deep":       json.RawMessage(strings.Repeat("[", 1001) + strings.Repeat("]", 1001)),
	} {
		t.Run(name, func(t *testing.T) {
			err := key.Put(board, v)
			require.ErrorIs(t, err, blackboard.ErrNotSerialisable)
			assert.Contains(t, err.Error(), `blackboard: put "v": `)
			require.ErrorIs(t, board.Append("l", v), blackboard.ErrNotSerialisable)
			got, _, err := key.Get(board)
			require.NoError(t, err)
			assert.Equal(t, "before", got, "a refused value must leave the old one")
			assert.Equal(t, []string{"v"}, board.Names())
		})
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	board := blackboard.New(0)
	text := `{"big":9007199254740993,"long":0.10000000000000000000001,"exp":1e400,"zero":-0.0}`
	require.NoError(t, board.PutRaw("n", json.RawMessage(text)))
	raw, _ := board.Raw("n")
	assert.Equal(t, text, string(raw))

	open, _, err := blackboard.NewKey[any]("n").Get(board)
	require.NoError(t, err)
	assert.Equal(t, json.Number("9007199254740993"), open.(map[string]any)["big"])
	require.NoError(t, blackboard.NewKey[any]("copy").Put(board, open))
	big, err := board.Lookup("copy.long")
	require.NoError(t, err)
	assert.Equal(t, "0.10000000000000000000001", string(big))
}

func TestGetOfAnotherType(t *testing.T) {
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("v", json.RawMessage(`{"Name":"secret-value","N":"x"}`)))
	v, ok, err := blackboard.NewKey[struct {
		Name string
		N    int
	}]("v").Get(board)
	require.EqualError(t, err, `blackboard: get "v": invalid use: the value has another type: N should be int`)
	assert.True(t, ok)
	assert.Empty(t, v.Name, "no half of a value")

	require.NoError(t, board.PutRaw("s", json.RawMessage(`"secret-value"`)))
	require.NoError(t, board.PutRaw("n", json.RawMessage("987654")))
	_, _, err = blackboard.NewKey[time.Time]("s").Get(board)
	require.EqualError(t, err, `blackboard: get "s": invalid use: the value has another type: it is no time.Time`)
	_, _, err = blackboard.NewKey[string]("n").Get(board)
	require.EqualError(t, err, `blackboard: get "n": invalid use: the value has another type: it is no string`)
	require.ErrorIs(t, err, blackboard.ErrInvalid)

	n, ok, err := blackboard.NewKey[int]("none").Get(board)
	require.NoError(t, err)
	assert.False(t, ok)
	assert.Zero(t, n)
}

func TestNormalForm(t *testing.T) {
	board := blackboard.New(0)
	golden.Cases(t, "normal.txt", func(value string) string {
		require.NoError(t, board.PutRaw("v", json.RawMessage(value)))
		raw, _ := board.Raw("v")
		return string(raw)
	})
	require.NoError(t, blackboard.NewKey[string]("s").Put(board, "<a & b>\u2028\xff"))
	raw, _ := board.Raw("s")
	assert.Equal(t, "\"<a & b>\\u2028\ufffd\"", string(raw))
}

// A name is quoted as encoding/json does it, whatever is in it.
func TestNamesAreQuoted(t *testing.T) {
	for c := range rune(0x100) {
		name := "a" + string(c)
		board := blackboard.New(0)
		require.NoError(t, board.PutRaw(name, json.RawMessage(`1`)))
		text, err := board.Render(0)
		require.NoError(t, err)
		want, err := plainjson.Encode(map[string]int{name: 1})
		require.NoError(t, err)
		assert.Equal(t, string(want), string(text))
	}
}

// An item that is JSON already is checked and copied like any other.
func TestAppendRaw(t *testing.T) {
	board := blackboard.New(0)
	raw := json.RawMessage(` {"a" : "\u003c"}`)
	require.NoError(t, board.Append("list", raw))
	require.NoError(t, board.Append("list", json.RawMessage(nil)))
	require.ErrorIs(t, board.Append("list", json.RawMessage(`{`)), blackboard.ErrNotSerialisable)
	raw[3] = 'b'
	got, _ := board.Raw("list")
	assert.Equal(t, `[{"a":"<"},null]`, string(got))
	assert.Equal(t, 2, board.Inside().Items("list"))
	require.NoError(t, board.PutRaw("value", json.RawMessage(`[1,2]`)))
	assert.Zero(t, board.Inside().Items("value"), "that is no list")
	assert.Zero(t, board.Inside().Items("nothing"))
}
