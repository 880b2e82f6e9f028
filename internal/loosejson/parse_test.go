package loosejson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

func TestParseAccepts(t *testing.T) {
	for name, tc := range map[string]struct{ in, out string }{
		"plain":                 {`{"a":[1,"x",true,false,null,{}],"b":-1.50e+2}`, `{"a":[1,"x",true,false,null,{}],"b":-1.50e+2}`},
		"spaces of any kind":    {"\ufeff\u00a0{\t\"a\"\r\n:\u30001 }\n", `{"a":1}`},
		"trailing commas":       {`{"a":[1,2,],}`, `{"a":[1,2]}`},
		"line comments":         {"{ // one\n\"a\": 1, # two\n\"b\": 2 // three\n} # four", `{"a":1,"b":2}`},
		"block comment":         {`{/* why */"a":/* "x": */1/**/}`, `{"a":1}`},
		"single quotes":         {`{'a': 'say "x"', 'b': 'it\'s'}`, `{"a":"say \"x\"","b":"it's"}`},
		"typographic quotes":    {`{“a”: “say "x"”}`, `{"a":"say \"x\""}`},
		"names without quotes":  {`{a: 1, _b$-2: 2, größe: 3}`, `{"a":1,"_b$-2":2,"größe":3}`},
		"Python words":          {`{'a': True, 'b': False, 'c': None}`, `{"a":true,"b":false,"c":null}`},
		"shouted words":         {`[TRUE, NULL, fAlse]`, `[true,null,false]`},
		"line break in string":  {"{\"a\": \"one\ntwo\tthree\r\"}", `{"a":"one\ntwo\tthree\r"}`},
		"every escape":          {`["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0001"]`, "[\"\\\"\\\\/\\u0008\\u000c\\n\\r\\té😀\\u0001\"]"},
		"comment sign in text":  {`{"a": "http://x/*y*/#z"}`, `{"a":"http://x/*y*/#z"}`},
		"same name, same value": {`{"a": {"x":1,"y":2}, "a": {"y":2,"x":1}}`, `{"a":{"x":1,"y":2}}`},
		"scalar":                {` 0 `, `0`},
		"digits stay":           {`[12345678901234567890, 0.10, 1E5]`, `[12345678901234567890,0.10,1E5]`},
		"empty name":            {`{"": 1}`, `{"":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := loosejson.Parse(tc.in)
			require.NoError(t, err)
			assert.Equal(t, tc.out, string(v.Append(nil)))
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ in, reason string }{
		"nothing":              {"", "the end of the text where a value"},
		"two values":           {"1 2", "'2' after the end of the value"},
		"unquoted value":       {`{"a": FINISH}`, "'F' where a value"},
		"no colon":             {`{"a" 1}`, "'1' where the : of a name"},
		"no comma":             {`{"a":1 "b":2}`, `'"' where a comma or the end of the object`},
		"no comma in array":    {`[1 2]`, "'2' where a comma or the end of the array"},
		"two commas":           {`[1,,2]`, "',' where a value"},
		"leading comma":        {`{,"a":1}`, "',' where a name"},
		"ellipsis":             {`{"a": [1, ...]}`, "'.' where a value"},
		"quote not escaped":    {`{"a": "click "OK" now"}`, "is a quote in a string not escaped?"},
		"apostrophe":           {`{'a': 'it's'}`, "is a quote in a string not escaped?"},
		"mixed quotes":         {`{"a": 'x"}`, "a string is not closed"},
		"Windows path":         {`{"a": "C:\Users"}`, "a backslash before something"},
		"Markdown escape":      {`{"a": "x\_y"}`, "a backslash before something"},
		"short unicode escape": {`"\u12"`, "four hexadecimal digits"},
		"lone surrogate":       {`"\ud83d"`, "half of a surrogate pair"},
		"low surrogate first":  {`"\ude00\ud83d"`, "half of a surrogate pair"},
		"backslash at the end": {`"\`, "a string is not closed"},
		"not UTF-8":            {"\"a\xff\"", "not UTF-8"},
		"cut in a name":        {`{"a`, "a string is not closed"},
		"cut behind a name":    {`{"a"`, "the text ends inside an object"},
		"cut behind a colon":   {`{"a":`, "the text ends inside an object"},
		"cut behind a value":   {`{"a":1`, "the text ends inside an object"},
		"cut behind a comma":   {`{"a":1,`, "the text ends inside an object"},
		"cut in an array":      {`[1,`, "the end of the text where a value"},
		"cut in a comment":     {`{"a": /* `, "a comment is not closed"},
		"wrong end":            {`[1}`, "'}' where a comma"},
		"leading zero":         {`007`, "not written as JSON wants it"},
		"minus alone":          {`-`, "not written as JSON wants it"},
		"dot without digits":   {`1.`, "not written as JSON wants it"},
		"exponent alone":       {`1e+`, "not written as JSON wants it"},
		"leading plus":         {`+5`, "'+' where a value"},
		"grouped digits":       {`1_000`, "'_' after the end"},
		"not a number":         {`NaN`, "'N' where a value"},
		"long word":            {`trueish`, "'t' where a value"},
		"name twice":           {`{"a":1,"b":2,"a":3}`, `"a" is there twice`},
		"too deep":             {strings.Repeat("[", loosejson.MaxDepth+2), "nested more than 128 deep"},
		"comment in front":     {`/* `, "a comment is not closed"},
		"comment in array":     {`[1 /* `, "a comment is not closed"},
		"comment after name":   {`{"a" /* `, "a comment is not closed"},
		"comment in object":    {`{/* `, "a comment is not closed"},
		"comment after array":  {`[ /* `, "a comment is not closed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loosejson.Parse(tc.in)
			var broken *loosejson.Error
			require.ErrorAs(t, err, &broken)
			assert.Contains(t, err.Error(), tc.reason)
			assert.LessOrEqual(t, broken.Offset, len(tc.in))
		})
	}
}

func TestDepthThatIsAllowed(t *testing.T) {
	deep := strings.Repeat("[", loosejson.MaxDepth+1) + strings.Repeat("]", loosejson.MaxDepth+1)
	v, err := loosejson.Parse(deep)
	require.NoError(t, err)
	assert.Equal(t, deep, string(v.Append(nil)))
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
