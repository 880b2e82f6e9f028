package jsonschema_test

import (
	"encoding/json"
	"fmt"
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
		"patternProperties": {"^p": {"format": "p"}},
		"additionalProperties": {"format": "more"},
		"propertyNames": {"format": "key"}}`))
	require.NoError(t, err)
	root := s.Place()
	assert.Empty(t, root.Formats())
	assert.Equal(t, []string{"a", "b", "c"}, root.Property("v").Formats())
	assert.Equal(t, []string{"c"}, root.Property("v").Property("x").Item(0).Formats(), "what is not understood counts for all below")
	assert.Equal(t, []string{"p"}, root.Property("plain").Formats())
	assert.Equal(t, []string{"more"}, root.Property("other").Formats())
	assert.Equal(t, []string{"key"}, root.Name().Formats())
	assert.Equal(t, []string{"a"}, root.Property("kids").Item(3).Property("kids").Item(0).Property("v").Formats())
	assert.True(t, root.Names("kids"))
	assert.False(t, root.Names("other"))
	assert.True(t, s.Names("kids"))
	assert.False(t, s.Names("other"))
	assert.True(t, root.Admits("string"))
	assert.False(t, root.Lost())
	none, err := jsonschema.Compile(nil)
	require.NoError(t, err)
	assert.Empty(t, none.Place().Property("x").Formats())
}

// A schema knows the parameters of what it combines, and the one type that a parameter of its own has.
func TestSchemaNamesAndTypes(t *testing.T) {
	s := compile(t, `{"properties": {"n": {"type": "integer"}, "two": {"type": ["string", "null"]}, "any": true}, "allOf": [{"properties": {"deep": {"type": "string"}}}]}`)
	assert.True(t, s.Names("deep"))
	for name, want := range map[string]string{"n": "integer", "two": "", "any": ""} {
		typ, ok := s.Type(name)
		assert.True(t, ok && s.Names(name), name)
		assert.Equal(t, want, typ, name)
	}
	_, ok := s.Type("deep")
	assert.False(t, ok)
}

// Names of properties are known wherever the schema has them, and others may be there
// unless it says so.
func TestPlaceProperties(t *testing.T) {
	for name, b := range blocks(t, "properties") {
		names, others := compile(t, b["schema"][0]).Place().Properties()
		assert.Equal(t, b["name"], names, name)
		assert.Equal(t, b["others"] != nil, others, name)
	}
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
