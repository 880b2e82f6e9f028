package closed_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

func ExampleParameters() {
	schema, ok := closed.Parameters([]byte(`{"type":"object","properties":{"id":{"type":"string","pattern":"^c","description":"of the control"}},"required":["id"]}`))
	fmt.Println(ok)
	fmt.Println(string(schema))
	_, ok = closed.Parameters([]byte(`{"type":"object","additionalProperties":{"type":"string"}}`))
	fmt.Println(ok)
	// Output:
	// true
	// {"type":"object","properties":{"id":{"anyOf":[{"type":"string"},{"type":"object","properties":{"$ref":{"type":"string"}},"required":["$ref"],"additionalProperties":false}]}},"required":["id"],"additionalProperties":false}
	// false
}

// What a tool says of its arguments is for the model. It is not in the schema of a reply.
func TestDescribed(t *testing.T) {
	schema := `{"type":"object","description":"clicks","properties":{"id":{"type":"string","description":"of the control"},"at":{"type":"object","properties":{"x":{"type":"number","description":"from the left"}},"required":["x"],"description":"a point"},` +
		`"keys":{"type":"array","items":{"type":"string","description":"a key"}},"twice":{"type":"boolean"},"of":{"enum":["left","right"]}},"required":["id","of"]}`
	shut, ok := closed.Described([]byte(schema))
	require.True(t, ok)
	assert.Equal(t, `{"type":"object","properties":{"id":{"anyOf":[{"type":"string"},`+reference+`],"description":"of the control"},`+
		`"at":{"anyOf":[{"type":"object","properties":{"x":{"type":"number","description":"from the left"}},"required":["x"],"additionalProperties":false},`+reference+`,{"type":"null"}],"description":"a point"},`+
		`"keys":{"anyOf":[{"type":"array","items":{"type":"string","description":"a key"}},`+reference+`,{"type":"null"}]},"twice":{"type":["boolean","null"]},"of":{"type":"string","enum":["left","right"]}},`+
		`"required":["id","at","keys","twice","of"],"additionalProperties":false,"description":"clicks"}`, string(shut))
	assert.Empty(t, closedtest.OpenAI(shut))
	assert.Empty(t, closedtest.Anthropic(shut))
	plain, ok := closed.Parameters([]byte(schema))
	require.True(t, ok)
	assert.NotContains(t, string(plain), "description")

	_, ok = closed.Described([]byte(`{"type":"object"}`))
	assert.False(t, ok)
	long := `{"type":"object","properties":{"` + strings.Repeat("x", 120_001) + `":{"type":"string"}}}`
	_, ok = closed.Described([]byte(long))
	assert.False(t, ok, "no provider takes it")
}

// A closed form has no bounds, no formats and no long choices. A model is told of them.
func TestDescribedTellsWhatIsNotEnforced(t *testing.T) {
	words := strings.TrimSuffix(strings.Repeat(`"w",`, 251), ",")
	for schema, want := range map[string]string{
		`{"type":"integer","minimum":1,"maximum":3,"default":2}`:                              `minimum: 1; maximum: 3; default: 2`,
		`{"type":"string","description":"a day","pattern":"^\\d+$","format":"date"}`:          `a day; pattern: "^\\d+$"; format: "date"`,
		`{"anyOf":[{"type":"integer","maximum":3},{"type":"null"}],"description":"d"}`:        `d; maximum: 3`,
		`{"oneOf":[{"type":"string","maxLength":3},{"type":"integer","maxLength":3}]}`:        `maxLength: 3`,
		`{"$ref":"#/$defs/port","minimum":1024}`:                                              `a port; maximum: 65535; minimum: 1024`,
		`{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2}`:                `maxItems: 2`,
		`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}`: `anyOf: [{"required":["a"]}]`,
		`{"enum":[` + words + `]}`:        `enum: [` + words + `]`,
		`{"type":"string","minLength":1}`: ``,
	} {
		raw, ok := closed.Described([]byte(`{"type":"object","properties":{"a":` + schema + `},"$defs":{"port":{"type":"integer","maximum":65535,"description":"a port"}}}`))
		require.True(t, ok, schema)
		var got struct {
			Properties struct{ A struct{ Description string } }
		}
		require.NoError(t, json.Unmarshal(raw, &got))
		assert.Equal(t, want, got.Properties.A.Description, schema)
		assert.Empty(t, closedtest.OpenAI(raw))
		assert.Empty(t, closedtest.Anthropic(raw))
	}
}

