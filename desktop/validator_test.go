package desktop_test

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// odd are schemas with a keyword that is not checked, wherever it stands.
var odd = map[string]string{
	"#/if":                               `{"if": {"required": ["b"]}, "then": {"required": ["c"]}}`,
	"#/properties/a/dependentSchemas":    `{"properties": {"a": {"dependentSchemas": {}}}}`,
	"#/anyOf/0/unevaluatedProperties":    `{"anyOf": [{"unevaluatedProperties": false}]}`,
	"#/not":                              `{"not": {"type": "null"}}`,
	"#/items/prefixItems":                `{"items": {"prefixItems": [{}]}}`,
	"#/properties/a/$ref":                `{"properties": {"a": {"$ref": "https://example.com/a"}}}`,
	"#/properties/a/pattern":             `{"properties": {"a": {"pattern": "b(?!c)"}}}`,
	"#/additionalProperties/$dynamicRef": `{"additionalProperties": {"$dynamicRef": "#a"}}`,
}

// desk offers a tool with the schema between two others.
func desk(schema string) *fake {
	return &fake{tools: func(context.Context) ([]desktop.Tool, error) {
		return []desktop.Tool{
			{Name: "first"}, {Name: "odd", InputSchema: json.RawMessage(schema)},
			{Name: "last", InputSchema: json.RawMessage(`{"title": "if", "x-if": {}, "properties": {"if": {"format": "x"}}}`)},
		}, nil
	}}
}

// A tool with a keyword that nothing checks is left out; the others stay.
func TestUncheckedKeywords(t *testing.T) {
	for place, schema := range odd {
		box, err := desktop.Open(t.Context(), desk(schema), nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"first", "last"}, toolNames(box.Tools()), place)
		require.Len(t, box.Unusable(), 1)
		unchecked := `desktop: tool "odd" cannot be used: nothing checks the keyword ` + path.Base(place) + " of its schema (" + place + ")"
		require.EqualError(t, box.Unusable()[0], unchecked)
		require.EqualError(t, box.Check(desktop.Command{ToolName: "odd"}), unchecked+"; call another tool")
		_, err = desktop.NewToolbox([]desktop.Tool{{Name: "odd", InputSchema: json.RawMessage(schema)}}, nil)
		require.EqualError(t, err, unchecked)
	}
}

// With a Validator it is there, and the Validator alone says what fits.
func TestValidator(t *testing.T) {
	for place, schema := range odd {
		var asked, got []string
		v := desktop.Validator(func(schema json.RawMessage) (func(json.RawMessage) error, error) {
			asked = append(asked, string(schema))
			clear(schema) // which is its own
			return func(p json.RawMessage) error {
				if got = append(got, string(p)); string(p) == `{"a":1}` {
					return errors.New("$.a: is odd")
				}
				return nil
			}, nil
		})
		box, err := desktop.Open(t.Context(), desk(schema), v)
		require.NoError(t, err)
		assert.Equal(t, []string{"first", "odd", "last"}, toolNames(box.Tools()), place)
		assert.Empty(t, box.Unusable())
		require.NoError(t, box.Check(desktop.Command{ToolName: "odd", Parameters: params{"b": "x"}}))
		require.NoError(t, box.Check(desktop.Command{ToolName: "odd"}))
		err = box.Check(desktop.Command{ToolName: "odd", Parameters: params{"a": 1}})
		require.ErrorIs(t, err, desktop.ErrParameters)
		require.EqualError(t, err, `desktop: odd: the arguments do not fit: "a" is odd`)
		require.NoError(t, box.Check(desktop.Command{ToolName: "last"}))
		assert.Equal(t, []string{schema}, asked, "the others are checked without it")
		assert.Equal(t, []string{`{"b":"x"}`, `{}`, `{"a":1}`}, got)
		tool, _ := box.Tool("odd")
		assert.Equal(t, schema, string(tool.InputSchema))
	}
}

// What a Validator cannot check nobody can use.
func TestValidatorThatCannot(t *testing.T) {
	for want, v := range map[string]desktop.Validator{
		`desktop: tool "odd" cannot be used: never heard of it`: func(json.RawMessage) (func(json.RawMessage) error, error) {
			return nil, errors.New("never heard of it")
		},
		`desktop: tool "odd" cannot be used: the Validator returned no check for its schema`: func(json.RawMessage) (func(json.RawMessage) error, error) { return nil, nil },
	} {
		box, err := desktop.Open(t.Context(), desk(odd["#/if"]), v)
		require.NoError(t, err)
		assert.Equal(t, []string{"first", "last"}, toolNames(box.Tools()))
		require.Len(t, box.Unusable(), 1)
		require.EqualError(t, box.Unusable()[0], want)
		_, err = desktop.NewToolbox([]desktop.Tool{{Name: "odd", InputSchema: json.RawMessage(odd["#/if"])}}, v)
		require.EqualError(t, err, want)
	}
}

// Secrets are found in what is not checked, too, and rather too many.
func TestSecretsInUncheckedKeywords(t *testing.T) {
	schema := json.RawMessage(`{"if": {}, "then": {"properties": {"pin": {"writeOnly": true}}}}`)
	box, err := desktop.NewToolbox([]desktop.Tool{{Name: "odd", InputSchema: schema}}, desktop.LeaveToTool)
	require.NoError(t, err)
	cmd := desktop.Command{ToolName: "odd", Parameters: params{"pin": "1234"}}
	require.NoError(t, box.Check(cmd))
	assert.Equal(t, "***", box.Mask(cmd).Parameters["pin"])
	assert.Equal(t, []string{"1234"}, box.Secrets(cmd))
}
