package builtin

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// A line for each argument says all that a plain schema says, and nothing less plain is a line.
func TestArgsOf(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"id":{"type":"string","description":"of the control"},"n":{"type":"integer"}},"required":["id"],"additionalProperties":false}`: `{"id":"string: of the control","n":"integer?"}`,
		`{"type":"object","properties":{"to":{"type":"string","enum":["left","right"]}}}`:                                                                              `{"to":"string?: one of left, right"}`,
		`{"type":"object","properties":{"to":{"type":"string","description":"where","enum":["left"]}},"required":["to"]}`:                                              `{"to":"string: where; one of left"}`,
		`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"array","items":{}}}}}`:                                                                 `{"rows":"list of list of any?"}`,
		`{"type":"object","properties":{"value":{"description":"a text or a number"}}}`:                                                                                `{"value":"any?: a text or a number"}`,
		`{"type":"object","properties":{},"additionalProperties":false}`:                                                                                               `{}`,
		`{"type":"object"}`: `{}`,

		``: "", `true`: "", `[]`: "", `{}`: "",
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}`:                             "",
		`{"type":"object","properties":{"n":{"type":["integer","null"]}}}`:                                "",
		`{"type":"object","properties":{"n":{"type":"integer","enum":[1,2]}}}`:                            "",
		`{"type":"object","properties":{"n":{"type":"string","enum":["a, b"]}}}`:                          "",
		`{"type":"object","properties":{"at":{"type":"object"}}}`:                                         "",
		`{"type":"object","properties":{"at":{"type":"array"}}}`:                                          "",
		`{"type":"object","properties":{"at":{"type":"array","items":{"type":"string","minLength":1}}}}`:  "",
		`{"type":"object","properties":{"at":true}}`:                                                      "",
		`{"type":"object","properties":{"n":{"type":"string"}},"additionalProperties":{"type":"string"}}`: "",
		`{"type":"object","properties":{"n":{"type":"string"}},"required":["n","m"]}`:                     "",
		`{"type":"object","properties":{"n":{"type":"string"}},"anyOf":[{"required":["n"]}]}`:             "",
	} {
		args, ok := argsOf(json.RawMessage(schema))
		assert.Equal(t, want, string(args), schema)
		assert.Equal(t, want != "", ok, schema)
	}
}

// A model learns in both forms of a reply that a tool destroys.
func TestListedSaysWhatDestroys(t *testing.T) {
	raw, err := json.Marshal(listed([]desktop.Tool{
		{Name: "read", Annotations: desktop.Annotations{ReadOnlyHint: true}},
		{Name: "wipe", Annotations: desktop.Annotations{DestructiveHint: true}, Origin: "disk"},
	}))
	require.NoError(t, err)
	assert.Equal(t, `[{"name":"read"},{"name":"wipe","destructive":true,"origin":"disk"}]`, string(raw))
}

func TestNamed(t *testing.T) {
	many := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	for want, tools := range map[string][]string{
		"": nil, "a": many[:1], "a and b": many[:2], "a, b and c": many[:3], "tools for which the schema wants a text": many,
	} {
		assert.Equal(t, want, named(tools))
	}
}