// Providers take the parameters of every tool that can be closed.
func TestProvidersTakeTheTools(t *testing.T) {
	for name, box := range closedtest.Toolboxes(t, "../..") {
		shut := 0
		for _, tool := range box.Tools() {
			schema, ok := closed.Described(tool.InputSchema)
			if !ok {
				continue
			}
			shut++
			for provider, problems := range closedtest.Providers {
				assert.Empty(t, problems(schema), "%s, %s, %s", name, tool.Name, provider)
			}
		}
		assert.GreaterOrEqual(t, shut, map[string]int{"none": 0, "open": 3, "well-known": 23, "everything": 16, "playwright": 24}[name], name)
	}
}

// reference is what each argument takes, too.
const reference = `{"type":"object","properties":{"$ref":{"type":"string"}},"required":["$ref"],"additionalProperties":false}`

// argument is the schema of the one argument of a tool, without the reference and null.
func argument(t *testing.T, schema string) (string, bool) {
	t.Helper()
	raw, ok := closed.Parameters([]byte(`{"type":"object","properties":{"list":{"type":"array","items":` + schema + `}},"required":["list"],"$defs":{"word":{"type":"string","minLength":1},"self":{"type":"array","items":{"$ref":"#/$defs/self"}}}}`))
	if !ok {
		return "", false
	}
	assert.Empty(t, closedtest.OpenAI(raw), schema)
	assert.Empty(t, closedtest.Anthropic(raw), schema)
	text, ok := strings.CutPrefix(string(raw), `{"type":"object","properties":{"list":{"anyOf":[{"type":"array","items":`)
	require.True(t, ok, string(raw))
	text, _, ok = strings.Cut(text, `},{"type":"object","properties":{"$ref":`)
	require.True(t, ok, string(raw))
	return text, true
}

func TestSchemasAreClosed(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"string","minLength":1,"format":"date","description":"d"}`:                   `{"type":"string"}`,
		`{"type":"integer","minimum":0,"maximum":3}`:                                          `{"type":"integer"}`,
		`{"type":["string","null"]}`:                                                          `{"type":["string","null"]}`,
		`{"enum":["a","b"]}`:                                                                  `{"type":"string","enum":["a","b"]}`,
		`{"const":"a","type":"string"}`:                                                       `{"type":"string","enum":["a"]}`,
		`{"enum":[1,2.5]}`:                                                                    `{"type":"number","enum":[1,2.5]}`,
		`{"enum":["a",null]}`:                                                                 `{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`,
		`{"enum":[true,false]}`:                                                               `{"type":"boolean"}`,
		`{"$ref":"#/$defs/word"}`:                                                             `{"type":"string"}`,
		`{"allOf":[{"$ref":"#/$defs/word"}],"default":"x"}`:                                   `{"type":"string"}`,
		`{"anyOf":[{"type":"string"},{"type":"integer"}]}`:                                    `{"type":["string","integer"]}`,
		`{"oneOf":[{"type":"string","maxLength":3},{"type":"string","pattern":"x"}]}`:         `{"type":"string"}`,
		`{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}`:                `{"type":"array","items":{"type":"number"}}`,
		`{"properties":{"a":{"type":"string"},"b":{"type":"boolean"}},"required":["a"]}`:      `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":["boolean","null"]}},"required":["a","b"],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}`: `{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`,
		`{"type":"object","additionalProperties":false}`:                                      `{"type":"object","properties":{},"required":[],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":false,"b":{"type":"string"}}}`:                    `{"type":"object","properties":{"b":{"type":["string","null"]}},"required":["b"],"additionalProperties":false}`,
		`{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{},"title":"n"}]}`: `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},{"type":"object","properties":{},"required":[],"additionalProperties":false}]}`,
	} {
		got, ok := argument(t, schema)
		if assert.True(t, ok, schema) {
			assert.Equal(t, want, got, schema)
		}
	}
	words := make([]string, 251)
	for i := range words {
		words[i] = fmt.Sprintf(`"w%d"`, i)
	}
	got, _ := argument(t, `{"enum":[`+strings.Join(words, ",")+`]}`)
	assert.Equal(t, `{"type":"string"}`, got, "OpenAI bounds the letters of so many")
}

