package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/jsonschema"
	"github.com/agentfsm/agentfsm/desktop"
)

// schemas have a keyword that package desktop does not check. fits fits, and of each misfit
// the place is told.
var schemas = map[string]struct {
	schema, fits string
	misfits      map[string]string
}{
	"unevaluatedProperties": {`{"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}`, `{"a": "x"}`, map[string]string{
		`{"a": 77}`:        `"a" does not fit type of its schema (#/allOf/0/properties/a)`,
		`{"a": "x","b":1}`: `"*" is not allowed (#/unevaluatedProperties)`,
	}},
	"unevaluatedItems": {`{"properties": {"l": {"prefixItems": [{"type": "string"}], "unevaluatedItems": {"minimum": 5}}}}`, `{"l": ["x", 5]}`, map[string]string{
		`{"l": ["x", 4]}`: `"l[*]" does not fit minimum of its schema (#/properties/l/unevaluatedItems)`,
		`{"l": [4]}`:      `"l[0]" does not fit type of its schema (#/properties/l/prefixItems/0)`,
	}},
	"$dynamicRef": {`{"$dynamicAnchor": "node", "properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}, "n": {"type": "number"}}}`, `{"kids": [{"n": 1, "kids": []}]}`, map[string]string{
		`{"kids": [{"kids": [{"n": "x"}]}]}`: `"kids[*].kids[*].n" does not fit type of its schema (#/properties/n)`,
	}},
	"$dynamicRef that depends on the way": {`{"$ref": "https://example.com/list", "$defs": {
		"strings": {"$dynamicAnchor": "item", "type": "string"},
		"list": {"$id": "https://example.com/list", "properties": {"l": {"items": {"$dynamicRef": "#item"}}}, "$defs": {"any": {"$dynamicAnchor": "item"}}}}}`, `{"l": ["x"]}`, map[string]string{
		`{"l": [77]}`: `"l[*]" does not fit type of its schema (#/$defs/strings)`,
	}},
	"dependentSchemas": {`{"dependentSchemas": {"card": {"required": ["zip"], "properties": {"zip": {"pattern": "^[0-9]+$"}}}}}`, `{"card": "x", "zip": "1"}`, map[string]string{
		`{"card": "hunter2"}`:                  "the object: required: missing properties: [\"zip\"] (#/dependentSchemas/card)",
		`{"card": "hunter2", "zip": "secret"}`: `"zip" does not fit pattern of its schema (#/dependentSchemas/card/properties/zip)`,
	}},
	"dependentRequired": {`{"dependentRequired": {"a": ["b"]}}`, `{"a": 1, "b": 1}`, map[string]string{
		`{"a": 77}`: `the object: dependentRequired["a"]: missing properties ["b"] (#)`,
	}},
	"if": {`{"if": {"properties": {"kind": {"const": "box"}}}, "then": {"properties": {"size": {"minimum": 3}}}, "else": {"required": ["name"]}}`, `{"kind": "box", "size": 3}`, map[string]string{
		`{"kind": "box", "size": 1.25}`: `"size" does not fit minimum of its schema (#/then/properties/size)`,
		`{"kind": "bag"}`:               "the object: required: missing properties: [\"name\"] (#/else)",
	}},
	"contains": {`{"properties": {"l": {"contains": {"const": "a"}, "maxContains": 1}}}`, `{"l": ["a", "b"]}`, map[string]string{
		`{"l": ["hunter2"]}`: `"l" does not fit contains of its schema (#/properties/l)`,
		`{"l": ["a", "a"]}`:  `"l": maxContains: contains validated 2 items, greater than 1 (#/properties/l)`,
	}},
	"anchors": {`{"$defs": {"z": {"$anchor": "zip", "maxLength": 5}}, "properties": {"a/b": {"$ref": "#zip"}}, "additionalProperties": false}`, `{"a/b": "12345"}`, map[string]string{
		`{"a/b": "123456"}`: `"a/b" does not fit maxLength of its schema (#/$defs/z)`,
		`{"hunter2": 1}`:    "the object has properties that are not allowed (#)",
	}},
	"anyOf": {`{"if": true, "then": {"anyOf": [{"required": ["a"]}, {"oneOf": [{"required": ["b"]}, {"type": "object"}]}]}}`, `{"a": 1}`, map[string]string{
		`{"b": "hunter2"}`: "the object does not fit anyOf of its schema (#/then)",
	}},
	"an id and a pattern": {`{"$id": "https://example.com/top", "patternProperties": {"^x": {"$ref": "top#/$defs/n"}}, "$defs": {"n": {"$id": "n", "enum": [1]}}}`, `{"x": 1}`, map[string]string{
		`{"x": "hunter2"}`: `"*" does not fit enum of its schema (#/patternProperties/^x)`,
	}},
	"draft 7": {`{"$schema": "http://json-schema.org/draft-07/schema", "dependencies": {"a": ["b"]}, "properties": {"l": {"items": [{"type": "string"}], "additionalItems": false}}}`, `{"l": ["x"]}`, map[string]string{
		`{"a": 77}`:      `the object: dependentRequired["a"]: missing properties ["b"] (#)`,
		`{"l": ["x",1]}`: `"l[*]" is not allowed (#/properties/l/additionalItems)`,
	}},
}

