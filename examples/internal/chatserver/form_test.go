package chatserver_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/llm"
)

// formed is what the server makes of a reply where a schema is asked for; "": anything goes.
func formed(t testing.TB, schema, reply string) (int, response) {
	t.Helper()
	s, err := chatserver.Start(chatserver.Options{Name: "rules", Decide: func(*llm.Request) (string, error) { return reply, nil }})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	body := map[string]any{"model": "rules", "messages": []any{map[string]any{"role": "user", "content": "hello"}}}
	if schema != "" {
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "reply", "schema": json.RawMessage(schema)}}
	}
	text, err := json.Marshal(body)
	require.NoError(t, err)
	return send(t, s, http.MethodPost, "/chat/completions", s.Key(), string(text))
}

// fits checks what the server makes of replies, by names, where a schema is asked for.
func fits(t *testing.T, schema string, cases map[string][2]string) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, r := formed(t, schema, c[0])
			require.Equal(t, http.StatusOK, status, "%+v", r.Error)
			assert.JSONEq(t, c[1], deref(r.Choices[0].Message.Content))
		})
	}
}

// object is a closed schema of an object, in which everything is required.
func object(members string) string {
	var names map[string]any
	if err := json.Unmarshal([]byte("{"+members+"}"), &names); err != nil {
		panic(err) // a text of these tests
	}
	required := []string{}
	for name := range names {
		required = append(required, name)
	}
	list, err := json.Marshal(required)
	if err != nil {
		panic(err)
	}
	return `{"type": "object", "additionalProperties": false, "properties": {` + members + `}, "required": ` + string(list) + `}`
}

// whole is the schema of a reply, with the parts that its references share.
func whole(members string) string {
	o := object(members)
	return o[:len(o)-1] + `, "$defs": {
		"texts": {"type": "array", "items": {"type": "string"}},
		"ref": ` + object(`"$reference": {"type": "string"}`) + `,
		"text": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/ref"}]},
		"text or none": {"anyOf": [{"$ref": "#/$defs/text"}, {"type": "null"}]},
		"cells": {"anyOf": [{"type": "array", "items": {"type": "array", "items": {"type": ["string", "number", "null", "object"]}}}, {"$ref": "#/$defs/ref"}]},
		"click": ` + object(`"Function": {"type": "string", "enum": ["click_input", "texts"]}, "Args": `+object(`"id": {"$ref": "#/$defs/text"}, "name": {"$ref": "#/$defs/text or none"}`)) + `,
		"write": ` + object(`"Function": {"type": "string", "enum": ["write_cells"]}, "Args": `+object(`"rows": {"$ref": "#/$defs/cells"}`)) + `,
		"any": ` + object(`"Function": {"type": "string", "enum": ["run"]}, "Args": {"type": "string"}`) + `,
		"bare": ` + object(`"Function": {"type": "string", "enum": ["look"]}`) + `,
		"call": {"anyOf": [{"$ref": "#/$defs/click"}, {"$ref": "#/$defs/write"}, {"$ref": "#/$defs/any"}, {"$ref": "#/$defs/bare"}]}
	}}`
}

var (
	status  = `"Status": {"type": "string", "enum": ["CONTINUE", "FINISH"]}`
	appForm = whole(status + `, "Comment": {"type": "string"}, "Result": {"type": "string"}, "Questions": {"$ref": "#/$defs/texts"}, "Open": {"$ref": "#/$defs/texts"},
		"Plan": {"anyOf": [{"$ref": "#/$defs/texts"}, {"type": "null"}]},
		"Actions": {"type": "array", "items": ` + object(`"ControlLabel": {"type": "string"}, "ControlText": {"type": "string"}, "Call": {"$ref": "#/$defs/call"}`) + `}`)
	hostForm = whole(status + `, "Call": {"anyOf": [{"$ref": "#/$defs/call"}, {"type": "null"}]},
		"Plan": {"anyOf": [{"type": "array", "items": {"anyOf": [{"type": "string"}, ` + object(`"id": {"type": "string"}, "depends_on": {"$ref": "#/$defs/texts"}`) + `]}}, {"type": "null"}]}`)
)

