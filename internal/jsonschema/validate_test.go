package jsonschema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

func compile(t testing.TB, schema string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile(json.RawMessage(schema))
	require.NoError(t, err)
	return s
}

func value(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	require.NoError(t, dec.Decode(&v))
	return v
}

// Each row is a schema, values that fit it, and values that do not with what
// is said of them.
func TestValidate(t *testing.T) {
	type bad map[string]string
	for _, tt := range []struct {
		name   string
		schema string
		good   []string
		bad    bad
	}{
		{"empty", ``, []string{`1`, `null`, `{"a":[]}`}, nil},
		{"true", `true`, []string{`1`, `null`}, nil},
		{"false", `false`, nil, bad{`1`: `$: is not allowed`}},
		{"annotations", `{"title":"x","x-own":{"type":3},"format":"date","default":5,"$schema":"s","$defs":{"a":7}}`, []string{`1`, `"y"`}, nil},

		{"type", `{"type":"string"}`, []string{`""`}, bad{`1`: `$: must be of type string, not integer`, `1.5`: `$: must be of type string, not number`, `null`: `$: must be of type string, not null`}},
		{"types", `{"type":["object","null","boolean"]}`, []string{`{}`, `null`, `true`}, bad{`[]`: `$: must be of type null or boolean or object, not array`}},
		{"integer", `{"type":"integer"}`, []string{`1`, `-2`, `1.0`, `1e3`, `12345678901234567890`}, bad{`1.5`: `$: must be of type integer, not number`, `true`: `$: must be of type integer, not boolean`}},
		{"number", `{"type":"number"}`, []string{`1`, `1.5`}, bad{`"1"`: `$: must be of type number, not string`, `{}`: `$: must be of type number, not object`}},

		{"enum", `{"enum":["left",1,null,{"a":[1,2]}]}`, []string{`"left"`, `1.0`, `null`, `{"a":[1.0,2]}`}, bad{
			`"up"`: `$: must be one of "left", 1, null, {"a":[1,2]}`, `{"a":[2,1]}`: `$: must be one of "left", 1, null, {"a":[1,2]}`}},
		{"const", `{"const":false}`, []string{`false`}, bad{`0`: `$: must be false`, `"false"`: `$: must be false`}},
		{"const null", `{"const":null}`, []string{`null`}, bad{`0`: `$: must be null`}},

		{"bounds", `{"minimum":1,"maximum":2.5}`, []string{`1`, `2.5`, `"x"`}, bad{`0.99`: `$: must be at least 1`, `2.500000000000000000001`: `$: must be at most 2.5`}},
		{"exclusive", `{"exclusiveMinimum":0,"exclusiveMaximum":1}`, []string{`0.1`}, bad{`0`: `$: must be above 0`, `1`: `$: must be below 1`}},
		{"multiple", `{"multipleOf":0.01}`, []string{`0.07`, `19.99`, `0`, `-3`}, bad{`0.075`: `$: must be a multiple of 0.01`}},

		{"length", `{"minLength":2,"maxLength":3}`, []string{`"ab"`, `"äöü"`, `5`}, bad{`"ä"`: `$: must have at least 2 characters`, `"abcd"`: `$: must have at most 3 characters`}},
		{"length as a decimal", `{"maxLength":1.0}`, []string{`"a"`}, bad{`"ab"`: `$: must have at most 1 characters`}},
		{"length beyond any", `{"maxLength":99999999999999999999}`, []string{`"a"`}, nil},
		{"pattern", `{"pattern":"^[a-z]+$"}`, []string{`"abc"`, `1`}, bad{`"a1"`: `$: must match the pattern ^[a-z]+$`}},
		{"pattern with escapes", `{"pattern":"^\\u00e4\\\\u$"}`, []string{`"ä\\u"`}, bad{`"a"`: `$: must match the pattern ^\u00e4\\u$`}},
		{"pattern with look-aheads", `{"pattern":"^(?=.*[0-9)])(?!\\.)(?!.*(\\.|a)\\.)[a-z0-9.]{3,}$"}`, []string{`"a1.b"`}, bad{
			`"abc"`: "$: must match the pattern ^(?=.*[0-9)])(?!\\.)(?!.*(\\.|a)\\.)[a-z0-9.]{3,}$", `".a1"`: "$: must match the pattern ^(?=.*[0-9)])(?!\\.)(?!.*(\\.|a)\\.)[a-z0-9.]{3,}$",
			`"1a.b"`: "$: must match the pattern ^(?=.*[0-9)])(?!\\.)(?!.*(\\.|a)\\.)[a-z0-9.]{3,}$", `"1"`: "$: must match the pattern ^(?=.*[0-9)])(?!\\.)(?!.*(\\.|a)\\.)[a-z0-9.]{3,}$"}},

		{"properties", `{"properties":{"a":{"type":"string"},"b c":{"type":"null"}}}`, []string{`{}`, `{"a":"x","z":1}`, `[]`}, bad{
			`{"a":1}`: `$.a: must be of type string, not integer`, `{"b c":1}`: `$["b c"]: must be of type null, not integer`}},
		{"required", `{"required":["a"]}`, []string{`{"a":null}`, `[]`}, bad{`{}`: `$.a: is required`}},
		{"additional", `{"properties":{"a":{}},"additionalProperties":false}`, []string{`{"a":1}`}, bad{`{"a":1,"b":2}`: `$.b: is not allowed`}},
		{"additional schema", `{"properties":{"a":{}},"additionalProperties":{"type":"integer"}}`, []string{`{"a":"x","b":2}`}, bad{`{"b":"2"}`: `$.b: must be of type integer, not string`}},
		{"patterns", `{"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, []string{`{"x-a":"y"}`}, bad{`{"x-a":1}`: `$.x-a: must be of type string, not integer`, `{"y":1}`: `$.y: is not allowed`}},
		{"names", `{"propertyNames":{"maxLength":2}}`, []string{`{"ab":1}`}, bad{`{"abc":1}`: `$.abc: has a name that is not allowed`}},
		{"count of properties", `{"minProperties":1,"maxProperties":2}`, []string{`{"a":1}`}, bad{`{}`: `$: must have at least 1 properties`, `{"a":1,"b":1,"c":1}`: `$: must have at most 2 properties`}},

		{"items", `{"items":{"type":"integer"}}`, []string{`[]`, `[1,2]`, `{}`}, bad{`[1,"x"]`: `$[1]: must be of type integer, not string`}},
		{"prefix", `{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, []string{`[]`, `["a"]`, `["a",1]`}, bad{`[1]`: `$[0]: must be of type string, not integer`, `["a","b"]`: `$[1]: must be of type integer, not string`}},
		{"prefix alone", `{"prefixItems":[true]}`, []string{`[1,"x"]`}, nil},
		{"items of draft 7", `{"items":[{"type":"string"}],"additionalItems":false}`, []string{`["a"]`}, bad{`["a",1]`: `$[1]: is not allowed`}},
		{"additional items alone", `{"additionalItems":false}`, []string{`[1]`}, nil},
		{"count of items", `{"minItems":1,"maxItems":1}`, []string{`[1]`}, bad{`[]`: `$: must have at least 1 items`, `[1,2]`: `$: must have at most 1 items`}},
		{"unique", `{"uniqueItems":true}`, []string{`[1,"1",true,[1],{"a":1}]`}, bad{`[1,2,1.0]`: `$[2]: is the same as item 0`, `[{"a":1,"b":[2]},{"b":[2],"a":1}]`: `$[1]: is the same as item 0`}},

		{"allOf", `{"allOf":[{"type":"integer"},{"minimum":3}]}`, []string{`3`}, bad{`2`: `$: must be at least 3`, `3.5`: `$: must be of type integer, not number`}},
		{"anyOf", `{"anyOf":[{"type":"string"},{"minimum":3}]}`, []string{`"x"`, `4`}, bad{`2`: `$: fits none of its 2 alternatives ($: must be of type string, not integer; or $: must be at least 3)`}},
		{"anyOf of many", `{"anyOf":[{"const":1},{"const":2},{"const":3},{"const":4}]}`, []string{`4`}, bad{`5`: `$: fits none of its 4 alternatives ($: must be 1; or $: must be 2; or $: must be 3; …)`}},
		{"oneOf", `{"oneOf":[{"type":"integer"},{"minimum":3}]}`, []string{`1`, `3.5`}, bad{`4`: `$: fits 2 of its alternatives and must fit only one`, `2.5`: `$: fits none of its 2 alternatives ($: must be of type integer, not number; or $: must be at least 3)`}},
		{"not", `{"not":{"type":"string"}}`, []string{`1`}, bad{`"x"`: `$: is what it must not be`}},
		{"then alone", `{"then":false}`, []string{`1`}, nil},

		{"ref", `{"$defs":{"a/b~c d":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/a~1b~0c%20d"}}}`, []string{`{"x":"y"}`}, bad{`{"x":1}`: `$.x: must be of type string, not integer`}},
		{"ref into a list", `{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/anyOf/0"}}]}`, []string{`"x"`, `["x"]`}, bad{`[1]`: `$: fits none of its 2 alternatives ($: must be of type string, not array; or $[0]: must be of type string, not integer)`}},
		{"ref through a ref", `{"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"type":"null"}},"$ref":"#/definitions/a"}`, []string{`null`}, bad{`1`: `$: must be of type null, not integer`}},
		{"recursion", `{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}}}`, []string{`{"next":{"next":{"v":1}}}`}, bad{`{"next":{"next":{"v":"1"}}}`: `$.next.next.v: must be of type integer, not string`}},
		{"ref beside others", `{"$defs":{"n":{"type":"number"}},"$ref":"#/$defs/n","minimum":3}`, []string{`3`}, bad{`2`: `$: must be at least 3`}},
		{"ref to a boolean", `{"$defs":{"no":false},"properties":{"a":{"$ref":"#/$defs/no"}}}`, []string{`{}`}, bad{`{"a":1}`: `$.a: is not allowed`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := compile(t, tt.schema)
			for _, good := range tt.good {
				assert.Empty(t, s.Validate(value(t, good)), good)
			}
			for text, want := range tt.bad {
				assert.Equal(t, []string{want}, s.Validate(value(t, text)), text)
			}
		})
	}
}

// A keyword that would restrict and is not checked is named; an annotation is not.
func TestUnchecked(t *testing.T) {
	for schema, want := range map[string]string{
		`{"contains":{}}`: "#/contains",
		`{"properties":{"a/b":{"items":{"if":{},"then":{}}}}}`: "#/properties/a~1b/items/if",
		`{"dependentSchemas":{}}`:                              "#/dependentSchemas",
		`{"dependentRequired":{}}`:                             "#/dependentRequired",
		`{"dependencies":{}}`:                                  "#/dependencies",
		`{"anyOf":[{},{"unevaluatedProperties":false}]}`:       "#/anyOf/1/unevaluatedProperties",
		`{"not":{"unevaluatedItems":false}}`:                   "#/not/unevaluatedItems",
		`{"$dynamicRef":7}`:                                    "#/$dynamicRef",
		`{"$recursiveRef":"#"}`:                                "#/$recursiveRef",
		`{"maximum":1,"exclusiveMaximum":true}`:                "#/exclusiveMaximum",
		`{"pattern":"a(?=b)"}`:                                 "#/pattern",
		`{"pattern":"^(?=b)a|c"}`:                              "#/pattern",
		`{"pattern":"^(?=b"}`:                                  "#/pattern",
		`{"pattern":"^(?!\\1)"}`:                               "#/pattern",
		`{"pattern":"(?!b)"}`:                                  "#/pattern",
		`{"patternProperties":{"(?<=a)b":{}}}`:                 "#/patternProperties",
		`{"$ref":"https://example.com/a.json"}`:                "#/$ref",
		`{"$anchor":"a","items":{"$ref":"#a"}}`:                "#/items/$ref",
		`{"$id":"a:b","items":{"$ref":"a:b"}}`:                 "#/items/$ref",
		`{"items":{"$id":"x","not":{"$ref":"#/items"}}}`:       "#/items/$id",
		`{"items":{"$ref":"#/$defs/a/$defs/b"},"$defs":{"a":{"$id":"x","$defs":{"b":{}}}}}`: "#/items/$ref",
		`{"$ref":"#/$defs/a","$defs":{"a":{"contains":{}}}}`:                                "#/$defs/a/contains",

		`{"$defs":{"a":{"contains":{}}}}`:                                                            "",
		`{"then":{},"else":{},"minContains":1,"maxContains":1,"additionalItems":false}`:              "",
		`{"$id":"a:b","$anchor":"a","$dynamicAnchor":"a","$schema":"x","$comment":"if"}`:             "",
		`{"title":"a","description":"b","default":{"if":1},"examples":[{"contains":{}}]}`:            "",
		`{"format":"date","deprecated":true,"readOnly":true,"writeOnly":true,"x-if":{"a":1}}`:        "",
		`{"contentEncoding":"base64","contentMediaType":"a/b","contentSchema":{"if":{}}}`:            "",
		`{"nullable":true,"discriminator":{"propertyName":"a"},"enum":[{"if":1}],"const":{"if":1}}`:  "",
		`{"properties":{"if":{},"contains":{},"$ref":{"type":"string"},"$id":{}},"required":["if"]}`: "",
	} {
		assert.Equal(t, want, compile(t, schema).Unchecked(), schema)
	}
}

// Values may come from encoding/json without UseNumber, too.
func TestValidateGoValues(t *testing.T) {
	s := compile(t, `{"type":"number","multipleOf":0.1,"maximum":1e300}`)
	assert.Empty(t, s.Validate(0.3))
	assert.Empty(t, s.Validate(json.Number("0.3")))
	assert.Equal(t, []string{"$: must be a multiple of 0.1"}, s.Validate(0.35))
	inf := 1e308
	inf *= 10
	for name, v := range map[string]any{
		"int": 1, "struct": struct{}{}, "infinite": inf, "no number": json.Number("x"), "fraction": json.Number("1/3"), "padded": json.Number(" 1"),
		"large": json.Number("1e9999999999"), "tall": json.Number("1e5000"), "long": json.Number(strings.Repeat("1", 2000)), "true": json.Number("true"),
	} {
		assert.Equal(t, []string{"$: is no value that JSON can hold here"}, s.Validate(v), name)
	}
	assert.NotEmpty(t, compile(t, `{"enum":[[1]]}`).Validate([]any{1}))
	assert.Empty(t, compile(t, `{"uniqueItems":true}`).Validate([]any{1, 1}), "what JSON cannot hold equals nothing")
}

func TestValidateReportsInOrder(t *testing.T) {
	s := compile(t, `{"type":"object","required":["z","a"],"properties":{"m":{"minimum":3,"multipleOf":2}},"allOf":[{"required":["a"]}]}`)
	assert.Equal(t, []string{
		"$.a: is required",
		"$.m: must be a multiple of 2",
		"$.m: must be at least 3",
		"$.z: is required",
	}, s.Validate(value(t, `{"m":1}`)))

	many := compile(t, `{"items":false}`).Validate(value(t, `[`+strings.Repeat("1,", 99)+`1]`))
	assert.Len(t, many, 33)
	assert.Contains(t, many, "$: has 68 more problems")
}

func TestProblemsNeverQuoteTheValue(t *testing.T) {
	const secret = "hunter2"
	for _, schema := range []string{
		`{"type":"integer"}`, `{"enum":["a"]}`, `{"const":"a"}`, `{"minLength":99}`, `{"maxLength":1}`, `{"pattern":"^x"}`, `{"not":{}}`, `false`,
		`{"anyOf":[{"type":"null"},{"maxLength":2}]}`, `{"oneOf":[true,true]}`,
	} {
		problems := compile(t, schema).Validate(secret)
		require.NotEmpty(t, problems, schema)
		assert.NotContains(t, strings.Join(problems, "\n"), secret, schema)
	}
}

func TestValidateIsBounded(t *testing.T) {
	deep := func(n int) any {
		return value(t, strings.Repeat("[", n)+strings.Repeat("]", n))
	}
	nested := compile(t, `{"type":"array","items":{"$ref":"#"}}`)
	assert.Empty(t, nested.Validate(deep(1000)))
	assert.Equal(t, []string{"$: is nested deeper than 1000"}, nested.Validate(deep(1100)))
	object := value(t, strings.Repeat(`{"a":`, 1100)+"1"+strings.Repeat("}", 1100))
	assert.Equal(t, []string{"$: is nested deeper than 1000"}, nested.Validate(object))

	tooMuch := []string{"$: takes too much work to check"}
	doubling := compile(t, `{"items":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}`)
	assert.Equal(t, tooMuch, doubling.Validate(deep(100)))
	assert.Equal(t, tooMuch, compile(t, `{"not":{"items":{"allOf":[{"$ref":"#/not"},{"$ref":"#/not"}]}}}`).Validate(deep(100)))
	assert.Equal(t, tooMuch, compile(t, `{"items":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]},"maxItems":0}`).Validate(deep(100)))
	assert.Equal(t, tooMuch, compile(t, `{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`).Validate(value(t, strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100))))
	assert.Equal(t, tooMuch, compile(t, `{"uniqueItems":true,"items":{"$ref":"#"},"enum":[1]}`).Validate(func() any {
		v := deep(1)
		for range 990 {
			v = []any{v, strings.Repeat("x", 1<<14)}
		}
		return v
	}()))

	// A long chain of schemas for every level of the value.
	var chain strings.Builder
	chain.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range 150 {
		chain.WriteString(`"s` + itoa(i) + `":{"$ref":"#/$defs/s` + itoa(i+1) + `"},`)
	}
	chain.WriteString(`"s150":{"items":{"$ref":"#"}}}}`)
	assert.Empty(t, compile(t, chain.String()).Validate(deep(30)))
	assert.Equal(t, tooMuch, compile(t, chain.String()).Validate(deep(1000)))
}

func itoa(i int) string {
	raw, _ := json.Marshal(i)
	return string(raw)
}
