package schemaof_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/schemaof"
)

func TestWithEnum(t *testing.T) {
	for name, c := range map[string]struct{ property, schema, want string }{
		"a text":    {"a", `{"properties":{"a":{"type":"string"},"b":{}},"type":"object"}`, `{"properties":{"a":{"type":"string","enum":["x","\"y\""]},"b":{}},"type":"object"}`},
		"another":   {"b", `{"properties":{"b":{"enum":["z"],"type":["string","null"]}}}`, `{"properties":{"b":{"enum":["x","\"y\""],"type":["string","null"]}}}`},
		"any value": {"a", `{"properties":{"a":{}}}`, `{"properties":{"a":{"enum":["x","\"y\""]}}}`},
		"a list":    {"a", `{"properties":{"a":{"type":"array","items":{"type":"string"}}}}`, `{"properties":{"a":{"type":"array","items":{"type":"string","enum":["x","\"y\""]}}}}`},
	} {
		got, err := schemaof.WithEnum([]byte(c.schema), c.property, "x", `"y"`)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, string(got), name)
	}
	_, err := schemaof.WithEnum([]byte(`{"properties":{"a":{"type":"string"}}}`), "a")
	require.ErrorContains(t, err, "allows nothing")
	for schema, problem := range map[string]string{
		`{"properties":{"A":{"type":"string"}}}`:                           "no such property",
		`{"properties":{"a":{"type":"integer"}}}`:                          "the property does not take strings",
		`{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`: "the elements do not take strings",
		`{"properties":{"a":true}}`:                                        "not an object",
		`{a:1}`:                                                            "not JSON",
	} {
		_, err := schemaof.WithEnum([]byte(schema), "a", "x")
		require.ErrorContains(t, err, problem, schema)
	}
}
