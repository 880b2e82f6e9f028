package builtin_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// What was asked for is no repair.
func TestClosedFormIsRead(t *testing.T) {
	for closed, open := range map[string]string{
		`{"Call":{"Function":"click","Args":{"id":"3"}},"Status":"CONTINUE"}`:                                                                `{"Function":"click","Args":{"id":"3"},"Status":"CONTINUE"}`,
		`{"Call":null,"Plan":null,"Status":"FINISH"}`:                                                                                        `{"Status":"FINISH"}`,
		`{"Call":{"Function":"anything","Args":"{\"a\":[1,{\"b\":null}]}"}}`:                                                                 `{"Function":"anything","Args":{"a":[1,{"b":null}]}}`,
		`{"Call":{"Function":"anything","Args":"{a:1}"}}`:                                                                                    `{"Function":"anything","Args":"{a:1}"}`,
		`{"Actions":[{"Function":"click","Args":{}}],"Plan":null,"Result":"","Open":[]}`:                                                     `{"Function":"click","Args":{},"Open":[]}`,
		`{"Actions":[{"ControlLabel":"1","Call":{"Function":"click","Args":{}}}]}`:                                                           `{"ControlLabel":"1","Function":"click","Args":{}}`,
		`{"Actions":[{"Function":"a","Args":"{\"b\":1}"},{"ControlLabel":"2","ControlText":"","Call":{"Function":"c","Args":"{\"d\":1}"}}]}`: `{"Actions":[{"Function":"a","Args":{"b":1}},{"ControlLabel":"2","ControlText":"","Function":"c","Args":{"d":1}}]}`,
		`{"Actions":[{"Call":{"Function":"a","Args":{}}}],"Function":"b"}`:                                                                   `{"Actions":[{"Function":"a","Args":{}}],"Function":"b"}`,
		`{"Actions":[{"Call":{"Function":"a","Args":{}},"Status":"FINISH"}]}`:                                                                `{"Actions":[{"Function":"a","Args":{},"Status":"FINISH"}]}`,
		`{"Call":{"Function":"a","Args":{"b":1}},"Actions":[{"Function":"a"}]}`:                                                              `{"Function":"a","Args":{"b":1},"Actions":[{"Function":"a"}]}`,
		`{"tool":"a","Actions":[{"Function":"a","Args":{"b":1}}],"Open":[]}`:                                                                 `{"tool":"a","Actions":[{"Function":"a","Args":{"b":1}}],"Open":[]}`,
		`{"Call":null,"Actions":[{"Function":"a","Args":{}}]}`:                                                                               `{"Function":"a","Args":{}}`,
		`{"Actions":[],"Open":["a: done: so"]}`:                                                                                              `{"Actions":[],"Open":["a: done: so"]}`,
		`{"Open":{"a":"done: so","b":1,"c: d":"dropped"}}`:                                                                                   `{"Open":["a: done: so","b: 1","c: d: dropped"]}`,
		`{"Call":null,"Result":"a text"}`:                                                                                                    `{"Result":"a text"}`,
		`{"Call":null,"Result":""}`:                                                                                                          `{}`,
		`{"Call":null,"Result":" null "}`:                                                                                                    `{}`,
		`{"Call":null,"Result":"42"}`:                                                                                                        `{"Result":42}`,
		`{"Call":null,"Result":"\"42\""}`:                                                                                                    `{"Result":"42"}`,
		`{"Call":null,"Result":"[{\"a\":1.50}]"}`:                                                                                            `{"Result":[{"a":1.50}]}`,
		`{"Call":null,"Result":"[1] see below"}`:                                                                                             `{"Result":"[1] see below"}`,
		`{"Call":null,"Result":"{\"$ref\":\"subtask_result_1.data\"}","SaveScreenshot":"true"}`:                                              `{"Result":{"$ref":"subtask_result_1.data"},"SaveScreenshot":true}`,
		`{"Call":null,"Result":"{\"rows\":[{\"$reference\":\"a.b\"}]}"}`:                                                                     `{"Result":{"rows":[{"$ref":"a.b"}]}}`,
		`{"Result":"{\"$reference\":\"a.b\"}","Status":"FINISH"}`:                                                                            `{"Result":{"$ref":"a.b"},"Status":"FINISH"}`,
		`{"Call":null,"Context":"{\"a\":1}","Comment":"null"}`:                                                                               `{"Context":{"a":1},"Comment":"null"}`,
		`{"Result":"{\"$ref\":\"x\"}","Context":"{\"a\":1}"}`:                                                                                `{"Result":{"$ref":"x"},"Context":{"a":1}}`,
		`{"Result":"42","Context":"{\"a\":1}"}`:                                                                                              `{"Result":"42","Context":{"a":1}}`,
		`{"Result":{"Call":{"Function":"click","Args":{}},"Status":"CONTINUE"}}`:                                                             `{"Function":"click","Args":{},"Status":"CONTINUE"}`,
	} {
		v, err := loosejson.Parse(closed)
		require.NoError(t, err, closed)
		got, repairs := builtin.Reshape(v)
		assert.Equal(t, open, string(got.Append(nil)), closed)
		if closed[2:8] != "Result" {
			assert.Empty(t, repairs, closed)
		}
	}
	for _, open := range []string{ // a text is a text
		`{"Result":"42"}`, `{"Result":"{\"a\":1}"}`, `{"Result":"[1]"}`, `{"Result":""}`, `{"Context":"[1]"}`, `{"Context":"a word"}`, `{"Plan":null}`,
	} {
		v, err := loosejson.Parse(open)
		require.NoError(t, err, open)
		got, repairs := builtin.Reshape(v)
		assert.Equal(t, open, string(got.Append(nil)))
		assert.Empty(t, repairs)
	}
}

// An argument that is left out is null in the closed form.
func TestNullArgumentsAreLeftOut(t *testing.T) {
	click, ok := desktop.ToolNamed(desktop.ClickInput)
	require.True(t, ok)
	box, err := desktop.NewToolbox([]desktop.Tool{click}, nil)
	require.NoError(t, err)
	var made []llm.Repair
	function, args := desktop.ClickInput, map[string]any{"id": map[string]any{"$reference": "a.b"}, "name": nil, "double": nil, "button": "left"}
	given := args
	builtin.ArrangeCall(&made, box, &function, &args, "")
	assert.Equal(t, map[string]any{"id": map[string]any{"$ref": "a.b"}, "button": "left"}, args)
	assert.Empty(t, made)
	assert.Len(t, given, 4, "it may be kept elsewhere")
}