func TestWhatCannotBeClosed(t *testing.T) {
	for _, schema := range []string{
		`true`, `{}`, `{"description":"anything"}`, `{"type":"array"}`, `{"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}`,
		`{"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"$ref":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"allOf":[{"properties":{"b":{"type":"string"}}}]}`,
		`{"type":"array","prefixItems":[{"type":"string"}]}`,
		`{"type":"array","items":[{"type":"string"}]}`,
		`{"enum":[{"a":1}]}`, `{"$ref":"#/$defs/self"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"https://example.com/s.json"}`,
		`{"allOf":[{"type":"string"},{"maxLength":2}]}`,
		`{"anyOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"type":"integer"}}}]}`,
		strings.Repeat(`{"type":"array","items":`, 5) + `{"type":"string"}` + strings.Repeat("}", 5),
		`{"type":"file"}`,
	} {
		_, ok := argument(t, schema)
		assert.False(t, ok, schema)
	}
	for _, schema := range []string{``, `null`, `{}`, `{"type":"object"}`, `{"type":"string"}`, `{a:1}`, `{"type":["object","null"],"properties":{}}`} {
		_, ok := closed.Parameters([]byte(schema))
		assert.False(t, ok, schema)
	}
}

// A schema of references could be written out without end.
func TestReferencesAreBounded(t *testing.T) {
	var defs strings.Builder
	for i := range 40 {
		fmt.Fprintf(&defs, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	_, ok := closed.Parameters([]byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + defs.String() + `"d40":{"type":"string"}}}`))
	assert.False(t, ok)
}

func TestCalls(t *testing.T) {
	id := `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}`
	v := closed.Calls([]closed.Tool{
		{Name: "click", Schema: []byte(id)}, {Name: "anything", Schema: nil}, {Name: "look", Schema: []byte(id)},
		{Name: "draw", Schema: []byte(`{"type":"object","properties":{"style":{"type":"object"}}}`)},
		{Name: "nothing", Schema: []byte(`{"type":"object","properties":{}}`)},
	})
	one := `"required":["Function","Args"],"additionalProperties":false}`
	assert.Equal(t, `{"anyOf":[`+
		`{"type":"object","properties":{"Function":{"type":"string","enum":["click","look"]},"Args":{"type":"object","properties":{"id":{"anyOf":[{"type":"string"},`+reference+`]}},"required":["id"],"additionalProperties":false}},`+one+`,`+
		`{"type":"object","properties":{"Function":{"type":"string","enum":["anything","draw"]},"Args":{"type":"string"}},`+one+`,`+
		`{"type":"object","properties":{"Function":{"type":"string","enum":["nothing"]},"Args":{"type":"object","properties":{},"required":[],"additionalProperties":false}},`+one+
		`]}`, string(v.Append(nil)))
	reply := closed.Share(closed.Object(loosejson.Member{Name: "Call", Value: closed.OrNull(v)}, loosejson.Member{Name: "Calls", Value: closed.List(v)}))
	assert.Empty(t, closedtest.OpenAI(reply.Append(nil)))
	assert.Empty(t, closedtest.Anthropic(reply.Append(nil)))
}

func TestShare(t *testing.T) {
	word := closed.Enum("a long word that is worth a name", "b")
	list := closed.List(word)
	v := closed.Share(closed.Object(
		loosejson.Member{Name: "a", Value: list}, loosejson.Member{Name: "b", Value: list}, loosejson.Member{Name: "c", Value: word},
		loosejson.Member{Name: "d", Value: closed.Text}, loosejson.Member{Name: "e", Value: closed.Text},
	))
	assert.Equal(t, `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"#/$defs/b"},"d":{"type":"string"},"e":{"type":"string"}},`+
		`"required":["a","b","c","d","e"],"additionalProperties":false,`+
		`"$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/b"}},"b":{"type":"string","enum":["a long word that is worth a name","b"]}}}`, string(v.Append(nil)))
	var many []loosejson.Member
	for i := range 60 {
		one := closed.Enum(fmt.Sprintf("a long word that is worth a name, %d", i))
		many = append(many, loosejson.Member{Name: fmt.Sprint("p", i), Value: one}, loosejson.Member{Name: fmt.Sprint("q", i), Value: one})
	}
	raw := closed.Share(closed.Object(many...)).Append(nil)
	assert.Empty(t, closedtest.OpenAI(raw))
	defs := struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}{}
	require.NoError(t, json.Unmarshal(raw, &defs))
	assert.Len(t, defs.Defs, 60)
}

