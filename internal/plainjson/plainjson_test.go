package plainjson_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/plainjson"
)

func TestEncode(t *testing.T) {
	raw, err := plainjson.Encode(map[string]any{"a": "<b> & c", "n": json.Number("1234567890123456789")})
	require.NoError(t, err)
	assert.Equal(t, `{"a":"<b> & c","n":1234567890123456789}`, string(raw), "without a line break at its end")

	_, err = plainjson.Encode(func() {})
	require.Error(t, err)
}

// What is JSON already is taken as it is, and still has a JSON form for others.
func TestText(t *testing.T) {
	text := plainjson.Text(`{"a":"<b>"}`)
	raw, err := plainjson.Encode(text)
	require.NoError(t, err)
	assert.Same(t, &text[0], &raw[0])
	raw, err = plainjson.Encode([]any{text})
	require.NoError(t, err)
	assert.Equal(t, `[{"a":"<b>"}]`, string(raw))
}

func TestDecode(t *testing.T) {
	for text, want := range map[string]any{
		`1234567890123456789`: json.Number("1234567890123456789"),
		`{"a":[0.10,null]}`:   map[string]any{"a": []any{json.Number("0.10"), nil}},
		`"x"`:                 "x",
	} {
		v, err := plainjson.Decode([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, want, v)
	}
	for _, text := range []string{"{", "1 2", ""} {
		_, err := plainjson.Decode([]byte(text))
		require.Error(t, err, text)
	}
}