// A reply to an agent of an application has its calls in Actions, and all members.
func TestFormOfApps(t *testing.T) {
	t.Parallel()
	reply := func(actions string) string {
		return `{"Status": "CONTINUE", "Comment": "", "Result": "", "Questions": [], "Open": [], "Plan": null, "Actions": ` + actions + `}`
	}
	action := func(label, text, call string) string {
		return `{"ControlLabel": "` + label + `", "ControlText": "` + text + `", "Call": ` + call + `}`
	}
	click := `{"Function": "click_input", "Args": {"id": "3", "name": null}}`
	texts := `{"Function": "texts", "Args": {"id": "4", "name": "Note"}}`
	fits(t, appForm, map[string][2]string{
		"nothing":   {`{"Status": "CONTINUE"}`, reply(`[]`)},
		"one call":  {`{"Status": "CONTINUE", "Function": "click_input", "ControlText": "Save", "Args": {"id": "3"}}`, reply(`[` + action("", "Save", click) + `]`)},
		"its label": {`{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "3"}`, reply(`[` + action("3", "", click) + `]`)},
		"its label and its id": {
			`{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "9", "Args": {"id": "3"}}`, reply(`[` + action("9", "", click) + `]`),
		},
		"two calls": {
			`{"Status": "CONTINUE", "Actions": [{"Function": "click_input", "Args": {"id": "3"}}, {"Function": "texts", "ControlLabel": "4", "Args": {"name": "Note"}}]}`,
			reply(`[` + action("", "", click) + `,` + action("4", "", texts) + `]`),
		},
		"arguments in a text": {
			`{"Status": "CONTINUE", "Function": "run", "Args": {"n": 1, "list": [{"$ref": "r"}]}}`,
			reply(`[` + action("", "", `{"Function": "run", "Args": "{\"list\":[{\"$ref\":\"r\"}],\"n\":1}"}`) + `]`),
		},
		"no arguments": {`{"Status": "CONTINUE", "Function": "look", "Args": {}}`, reply(`[` + action("", "", `{"Function": "look"}`) + `]`)},
		"all else": {
			`{"Status": "FINISH", "Comment": "done", "Result": {"n": 1}, "Questions": ["a?"], "Plan": ["b"], "Open": {"act_2": "done: c", "act_1": "not done"}}`,
			`{"Status": "FINISH", "Comment": "done", "Result": "{\"n\":1}", "Questions": ["a?"], "Plan": ["b"], "Open": ["act_1: not done", "act_2: done: c"], "Actions": []}`,
		},
	})
}

// References are spelt otherwise in a closed reply, at any depth, and nothing else is.
func TestFormOfReferences(t *testing.T) {
	t.Parallel()
	written := func(rows string) string {
		return `{"Status": "CONTINUE", "Plan": null, "Call": {"Function": "write_cells", "Args": {"rows": ` + rows + `}}}`
	}
	said := func(rows string) string {
		return `{"Status": "CONTINUE", "Function": "write_cells", "Args": {"rows": ` + rows + `}}`
	}
	fits(t, hostForm, map[string][2]string{
		"the whole":      {said(`{"$ref": "a.rows"}`), written(`{"$reference": "a.rows"}`)},
		"inside":         {said(`[["x", {"$ref": "a"}], [{"b": {"$ref": "c"}}, {}]]`), written(`[["x", {"$reference": "a"}], [{"b": {"$reference": "c"}}, {}]]`)},
		"with something": {said(`[[{"$ref": "a", "head": "{"}]]`), written(`[[{"$ref": "a", "head": "{"}]]`)},
		"cells of types": {said(`[["x", 4.5, null], [null]]`), written(`[["x", 4.5, null], [null]]`)},
	})
}

