package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/people"
)

// shows is what became of a form when its questions were answered by what they are
// about, and the questions. The answer to what is asked at the end is that to "end".
func shows(t *testing.T, server mcp.Server, config mcp.Config, properties string, answers map[string]string, required ...string) (string, []string) {
	t.Helper()
	if required == nil {
		required = []string{}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": json.RawMessage("{" + properties + "}"), "required": required})
	assert.NoError(t, err)
	b := newBench(t, "bench")
	b.asks(older, &sdk.ElicitParams{Message: "Well?", RequestedSchema: json.RawMessage(schema)})
	var questions []string
	config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		_, question, _ := strings.Cut(q.Text, "\n\n")
		questions = append(questions, question)
		if strings.HasSuffix(question, "Yes or no.") {
			return people.Answer{Text: answers["end"]}, nil
		}
		name, _, _ := strings.Cut(question, "\n")
		name, _, _ = strings.Cut(name, " (")
		return people.Answer{Text: answers[name]}, nil
	})
	server.Name, server.Transport = "b", b.memory(t)
	config.Servers = []mcp.Server{server}
	return call(t, open(t, config), "ask", nil).Text(), questions
}

const declined = `{"action":"decline"}`

// Who says nothing accepts nothing, whatever the server takes silence for.
func TestSilence(t *testing.T) {
	for name, test := range map[string]struct {
		properties string
		required   []string
		asked      int
		yes        string // what a yes at the end sends; "": it is not asked for
	}{
		"yes or no, yes":  {`"ok": {"type": "boolean", "default": true}`, nil, 2, `{"ok":true}`},
		"yes or no, no":   {`"ok": {"type": "boolean", "default": false}`, nil, 2, `{"ok":false}`},
		"required":        {`"ok": {"type": "boolean", "default": true}`, []string{"ok"}, 2, `{"ok":true}`},
		"no default":      {`"ok": {"type": "boolean"}`, nil, 2, `null`},
		"required, none":  {`"ok": {"type": "boolean"}`, []string{"ok"}, 3, ""},
		"choice":          {`"ok": {"type": "string", "enum": ["no", "yes"], "default": "yes"}`, nil, 2, `{"ok":"yes"}`},
		"choices":         {`"ok": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a", "b"]}`, nil, 2, `{"ok":["a","b"]}`},
		"text":            {`"note": {"type": "string", "default": ""}`, nil, 2, `{"note":""}`},
		"several":         {`"a": {"type": "integer", "default": 3}, "b": {"type": "string"}, "c": {"type": "boolean", "default": true}`, nil, 4, `{"a":3,"c":true}`},
		"one is required": {`"a": {"type": "integer"}, "c": {"type": "boolean", "default": true}`, []string{"a"}, 3, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, questions := shows(t, mcp.Server{}, mcp.Config{}, test.properties, nil, test.required...)
			assert.JSONEq(t, declined, got)
			assert.Len(t, questions, test.asked)
			for end, sent := range map[string]bool{"yes": true, "Y": true, "no": false, "decline": false, "perhaps": false} {
				want := declined
				if sent && test.yes == "null" {
					want = `{"action":"accept"}`
				} else if sent && test.yes != "" {
					want = `{"action":"accept","content":` + test.yes + `}`
				}
				got, _ = shows(t, mcp.Server{}, mcp.Config{}, test.properties, map[string]string{"end": end}, test.required...)
				assert.JSONEq(t, want, got, end)
			}
		})
	}
}

// A default that stands for what was not said needs a yes, also when other fields
// were filled in; a form in which all was said needs none.
func TestDefaultsNeedAYes(t *testing.T) {
	const form = `"why": {"type": "string"}, "ok": {"type": "boolean", "default": true}, "note": {"type": "string"}`
	got, questions := shows(t, mcp.Server{}, mcp.Config{}, form, map[string]string{"why": "because"})
	assert.JSONEq(t, declined, got)
	assert.Equal(t, "These were not answered, and the server's own answers will be sent:\n- ok: yes\nAccept and send the form like that? Yes or no.", questions[3])
	got, _ = shows(t, mcp.Server{}, mcp.Config{}, form, map[string]string{"why": "because", "end": "yes"})
	assert.JSONEq(t, `{"action":"accept","content":{"ok":true,"why":"because"}}`, got)
	got, questions = shows(t, mcp.Server{}, mcp.Config{}, form, map[string]string{"ok": "no"})
	assert.JSONEq(t, `{"action":"accept","content":{"ok":false}}`, got)
	assert.Len(t, questions, 3)
	_, questions = shows(t, mcp.Server{}, mcp.Config{}, `"note": {"type": "string"}`, nil)
	assert.Equal(t, "Nothing was filled in. Accept and send the form without answers? Yes or no.", questions[1])
}

