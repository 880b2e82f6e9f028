package loosejson_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

func parse(t *testing.T, text string) loosejson.Value {
	t.Helper()
	v, err := loosejson.Parse(text)
	require.NoError(t, err)
	return v
}

func TestAny(t *testing.T) {
	got := parse(t, `{"n":null,"b":true,"f":false,"s":"x","l":[1,0.1,-2e3],"o":{},"id":9007199254740993,"edge":9007199254740992,"huge":1e999,"big":1e300}`).Any()
	assert.Equal(t, map[string]any{
		"n": nil, "b": true, "f": false, "s": "x", "l": []any{1.0, 0.1, -2000.0}, "o": map[string]any{},
		"id": json.Number("9007199254740993"), "edge": 9007199254740992.0, "huge": json.Number("1e999"), "big": json.Number("1e300"),
	}, got)
}

func TestEqual(t *testing.T) {
	for _, same := range [][2]string{
		{`{"a":1,"b":[2,{"c":null}]}`, `{b:[2,{'c':None}],a:1}`}, {`[]`, `[]`}, {`"é"`, `"\u00e9"`}, {`true`, `True`},
	} {
		assert.True(t, loosejson.Equal(parse(t, same[0]), parse(t, same[1])), "%s and %s", same[0], same[1])
	}
	for _, other := range [][2]string{
		{`1`, `"1"`}, {`1`, `1.0`}, {`[1]`, `[2]`}, {`[1]`, `[1,1]`}, {`{"a":1}`, `{"a":2}`}, {`{"a":1}`, `{"b":1}`}, {`{}`, `[]`},
	} {
		assert.False(t, loosejson.Equal(parse(t, other[0]), parse(t, other[1])), "%s and %s", other[0], other[1])
	}
}

func TestWithLeavesTheOriginal(t *testing.T) {
	v := parse(t, `{"a":1,"b":2}`)
	w := v.With("a", loosejson.Text("x")).With("c", loosejson.Text("y"))
	assert.Equal(t, `{"a":1,"b":2}`, string(v.Append(nil)))
	assert.Equal(t, `{"a":"x","b":2,"c":"y"}`, string(w.Append(nil)))
	got, ok := w.Get("c")
	assert.True(t, ok)
	assert.Equal(t, "y", got.Text)
	_, ok = v.Get("c")
	assert.False(t, ok)
}

func TestAppendIsJSONAlsoOfBrokenText(t *testing.T) {
	raw := loosejson.Text("a\xffb\xe2\x80\xa8\x7f\x00").Append(nil)
	var s string
	require.NoError(t, json.Unmarshal(raw, &s))
	assert.Equal(t, "a\ufffdb\u2028\x7f\x00", s)
}