// A reply to a host has at most one call, and a plan of texts or items.
func TestFormOfHosts(t *testing.T) {
	t.Parallel()
	reply := func(call, plan string) string {
		return `{"Status": "CONTINUE", "Call": ` + call + `, "Plan": ` + plan + `}`
	}
	fits(t, hostForm, map[string][2]string{
		"no call":          {`{"Status": "CONTINUE"}`, reply(`null`, `null`)},
		"a call":           {`{"Status": "CONTINUE", "Function": "texts", "Args": {"id": "1"}}`, reply(`{"Function": "texts", "Args": {"id": "1", "name": null}}`, `null`)},
		"an unknown one":   {`{"Status": "CONTINUE", "Function": "fly"}`, reply(`null`, `null`)},
		"a plan of texts":  {`{"Status": "CONTINUE", "Plan": ["a", "b"]}`, reply(`null`, `["a", "b"]`)},
		"a plan of items":  {`{"Status": "CONTINUE", "Plan": [{"id": "a", "depends_on": ["b"]}, "c"]}`, reply(`null`, `[{"id": "a", "depends_on": ["b"]}, "c"]`)},
		"items in short":   {`{"Status": "CONTINUE", "Plan": [{"id": "a"}]}`, reply(`null`, `[{"id": "a", "depends_on": []}]`)},
		"an empty plan":    {`{"Status": "CONTINUE", "Plan": []}`, reply(`null`, `[]`)},
		"members too many": {`{"Status": "CONTINUE", "Thought": "x"}`, reply(`null`, `null`)},
	})
}

// Values of several types, and of none that is said, stay as they are.
func TestFormOfTypes(t *testing.T) {
	t.Parallel()
	fits(t, object(`"a": {"type": ["string", "null"]}, "b": {"type": ["array", "null"]}, "c": {"type": "array"}, "d": {}, "e": {"type": "integer"}`), map[string][2]string{
		"of the first": {`{"a": "x", "b": [1], "c": [1, "x", {}], "d": {"$ref": "y"}, "e": 4}`, `{"a": "x", "b": [1], "c": [1, "x", {}], "d": {"$ref": "y"}, "e": 4}`},
		"of the next":  {`{"e": 4}`, `{"a": null, "b": null, "c": [], "d": null, "e": 4}`},
	})
	fits(t, object(`"Actions": {"type": "array"}`), map[string][2]string{
		"actions of any form": {`{"Function": "click_input"}`, `{"Actions": [null]}`},
	})
	fits(t, object(`"Actions": {"type": "array", "items": `+object(`"Function": {"type": "string", "enum": ["a"]}, "Args": `+object(`"n": {"type": ["integer", "null"]}`))+`}`), map[string][2]string{
		"actions without controls": {`{"Actions": [{"Function": "a", "Args": {"n": 1}}, {"Function": "a"}]}`, `{"Actions": [{"Function": "a", "Args": {"n": 1}}, {"Function": "a", "Args": {"n": null}}]}`},
	})
}

// A schema that is open has the reply as it is, and so has a request without one.
func TestFormOfOpenSchemas(t *testing.T) {
	t.Parallel()
	const reply = `{"Status": "CONTINUE", "Function": "x", "Args": {"a": {"$ref": "b"}}}`
	for _, schema := range []string{"", `{"type": "object", "properties": {"Function": {"type": "string"}}}`} {
		status, r := formed(t, schema, reply)
		require.Equal(t, http.StatusOK, status)
		assert.Equal(t, reply, deref(r.Choices[0].Message.Content))
	}
	status, r := formed(t, "", "no JSON")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "no JSON", deref(r.Choices[0].Message.Content))
}

// Rules that reply what the schema forbids are a fault of the server, and not of who asks.
func TestFormsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ schema, reply string }{
		"no JSON":               {hostForm, `CONTINUE`},
		"a list":                {hostForm, `[]`},
		"another status":        {hostForm, `{"Status": "FLY"}`},
		"an unknown function":   {appForm, `{"Status": "CONTINUE", "Function": "fly"}`},
		"an argument is wrong":  {hostForm, `{"Status": "CONTINUE", "Function": "click_input", "Args": {"id": 3}}`},
		"open, and not fitting": {`{"type": "object", "properties": {"Function": {"type": "string"}}}`, `{"Function": 3}`},
		"open, and no JSON":     {`{"type": "object", "properties": {"Function": {"type": "string"}}}`, `{"Function"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, r := formed(t, c.schema, c.reply)
			assert.Equal(t, http.StatusInternalServerError, status)
			assert.Equal(t, "server_error", r.Error.Type)
			assert.Contains(t, r.Error.Message, "the reply does not fit the schema: ")
		})
	}
}