// Questions say what is wanted, with its bounds, and what silence leads to.
func TestWanted(t *testing.T) {
	for property, want := range map[string]string{
		`"type": "number", "minimum": 1, "maximum": 1000`:              "a number, 1 to 1000; may be left empty.",
		`"type": "number", "minimum": 0.5`:                             "a number, at least 0.5; may be left empty.",
		`"type": "number", "maximum": 1e20, "default": 2.50`:           "a number, at most 1e+20; nothing means 2.5, if you say yes to that at the end.",
		`"type": "integer", "minimum": 7, "maximum": 7`:                "a whole number, exactly 7; may be left empty.",
		`"type": "integer", "maximum": 1000000`:                        "a whole number, at most 1000000; may be left empty.",
		`"type": "string"`:                                             "a text; may be left empty.",
		`"type": "string", "minLength": 2, "maxLength": 5`:             "a text of 2 to 5 characters; may be left empty.",
		`"type": "string", "format": "email", "maxLength": 50`:         "an email address of at most 50 characters; may be left empty.",
		`"type": "string", "format": "date"`:                           "a date, such as 1999-12-31; may be left empty.",
		`"type": "string", "format": "date-time"`:                      "a date and time, such as 1999-12-31T23:59:59Z; may be left empty.",
		`"type": "string", "format": "uri"`:                            "a web address or other URI, such as https://example.org; may be left empty.",
		`"type": "string", "default": "It was a dark\nnight."`:         `a text; nothing means "It was a dark night.", if you say yes to that at the end.`,
		`"type": "boolean", "default": true`:                           "yes or no; nothing means yes, if you say yes to that at the end.",
		`"type": "boolean"`:                                            "yes or no; may be left empty.",
		`"type": "string", "enum": ["a", "b"], "enumNames": ["A", ""]`: "one of a (A), b; may be left empty.",
		`"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2, "default": ["a", "b"]`: `some of these (1 to 2), with commas: a, b; nothing means "a", "b", if you say yes to that at the end.`,
	} {
		_, questions := shows(t, mcp.Server{}, mcp.Config{}, `"f": {`+property+`}`, nil)
		assert.Equal(t, "f\nWanted: "+want+"\nTo give nothing to the server, answer decline.", questions[0])
	}
}

// A text of a format is checked before the server gets it.
func TestFormats(t *testing.T) {
	for format, test := range map[string]struct{ good, bad []string }{
		"date": {[]string{"1999-12-31", "2024-02-29"}, []string{"tomorrow", "2", "2023-02-29", "31.12.1999", "1999-12-31T00:00:00Z"}},
		"date-time": {
			[]string{"1999-12-31T23:59:59Z", "1999-12-31T23:59:59.5+01:00"},
			[]string{"1999-12-31", "now", "1999-12-31 23:59:59", "1999-12-31T25:00:00Z", "1999-12-31T23:59:59"},
		},
		"email": {[]string{"ann@example.org", "a.b+c@x.example"}, []string{"ann", "ann@", "Ann <ann@example.org>", "a@b, c@d", "a b@c"}},
		"uri":   {[]string{"https://example.org", "http://x/y?z#w", "mailto:ann@example.org", "urn:isbn:1", "file:///tmp"}, []string{"example.org", "//x/y", "/tmp", "https:", "https://a b", "%zz", "http://x/<y>"}},
	} {
		property := fmt.Sprintf(`"f": {"type": "string", "format": %q}`, format)
		for _, answer := range test.good {
			got, questions := shows(t, mcp.Server{}, mcp.Config{}, property, map[string]string{"f": answer})
			want, err := json.Marshal(map[string]any{"action": "accept", "content": map[string]any{"f": answer}})
			assert.NoError(t, err)
			assert.JSONEq(t, string(want), got)
			assert.Len(t, questions, 1, answer)
		}
		for _, answer := range test.bad {
			got, questions := shows(t, mcp.Server{}, mcp.Config{}, property, map[string]string{"f": answer})
			assert.JSONEq(t, `{"action":"cancel"}`, got, answer)
			assert.Len(t, questions, 3, answer)
			assert.Contains(t, questions[1], "The answer before this did not fit: it is no ", answer)
		}
	}
}

// A form that asks for what looks like a secret is declined, unless that is allowed;
// nobody is asked.
func TestSecretFields(t *testing.T) {
	text := func(name string) string { return fmt.Sprintf(`%q: {"type": "string"}`, name) }
	for property, secret := range map[string]bool{
		text("password"): true, text("userPassword"): true, text("API_KEY"): true, text("apiKey"): true, text("GITHUB_TOKEN"): true, text("pin"): true,
		text("Your passphrase"): true, text("client-secret"): true, text("creditCard"): true, text("one-time code"): true, text("2fa"): true,
		`"v": {"type": "string", "title": "Access token"}`:    true,
		`"pin": {"type": "integer"}`:                          true,
		`"max_token": {"type": "integer"}`:                    false,
		`"resetPassword": {"type": "boolean"}`:                false,
		`"token": {"type": "string", "enum": ["BTC", "ETH"]}`: false,
		text("name"): false, text("secretary"): false, text("maxTokens"): false, text("spinning"): false, text("keyboard"): false, text("passport"): false,
		text("compass"): false, text("key"): false,
	} {
		var log bytes.Buffer
		config := mcp.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
		got, questions := shows(t, mcp.Server{}, config, text("aaa")+","+property, map[string]string{"aaa": "x"})
		assert.Equal(t, secret, len(questions) == 0, property)
		assert.Equal(t, secret, strings.Contains(log.String(), "looks like a secret"), property)
		if secret {
			assert.JSONEq(t, declined, got, property)
			got, questions = shows(t, mcp.Server{AskSecrets: true}, config, text("aaa")+","+property, map[string]string{"aaa": "x"})
			assert.JSONEq(t, `{"action":"accept","content":{"aaa":"x"}}`, got, property)
			marked := strings.Contains(strings.Join(questions, "\n"), "No passwords or other secrets")
			assert.True(t, marked, property)
		}
	}
	_, questions := shows(t, mcp.Server{}, mcp.Config{}, `"v": {"type": "string", "description": "Your GitHub password."}`, nil)
	assert.Equal(t, "v: Your GitHub password.\nWanted: a text; may be left empty.\nNo passwords or other secrets: the answer goes to the server, "+
		"and may come back to the model.\nTo give nothing to the server, answer decline.", questions[0])
}