func TestFits(t *testing.T) {
	object := func(n int, value loosejson.Value) loosejson.Value {
		var members []loosejson.Member
		for i := range n {
			members = append(members, loosejson.Member{Name: fmt.Sprint("p", i), Value: value})
		}
		return closed.Object(members...)
	}
	nested := func(levels int) loosejson.Value {
		v := closed.Text
		for range levels {
			v = closed.List(v)
		}
		return v
	}
	words := func(n, letters int) loosejson.Value {
		list := make([]string, n)
		for i := range list {
			list[i] = strings.Repeat("w", letters)
		}
		return closed.Enum(list...)
	}
	for name, c := range map[string]struct{ fits, not loosejson.Value }{
		"properties": {object(5000, closed.Text), object(5001, closed.Text)},
		"levels":     {nested(10), nested(11)},
		"letters":    {object(11, words(90, 121)), object(11, words(90, 122))},
		"values":     {object(5, words(200, 1)), object(6, words(167, 1))},
		"a choice":   {object(1, words(251, 59)), object(1, words(251, 60))},
	} {
		assert.True(t, closed.Fits(c.fits), name)
		assert.False(t, closed.Fits(c.not), name)
	}
}

func TestOpened(t *testing.T) {
	schema := `{"type":"object","properties":{
		"id":{"type":"string"},"twice":{"type":"boolean"},"over":{"type":["string","null"]},"any":{},
		"at":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/point"}]},
		"path":{"type":"array","items":{"$ref":"#/$defs/point"}}
	},"required":["id"],"$defs":{"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x"]}}}`
	for said, want := range map[string]string{
		`{"id":"1"}`:                       `{"id":"1"}`,
		`{"id":"1","twice":null}`:          `{"id":"1"}`,
		`{"id":null}`:                      `{"id":null}`,
		`{"id":"1","over":null}`:           `{"id":"1","over":null}`,
		`{"id":"1","any":null}`:            `{"id":"1","any":null}`,
		`{"id":"1","at":{"x":1,"y":null}}`: `{"id":"1","at":{"x":1}}`,
		`{"id":"1","path":[{"x":1,"y":null},{"x":2,"y":3}]}`: `{"id":"1","path":[{"x":1},{"x":2,"y":3}]}`,
		`{"id":{"$reference":"a.b"}}`:                        `{"id":{"$ref":"a.b"}}`,
		`{"id":{"$ref":"a.b"},"twice":null}`:                 `{"id":{"$ref":"a.b"}}`,
		`{"other":null}`:                                     `{"other":null}`,
	} {
		var args map[string]any
		require.NoError(t, json.Unmarshal([]byte(said), &args))
		got, err := json.Marshal(closed.Opened([]byte(schema), args))
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), said)
		again, err := json.Marshal(args)
		require.NoError(t, err)
		assert.JSONEq(t, said, string(again), "what was given stays as it is")
	}
	assert.Equal(t, map[string]any{"a": nil}, closed.Opened(nil, map[string]any{"a": nil}), "there is nothing to go by")
}

