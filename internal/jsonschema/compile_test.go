package jsonschema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

func TestCompileRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ schema, want string }{
		"no JSON":             {`{`, `jsonschema: #: is not JSON: unexpected EOF`},
		"two values":          {`{} {}`, `jsonschema: #: is more than one JSON value`},
		"a number":            {`3`, `jsonschema: #: must be an object or a boolean`},
		"a nested number":     {`{"properties":{"a/b":3}}`, `jsonschema: #/properties/a~1b: must be an object or a boolean`},
		"unknown type":        {`{"type":"text"}`, `jsonschema: #/type: must be one of null, boolean, object, array, string, number, integer, or a list of those`},
		"type of no sort":     {`{"type":3}`, `jsonschema: #/type: must be one of null, boolean, object, array, string, number, integer, or a list of those`},
		"no types":            {`{"type":[]}`, `jsonschema: #/type: must not be empty`},
		"enum":                {`{"enum":"a"}`, `jsonschema: #/enum: must be a list of values`},
		"empty enum":          {`{"enum":[]}`, `jsonschema: #/enum: must be a list of values`},
		"huge enum":           {`{"enum":[1e9999]}`, `jsonschema: #/enum: holds a number that is too large`},
		"huge const":          {`{"const":{"a":[1e9999]}}`, `jsonschema: #/const: holds a number that is too large`},
		"minimum":             {`{"minimum":"1"}`, `jsonschema: #/minimum: must be a number of a sane size`},
		"huge minimum":        {`{"minimum":1e9999}`, `jsonschema: #/minimum: must be a number of a sane size`},
		"multipleOf":          {`{"multipleOf":0}`, `jsonschema: #/multipleOf: must be above 0`},
		"negative length":     {`{"maxLength":-1}`, `jsonschema: #/maxLength: must be a whole number, 0 or more`},
		"broken length":       {`{"minLength":1.5}`, `jsonschema: #/minLength: must be a whole number, 0 or more`},
		"text as length":      {`{"minItems":"1"}`, `jsonschema: #/minItems: must be a whole number, 0 or more`},
		"uniqueItems":         {`{"uniqueItems":1}`, `jsonschema: #/uniqueItems: must be true or false`},
		"writeOnly":           {`{"writeOnly":"yes"}`, `jsonschema: #/writeOnly: must be true or false`},
		"pattern":             {`{"pattern":1}`, `jsonschema: #/pattern: must be a string`},
		"required":            {`{"required":"a"}`, `jsonschema: #/required: must be a list`},
		"required of numbers": {`{"required":[1]}`, `jsonschema: #/required/0: must be a string`},
		"properties":          {`{"properties":[]}`, `jsonschema: #/properties: must be an object`},
		"patternProperties":   {`{"patternProperties":{"a":1}}`, `jsonschema: #/patternProperties/a: must be an object or a boolean`},
		"allOf":               {`{"allOf":{}}`, `jsonschema: #/allOf: must be a list`},
		"in allOf":            {`{"allOf":[{},1]}`, `jsonschema: #/allOf/1: must be an object or a boolean`},
		"ref of no sort":      {`{"$ref":1}`, `jsonschema: #/$ref: must be a string`},
		"missing ref":         {`{"$ref":"#/$defs/a"}`, `jsonschema: #/$ref: refers to "#/$defs/a", which is not there`},
		"ref into a string":   {`{"title":"x","$ref":"#/title/a"}`, `jsonschema: #/$ref: refers to "#/title/a", which is not there`},
		"ref beside a list":   {`{"allOf":[{}],"items":{"$ref":"#/allOf/01"}}`, `jsonschema: #/items/$ref: refers to "#/allOf/01", which is not there`},
		"badly escaped ref":   {`{"$ref":"#/%zz"}`, `jsonschema: #/$ref: refers to "#/%zz", which is not there`},
		"ref to a text":       {`{"title":"x","items":{"$ref":"#/title"}}`, `jsonschema: #/title: must be an object or a boolean`},
		"ref to itself":       {`{"$ref":"#"}`, `jsonschema: #: refers to itself without end`},
		"ref in a circle":     {`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"items":{"$ref":"#/$defs/a"}}`, `jsonschema: #/$defs/a: refers to itself without end`},
		"too deep":            {strings.Repeat(`{"not":`, 202) + "{}" + strings.Repeat("}", 202), `is nested deeper than 200`},
		"too large":           {`{"title":"` + strings.Repeat("x", 1<<20) + `"}`, `jsonschema: #: is larger than 1048576 bytes`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := jsonschema.Compile(json.RawMessage(tt.schema))
			assert.Nil(t, s)
			var compileErr *jsonschema.CompileError
			require.ErrorAs(t, err, &compileErr)
			if strings.HasPrefix(tt.want, "jsonschema:") {
				assert.EqualError(t, err, tt.want)
			} else {
				assert.ErrorContains(t, err, tt.want)
			}
		})
	}
	for _, keyword := range []string{"maxItems", "minProperties", "maxProperties"} {
		_, err := jsonschema.Compile(json.RawMessage(`{"` + keyword + `":-1}`))
		assert.ErrorContains(t, err, keyword)
	}
	for _, keyword := range []string{"additionalProperties", "propertyNames", "items", "not"} {
		_, err := jsonschema.Compile(json.RawMessage(`{"` + keyword + `":1}`))
		assert.ErrorContains(t, err, keyword)
	}
	for _, keyword := range []string{"prefixItems", "anyOf", "oneOf"} {
		_, err := jsonschema.Compile(json.RawMessage(`{"` + keyword + `":1}`))
		assert.ErrorContains(t, err, keyword)
	}
}

