package loosejson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/replycases"
)

func TestParseAccepts(t *testing.T) {
	for _, c := range cases(t, "parsed.txt") {
		t.Run(c.Name, func(t *testing.T) {
			v, err := loosejson.Parse(c.Reply)
			require.NoError(t, err)
			assert.Equal(t, c.Wants, string(v.Append(nil)))
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range append(cases(t, "broken.txt"),
		replycases.Case{Name: "not UTF-8", Reply: "\"a\xff\"", FedBack: "not UTF-8"},
		replycases.Case{Name: "too deep", Reply: strings.Repeat("[", loosejson.MaxDepth+2), FedBack: "nested more than 128 deep"},
	) {
		t.Run(c.Name, func(t *testing.T) {
			_, err := loosejson.Parse(c.Reply)
			var broken *loosejson.Error
			require.ErrorAs(t, err, &broken)
			assert.Contains(t, err.Error(), c.FedBack)
			assert.LessOrEqual(t, broken.Offset, len(c.Reply))
		})
	}
}

func TestManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 20_000 {
		b.WriteString(`"n` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + jsonInt(i) + `":1,`)
	}
	v, err := loosejson.Parse(b.String() + "}")
	require.NoError(t, err)
	assert.Len(t, v.Members, 20_000)
	_, err = loosejson.Parse(b.String() + `"na0":2}`)
	assert.ErrorContains(t, err, `"na0" is there twice`)
	again, err := loosejson.Parse(b.String() + `"na0":1}`)
	require.NoError(t, err)
	assert.Len(t, again.Members, 20_000)
	assert.True(t, loosejson.Equal(v, again))
}

func jsonInt(i int) string {
	raw, _ := json.Marshal(i)
	return string(raw)
}

func TestLongNamesAreClipped(t *testing.T) {
	name := strings.Repeat("é", 1000)
	_, err := loosejson.Parse(`{"` + name + `":1,"` + name + `":2}`)
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 200)
}

// FuzzParse holds the reader against encoding/json: it must accept all that is
// strictly JSON, with the same meaning, and whatever it accepts must come out
// as JSON that it reads back as the same value.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,"x",true,false,null,{}],"b":-1.50e+2}`, "{'a': True, // x\n b: “y”,}", `["\ud83d\ude00\u0000"]`,
		`{"a":1,"a":1}`, "[[[[", `{"a": "C:\x"}`, "\ufeff1", `{"\ud83d":1}`, `{/*`, `12345678901234567890`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := loosejson.Parse(text)
		if err != nil {
			var broken *loosejson.Error
			require.ErrorAs(t, err, &broken)
			require.LessOrEqual(t, broken.Offset, len(text))
			if json.Valid([]byte(text)) {
				requireKnownReason(t, broken.Reason)
			}
			return
		}
		out := v.Append(nil)
		require.True(t, json.Valid(out), "%q gave %q", text, out)
		again, err := loosejson.Parse(string(out))
		require.NoError(t, err)
		require.True(t, loosejson.Equal(v, again), "%q gave %q", text, out)
		if json.Valid([]byte(text)) {
			want, got := decodeNumbers(t, []byte(text)), decodeNumbers(t, out)
			require.Equal(t, want, got)
		}
	})
}

// requireKnownReason lists what is valid JSON and refused all the same.
func requireKnownReason(t *testing.T, reason string) {
	t.Helper()
	for _, known := range []string{"is there twice", "half of a surrogate pair", "not UTF-8", "nested more than"} {
		if strings.Contains(reason, known) {
			return
		}
	}
	require.Fail(t, "valid JSON was refused: "+reason)
}

func decodeNumbers(t *testing.T, raw []byte) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var v any
	require.NoError(t, dec.Decode(&v))
	return v
}