// The tool is left out without the Validator; with it, what does not fit is refused with its
// place and without its value.
func TestValidator(t *testing.T) {
	for name, tt := range schemas {
		t.Run(name, func(t *testing.T) {
			tools := []desktop.Tool{{Name: "x", InputSchema: json.RawMessage(tt.schema)}}
			_, err := desktop.NewToolbox(tools, nil)
			require.ErrorContains(t, err, "nothing checks the keyword")
			box, err := desktop.NewToolbox(tools, jsonschema.Validator)
			require.NoError(t, err)
			check := func(parameters string) error {
				var p map[string]any
				require.NoError(t, json.Unmarshal([]byte(parameters), &p))
				return box.Check(desktop.Command{ToolName: "x", Parameters: p})
			}
			assert.NoError(t, check(tt.fits))
			for misfit, want := range tt.misfits {
				err := check(misfit)
				require.ErrorIs(t, err, desktop.ErrParameters, misfit)
				assert.EqualError(t, err, "desktop: x: the arguments do not fit: "+want)
				for _, value := range []string{"hunter2", "secret", "77", "1.25"} {
					assert.NotContains(t, err.Error(), value)
				}
			}
		})
	}
}

// What the library passes over, or cannot check, is an error: nobody can use the tool.
func TestValidatorRefuses(t *testing.T) {
	for schema, want := range map[string]string{
		`{`:                                 "unexpected end of JSON input",
		`{"type": 3}`:                       `invalid value for "type"`,
		`{"pattern": "a(?!b)"}`:             "invalid or unsupported Perl syntax",
		`{"$ref": "https://example.com/a"}`: "https://example.com/a",
		`{"$ref": "#nowhere"}`:              "nowhere",
		`{"exclusiveMinimum": true, "minimum": 1}`:                                               "exclusiveMinimum",
		`{"properties": {"a": {"$recursiveRef": "#"}}}`:                                          "a keyword is not of the draft of the schema: $recursiveRef",
		`{"allOf": [{"dependencies": {}}]}`:                                                      "not of the draft of the schema: dependencies",
		`{"properties": {"a": {"items": [{}]}}}`:                                                 "not of the draft of the schema: items",
		`{"$schema": "http://json-schema.org/draft-07/schema#", "if": {"dependentSchemas": {}}}`: "not of the draft of the schema: dependentSchemas",
		`{"$schema": "http://json-schema.org/draft-04/schema#"}`:                                 "the draft of the schema is not supported",
	} {
		_, err := jsonschema.Validator(json.RawMessage(schema))
		assert.ErrorContains(t, err, want, schema)
	}
	for _, schema := range []string{
		`true`, `{"$schema": "https://json-schema.org/draft/2020-12/schema#"}`, `{"default": {"items": []}, "enum": [{"dependencies": {}}]}`,
		`{"properties": {"items": {"items": {}}, "dependencies": {}, "$recursiveRef": true}, "$defs": {"items": {"const": {"items": []}}}}`,
	} {
		_, err := jsonschema.Validator(json.RawMessage(schema))
		assert.NoError(t, err, schema)
	}
	check, err := jsonschema.Validator(json.RawMessage(`{}`))
	require.NoError(t, err)
	assert.EqualError(t, check(json.RawMessage(`{"hunter2"`)), "$: is not JSON")
}

// A schema of a stranger ends neither the program nor never.
func TestValidatorIsBounded(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	var doubling strings.Builder
	doubling.WriteString(`{"$ref": "#/$defs/d30", "$defs": {"d0": {}`)
	for i := range 30 {
		fmt.Fprintf(&doubling, `, "d%d": {"if": {"$ref": "#/$defs/d%d"}, "then": {"$ref": "#/$defs/d%d"}}`, i+1, i, i)
	}
	doubling.WriteString("}}")
	for name, schema := range map[string]string{
		"a circle":                 `{"if": {"$ref": "#"}}`,
		"a circle of two":          `{"$defs": {"a": {"not": {"$ref": "#/$defs/b"}}, "b": {"dependentSchemas": {"a": {"$ref": "#/$defs/a"}}}}, "$ref": "#/$defs/a"}`,
		"a circle of anchors":      `{"$dynamicAnchor": "n", "anyOf": [{"$dynamicRef": "#n"}]}`,
		"a circle of ids":          `{"$id": "https://example.com/a", "oneOf": [{"$ref": "a"}]}`,
		"a circle below an id":     `{"properties": {"a": {"$id": "https://example.com/a", "allOf": [{"$ref": "#/allOf/0"}]}}}`,
		"a circle through escapes": `{"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {"else": {"$ref": "#/$defs/a~1b%20c"}, "if": false}}}`,
		"doubling":                 doubling.String(),
		"doubling in each level":   `{"properties": {"a": {"allOf": [{"$ref": "#"}, {"if": {"$ref": "#"}}]}}}`,
		"doubling in others":       `{"additionalProperties": {"$ref": "#"}, "unevaluatedProperties": {"$ref": "#"}, "patternProperties": {"a": {"$ref": "#"}}}`,
	} {
		check, err := jsonschema.Validator(json.RawMessage(schema))
		require.NoError(t, err, name)
		assert.EqualError(t, check(json.RawMessage(deep)), "$: takes too much work to check", name)
	}
	check, err := jsonschema.Validator(json.RawMessage(`{"properties": {"l": {"items": {"$ref": "#"}, "prefixItems": [{"$ref": "#"}]}}, "if": {"required": ["l"]}}`))
	require.NoError(t, err)
	assert.NoError(t, check(json.RawMessage(strings.Repeat(`{"l":[{},`, 100)+"1"+strings.Repeat("]}", 100))), "a tree is no circle")
	assert.EqualError(t, check(json.RawMessage(strings.Repeat(`{"l":[{},`, 600)+"1"+strings.Repeat("]}", 600))), "$: takes too much work to check")
}
