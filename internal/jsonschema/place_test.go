package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

// A place has the formats of all schemas that may apply to it, once each, and no
// others.
func TestPlaceFormats(t *testing.T) {
	s, err := jsonschema.Compile(json.RawMessage(`{
		"$defs": {"a": {"format": "A"}, "tree": {"properties": {"kids": {"items": {"$ref": "#/$defs/tree"}}, "v": {"$ref": "#/$defs/a"}}}},
		"allOf": [{"$ref": "#/$defs/tree"}],
		"properties": {"v": {"anyOf": [{"format": "b"}, {"oneOf": [{"format": "a"}, {"$ref": "#/$defs/a"}]}], "x-hint": {"deep": [{"format": "C"}]}}, "plain": {}},
		"additionalProperties": {"format": "more"},
		"propertyNames": {"format": "key"}}`))
	require.NoError(t, err)
	root := s.Place()
	assert.Empty(t, root.Formats())
	assert.Equal(t, []string{"a", "b", "c"}, root.Property("v").Formats())
	assert.Equal(t, []string{"c"}, root.Property("v").Property("x").Item().Formats(), "what is not understood counts for all below")
	assert.Equal(t, []string{"more"}, root.Property("other").Formats())
	assert.Equal(t, []string{"key"}, root.Name().Formats())
	assert.Equal(t, []string{"a"}, root.Property("kids").Item().Property("kids").Item().Property("v").Formats())
	assert.True(t, root.Names("kids"))
	assert.False(t, root.Names("other"))
	assert.True(t, root.Admits("string"))
	assert.False(t, root.Lost())
	none, err := jsonschema.Compile(nil)
	require.NoError(t, err)
	assert.Empty(t, none.Place().Property("x").Formats())
}

// Properties are known wherever the schema has them. There may be others unless it says so.
func TestParameters(t *testing.T) {
	for name, b := range blocks(t, "properties") {
		types, others := compile(t, b["schema"][0]).Parameters()
		assert.Equal(t, b["name"], slices.Sorted(maps.Keys(types)), name)
		assert.Equal(t, b["others"] != nil, others, name)
	}
	types, _ := compile(t, `{"properties": {"n": {"type": "integer"}, "two": {"type": ["string", "null"]}, "any": true},
		"allOf": [{"properties": {"deep": {"type": "string"}, "n": {"type": "integer"}, "any": {"type": "string"}}}]}`).Parameters()
	assert.Equal(t, map[string]string{"n": "integer", "two": "", "any": "", "deep": "string"}, types)
}

// Schemas that refer to each other many times over do not keep a place busy.
func TestPlaceOfABomb(t *testing.T) {
	text := `{"$defs": {"d0": {"type": "string"}`
	for i := range 40 {
		text += fmt.Sprintf(`, "d%d": {"anyOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, i+1, i, i)
	}
	s, err := jsonschema.Compile(json.RawMessage(text + `}, "$ref": "#/$defs/d40"}`))
	require.NoError(t, err)
	p := s.Place()
	assert.Empty(t, p.Formats())
	assert.False(t, p.Lost())
	assert.False(t, p.Admits("number"))
	assert.True(t, p.Lost(), "that was too much to look at")
}