func TestSecrets(t *testing.T) {
	for name, tt := range map[string]struct {
		schema, value string
		want          []string
	}{
		"none":      {`{"properties":{"a":{"type":"string"}}}`, `{"a":"x"}`, nil},
		"writeOnly": {`{"properties":{"a":{"writeOnly":true},"b":{"writeOnly":false}}}`, `{"a":"x","b":"y"}`, []string{"$.a"}},
		"password":  {`{"properties":{"a":{"format":"password"},"b":{"format":"date"}}}`, `{"a":"x","b":"y"}`, []string{"$.a"}},
		// Many tools read arguments with encoding/json, which takes a name in any case.
		"another case":     {`{"properties":{"password":{"writeOnly":true},"user":{}}}`, `{"Password":"x","USER":"y"}`, []string{"$.Password"}},
		"both cases":       {`{"properties":{"apiKey":{"writeOnly":true}}}`, `{"apiKey":"x","APIKEY":"y"}`, []string{"$.APIKEY", "$.apiKey"}},
		"case, deep":       {`{"properties":{"l":{"items":{"properties":{"p":{"format":"password"}}}}}}`, `{"L":[{"P":1}]}`, []string{"$.L[0].P"}},
		"case, unlike":     {`{"properties":{"password":{"writeOnly":true},"Password":{}}}`, `{"Password":"x","passwords":"y"}`, nil},
		"case, in a combi": {`{"anyOf":[{"properties":{"pin":{"writeOnly":true}}}]}`, `{"PIN":1}`, []string{"$.PIN"}},
		"absent":           {`{"properties":{"a":{"writeOnly":true}}}`, `{}`, nil},
		"nested":           {`{"properties":{"l":{"items":{"properties":{"p":{"format":"password"}}}}}}`, `{"l":[{"p":1},{},{"p":2}]}`, []string{"$.l[0].p", "$.l[2].p"}},
		"in order":         {`{"items":{"writeOnly":true}}`, `[` + strings.Repeat("1,", 10) + `1]`, []string{"$[0]", "$[1]", "$[2]", "$[3]", "$[4]", "$[5]", "$[6]", "$[7]", "$[8]", "$[9]", "$[10]"}},
		"prefix":           {`{"prefixItems":[true,{"writeOnly":true}]}`, `[1,2,3]`, []string{"$[1]"}},
		"contains":         {`{"contains":{"writeOnly":true}}`, `[1]`, []string{"$"}},
		"additional":       {`{"additionalProperties":{"writeOnly":true}}`, `{"b":1,"a b":2}`, []string{`$["a b"]`, "$.b"}},
		"pattern":          {`{"patternProperties":{"^p":{"writeOnly":true}}}`, `{"pw":1,"q":2}`, []string{"$.pw"}},
		"outermost":        {`{"allOf":[{"properties":{"a":{"writeOnly":true}}},{"properties":{"a":{"properties":{"b":{"writeOnly":true}}}}}]}`, `{"a":{"b":1}}`, []string{"$.a"}},
		"any branch":       {`{"oneOf":[{"type":"null"},{"properties":{"a":{"$ref":"#/$defs/pw"}}}],"$defs":{"pw":{"format":"password","type":"string"}}}`, `{"a":5}`, []string{"$.a"}},
		"conditional":      {`{"if":false,"then":{"properties":{"a":{"writeOnly":true}}}}`, `{"a":5}`, []string{"$"}},
		"everything":       {`{"writeOnly":true}`, `{"a":5}`, []string{"$"}},
		"too deep":         {`true`, strings.Repeat("[", 1100) + strings.Repeat("]", 1100), []string{"$"}},
		"too much":         {`{"items":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}`, strings.Repeat("[", 100) + strings.Repeat("]", 100), []string{"$"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range compile(t, tt.schema).Secrets(value(t, tt.value)) {
				got = append(got, p.String())
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

// In a document that marks secrets, what may be one is one.
func TestSecretsInDoubt(t *testing.T) {
	const marked = `"$defs":{"pw":{"$anchor":"pw","type":"string","writeOnly":true},"two":{"$anchor":"two"},"too":{"$anchor":"two"}}`
	for name, tt := range map[string]struct {
		schema string
		want   []string // of {"p":"x","q":["y"]}
	}{
		"anchor":                {`{"properties":{"p":{"$ref":"#pw"}},` + marked + `}`, []string{"$.p"}},
		"own id":                {`{"$id":"https://x/y","properties":{"p":{"$ref":"https://x/y#/$defs/pw"}},` + marked + `}`, []string{"$.p"}},
		"id below":              {`{"properties":{"p":{"$ref":"pw.json"}},"$defs":{"a":{"$id":"pw.json","format":"password"}}}`, []string{"$.p"}},
		"dynamic":               {`{"properties":{"p":{"$dynamicRef":"#pw"}},"$defs":{"pw":{"$dynamicAnchor":"pw","format":"password"}}}`, []string{"$.p"}},
		"format in capitals":    {`{"properties":{"p":{"format":"PassWord"}}}`, []string{"$.p"}},
		"format of no sort":     {`{"properties":{"p":{"format":["password"]}}}`, nil},
		"names":                 {`{"properties":{"q":{}},"propertyNames":{"$ref":"#pw"},` + marked + `}`, []string{"$"}},
		"pattern":               {`{"patternProperties":{"(?=p)":{"writeOnly":true}}}`, []string{"$.p", "$.q"}},
		"pattern of no secret":  {`{"patternProperties":{"(?=p)":{}},"properties":{"q":{"writeOnly":true}}}`, []string{"$.q"}},
		"pattern or additional": {`{"patternProperties":{"(?=p)":{}},"properties":{"q":{}},"additionalProperties":{"writeOnly":true}}`, []string{"$.p"}},

		"ref to elsewhere":            {`{"properties":{"p":{"$ref":"https://x/y"}},` + marked + `}`, []string{"$.p"}},
		"ref to nowhere":              {`{"properties":{"p":{"$ref":"#nowhere"}},` + marked + `}`, []string{"$.p"}},
		"ref to one of two":           {`{"properties":{"p":{"$ref":"#two"}},` + marked + `}`, []string{"$.p"}},
		"dynamic ref to nowhere":      {`{"properties":{"p":{"$dynamicRef":"#/nowhere"}},` + marked + `}`, []string{"$.p"}},
		"dynamic ref of no sort":      {`{"properties":{"p":{"$dynamicRef":7}},` + marked + `}`, []string{"$.p"}},
		"recursive ref":               {`{"properties":{"p":{"$recursiveRef":"#"}},` + marked + `}`, []string{"$.p"}},
		"ref, but nothing is marked":  {`{"properties":{"p":{"$ref":"https://x/y"},"q":{"$recursiveRef":"#"}}}`, nil},
		"unevaluated":                 {`{"unevaluatedProperties":{"writeOnly":true}}`, []string{"$"}},
		"unevaluated ref":             {`{"properties":{"q":{"unevaluatedItems":{"$ref":"#pw"}}},` + marked + `}`, []string{"$.q"}},
		"unevaluated is not allowed":  {`{"properties":{"p":{"$ref":"#pw"}},"unevaluatedProperties":false,` + marked + `}`, []string{"$.p"}},
		"unevaluated of no secret":    {`{"properties":{"p":{"$ref":"#pw"}},"unevaluatedProperties":{"type":"string"},` + marked + `}`, []string{"$.p"}},
		"a ref in a condition":        {`{"properties":{"p":{"if":{"$ref":"#/$defs/pw"}},"q":{"then":{"type":"string"}}},` + marked + `}`, []string{"$.p"}},
		"dependent schemas":           {`{"dependentSchemas":{"p":{"properties":{"p":{"writeOnly":true}}}}}`, []string{"$"}},
		"a ref below an id":           {`{"properties":{"p":{"$id":"x","$ref":"#/$defs/pw"},"q":{"$ref":"#/$defs/two"}},` + marked + `}`, []string{"$.p", "$.q"}},
		"dependencies":                {`{"dependencies":{"p":{"properties":{"p":{"writeOnly":true}}}}}`, []string{"$"}},
		"dependencies of names":       {`{"properties":{"p":{"$ref":"#pw"}},"dependencies":{"p":["q"]},` + marked + `}`, []string{"$.p"}},
		"unknown keyword":             {`{"properties":{"p":{"x-ui":[{"format":"password"}]},"q":{"x-ui":[1]}}}`, []string{"$.p"}},
		"unknown keyword, a ref":      {`{"properties":{"p":{"extends":{"$ref":"#pw"}}},` + marked + `}`, []string{"$.p"}},
		"additional items alone":      {`{"properties":{"q":{"additionalItems":{"writeOnly":true}}}}`, []string{"$.q"}},
		"items beside prefixItems":    {`{"properties":{"q":{"items":[{"writeOnly":true}],"prefixItems":[{}]}}}`, []string{"$.q"}},
		"definitions mark nothing":    {`{` + marked + `}`, nil},
		"data mark nothing":           {`{"default":{"writeOnly":true},"examples":[{"format":"password"}],"enum":[{"writeOnly":true}]}`, nil},
		"a property of the same name": {`{"properties":{"format":{"type":"string"},"writeOnly":{},"p":{"$ref":"#nowhere"}}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range compile(t, tt.schema).Secrets(value(t, `{"p":"x","q":["y"]}`)) {
				got = append(got, p.String())
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestPath(t *testing.T) {
	assert.Equal(t, "$", jsonschema.Path{}.String())
	assert.Equal(t, `$.a[3]["b\"c"].d-e`, jsonschema.Path{"a", 3, `b"c`, "d-e"}.String())
	long := jsonschema.Path{strings.Repeat("ä", 200)}.String()
	assert.Less(t, len(long), 260)
	assert.True(t, json.Valid([]byte(strings.TrimSuffix(strings.TrimPrefix(long, "$["), "]"))))
}

func TestSchemaServesManyGoroutines(t *testing.T) {
	s := compile(t, `{"properties":{"a":{"$ref":"#"},"p":{"writeOnly":true}},"additionalProperties":false}`)
	done := make(chan []string)
	for range 8 {
		go func() {
			v := map[string]any{"a": map[string]any{"b": true}, "p": "x"}
			s.Secrets(v)
			done <- s.Validate(v)
		}()
	}
	for range 8 {
		assert.Equal(t, []string{"$.a.b: is not allowed"}, <-done)
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `true`, `{"$ref":"#"}`, `{"items":{"$ref":"#"},"type":"array"}`, `{"pattern":"(?=a)","multipleOf":1e-3}`,
		`{"oneOf":[{"const":1},{"enum":[1,2]}],"not":{"type":"string"}}`, `{"properties":{"a":{"format":"password"}},"patternProperties":{"^a":false}}`,
		`{"$id":"a:b","$anchor":"a","items":{"$ref":"a:b#a"},"$defs":{"c":{"$id":"#c","$ref":"#/$defs"}}}`, `{"$dynamicAnchor":"a","not":{"items":{"$dynamicRef":"#a"}},"$id":"//x/y#z"}`,
		`{"patternProperties":{"(?=a)":{"writeOnly":true}},"$defs":{"a":{"$id":"x","$id":"y","$ref":"x"}},"unevaluatedItems":{"$ref":"#"}}`,
		`{"if":{"minLength":2},"then":{"uniqueItems":true},"else":{"contains":{}}}`,
	} {
		f.Add(seed, `{"a":[1,"x",null,{"a":1e5}]}`)
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		s, err := jsonschema.Compile(json.RawMessage(schema))
		if err != nil {
			var compileErr *jsonschema.CompileError
			require.ErrorAs(t, err, &compileErr)
			return
		}
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) != nil {
			return
		}
		problems := s.Validate(v)
		assert.Equal(t, problems, s.Validate(v), "the same value has the same problems")
		assert.IsNonDecreasing(t, append([]string{""}, problems...))
		for _, p := range problems {
			assert.True(t, strings.HasPrefix(p, "$"), p)
		}
		s.Secrets(v)
	})
}