func TestForGrammars(t *testing.T) {
	raw, ok := closed.Parameters([]byte(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`))
	require.True(t, ok)
	renamed := string(closed.ForGrammars(raw))
	assert.Contains(t, renamed, `{"$reference":{"type":"string"}}`)
	assert.NotContains(t, renamed, `"$ref":{`)
	assert.Contains(t, renamed, `{"$ref":"#/$defs/a"}`)
}

// What fits a schema can be said in its closed form, and comes back as it was.
func TestWhatFitsCanBeSaid(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	shut := 0
	for range 2000 {
		schema := anObject(chance, 3)
		raw, err := json.Marshal(schema)
		require.NoError(t, err)
		form, ok := closed.Parameters(raw)
		if !ok {
			continue // two objects of a choice begin alike
		}
		shut++
		open, err := jsonschema.Compile(raw)
		require.NoError(t, err)
		strict, err := jsonschema.Compile(form)
		require.NoError(t, err)
		value := aValue(chance, schema).(map[string]any)
		require.Empty(t, open.Validate(value), "%s\n%v", raw, value)
		said := fill(schema, value).(map[string]any)
		require.Empty(t, strict.Validate(said), "%s\n%s\n%v", raw, form, said)
		require.Equal(t, value, closed.Opened(raw, said), "%s\n%v", raw, said)
		require.Empty(t, closedtest.OpenAI(form), string(form))
	}
	assert.Greater(t, shut, 1000)
}

type node = map[string]any

func anObject(r *rand.Rand, depth int) node {
	properties, required := node{}, []any{}
	for i := range r.IntN(4) {
		name := fmt.Sprint("p", i)
		properties[name] = aSchema(r, depth-1)
		if r.IntN(2) == 0 {
			required = append(required, name)
		}
	}
	return node{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func aSchema(r *rand.Rand, depth int) node {
	kinds := 7
	if depth == 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return node{"type": "string", "minLength": 1}
	case 1:
		return node{"type": "integer", "minimum": 0}
	case 2:
		return node{"type": "boolean"}
	case 3:
		return node{"enum": []any{"x", "y"}}
	case 4:
		return node{"anyOf": []any{node{"type": "string"}, node{"type": "number"}}}
	case 5:
		return node{"type": "array", "items": aSchema(r, depth-1)}
	default:
		return anObject(r, depth-1)
	}
}

func aValue(r *rand.Rand, schema node) any {
	switch {
	case schema["enum"] != nil:
		return "y"
	case schema["anyOf"] != nil:
		return json.Number("1.5")
	}
	switch schema["type"] {
	case "string":
		return "text"
	case "integer":
		return json.Number("3")
	case "boolean":
		return true
	case "array":
		list := []any{}
		for range r.IntN(3) {
			list = append(list, aValue(r, schema["items"].(node)))
		}
		return list
	}
	object := map[string]any{}
	for name, property := range schema["properties"].(node) {
		if asked(schema, name) || r.IntN(2) == 0 {
			object[name] = aValue(r, property.(node))
		}
	}
	return object
}

// fill writes null where a value says nothing.
func fill(schema node, value any) any {
	switch value := value.(type) {
	case []any:
		list := []any{}
		for _, item := range value {
			list = append(list, fill(schema["items"].(node), item))
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for name, property := range schema["properties"].(node) {
			if item, ok := value[name]; ok {
				object[name] = fill(property.(node), item)
			} else {
				object[name] = nil
			}
		}
		return object
	}
	return value
}

func asked(schema node, name string) bool {
	for _, r := range schema["required"].([]any) {
		if r == name {
			return true
		}
	}
	return false
}
