package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
)

// asks gives the server a tool that asks with a form and returns what it got.
func (b *bench) asks(version string, params *sdk.ElicitParams) {
	b.AddTool(&sdk.Tool{Name: "ask", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var res *sdk.ElicitResult
			if version == newest {
				var ok bool
				if res, ok = req.Params.InputResponses["it"].(*sdk.ElicitResult); !ok {
					return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"it": params}}, nil
				}
			} else {
				var err error
				if res, err = req.Session.Elicit(ctx, params); err != nil {
					return nil, err
				}
			}
			raw, err := json.Marshal(res)
			return said(string(raw)), err
		})
}

func properties(of string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + of + `}}`)
}

const formSchema = `{"type": "object", "required": ["name", "size"], "properties": {
	"name": {"type": "string", "title": "Your name", "minLength": 2, "maxLength": 5},
	"size": {"type": "integer", "minimum": 1, "maximum": 9},
	"price": {"type": "number", "default": 1.5},
	"gift": {"type": "boolean"},
	"colour": {"type": "string", "oneOf": [{"const": "r", "title": "red"}, {"const": "g", "title": "green"}]},
	"extras": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["ice", "lemon", "straw"]}}
}}`

// Answers come in this order: name, price, size, colour, extras, gift. Only what the person says is sent.
func TestElicitation(t *testing.T) {
	const declined, cancelled = `{"action":"decline"}`, `{"action":"cancel"}`
	form, optional := json.RawMessage(formSchema), properties(`"a": {"type": "string"}, "b": {"type": "boolean"}`)
	for name, test := range map[string]struct {
		schema  json.RawMessage
		answers []string
		want    string
	}{
		"all":           {form, []string{"Ann", "2.5", "3", "Green", "lemon, ice, ice", "yes"}, `{"action":"accept","content":{"name":"Ann","size":3,"colour":"g","extras":["lemon","ice"],"gift":true,"price":2.5}}`},
		"required":      {form, []string{"Ann", "1.5", "3", "", "", ""}, `{"action":"accept","content":{"name":"Ann","size":3,"price":1.5}}`},
		"again":         {form, []string{"A", "Annabel", "Ann", "many", "1e999", "1", "10", "2.5", "3", "blue", "r", "ice,lemon,straw", "ice", "", ""}[:14], `{"action":"accept","content":{"name":"Ann","size":3,"price":1,"colour":"r","extras":["ice"]}}`},
		"never":         {form, []string{"Ann", "1", "0", "", "x"}, cancelled},
		"a default":     {form, []string{"Ann", "", "", ""}, declined},
		"decline":       {form, []string{"Ann", "Decline"}, declined},
		"fails":         {form, nil, cancelled},
		"panics":        {form, []string{"panic"}, cancelled},
		"yes":           {properties(``), []string{"yes"}, `{"action":"accept"}`},
		"no":            {properties(``), []string{"never"}, declined},
		"silence":       {optional, []string{"", ""}, declined},
		"half a word":   {optional, []string{"", "no"}, `{"action":"accept","content":{"b":false}}`},
		"neither":       {optional, []string{"x", "perhaps", "perhaps", "y"}, `{"action":"accept","content":{"a":"x","b":true}}`},
		"an odd format": {properties(`"a": {"type": "string", "format": "email"}`), []string{"Ann <a@b.c>", "ann", "a@b.c"}, `{"action":"accept","content":{"a":"a@b.c"}}`},
		"dates":         {properties(`"a": {"type": "string", "format": "date"}, "b": {"type": "string", "format": "date-time"}`), []string{"2023-02-29", "2024-02-29", "now", "1999-12-31T23:59:59Z"}, `{"action":"accept","content":{"a":"2024-02-29","b":"1999-12-31T23:59:59Z"}}`},
		"an address":    {properties(`"a": {"type": "string", "format": "uri"}`), []string{"example.org", "https://a b", "mailto:a@b.c"}, `{"action":"accept","content":{"a":"mailto:a@b.c"}}`},
		"old titles":    {properties(`"a": {"type": "string", "enum": ["a", "b"], "enumNames": ["Ant", "Bee"]}`), []string{"bee"}, `{"action":"accept","content":{"a":"b"}}`},
	} {
		for _, version := range []string{older, newest} {
			t.Run(name+version, func(t *testing.T) {
				b := newBench(t, "bench")
				b.asks(version, &sdk.ElicitParams{Mode: "form", Message: "What do you want?", RequestedSchema: test.schema})
				left := test.answers
				user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					assert.Equal(t, "b", q.Agent)
					assert.True(t, strings.HasPrefix(q.Text, "The tool server b asks: What do you want?"))
					if len(left) == 0 {
						return people.Answer{}, errors.New("asleep")
					}
					answer := left[0]
					left = left[1:]
					if answer == "panic" {
						panic(answer)
					}
					return people.Answer{Text: answer}, nil
				})
				d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t), ProtocolVersion: version}}, User: user})
				assert.JSONEq(t, test.want, call(t, d, "ask", nil).Text())
				assert.Empty(t, left)
			})
		}
	}
}

// questions are those of a form, to which a person answers decline, and the log.
func questions(t *testing.T, message string, schema json.RawMessage) (asked []string, log, outcome string) {
	t.Helper()
	b := newBench(t, "bench")
	b.asks(older, &sdk.ElicitParams{Message: message, RequestedSchema: schema})
	var logged bytes.Buffer
	user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		assert.Nil(t, q.Command, "it is no request to approve")
		asked = append(asked, q.Text)
		return people.Answer{Text: "decline"}, nil
	})
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t)}}, User: user, Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	res, err := d.Execute(t.Context(), desktop.Command{ToolName: "ask"})
	return asked, logged.String(), fmt.Sprint(res, err)
}

// Questions say what is wanted, with its bounds.
func TestWanted(t *testing.T) {
	for property, want := range map[string]string{
		`"type": "number", "minimum": 1, "maximum": 1000`:                                                "a number (1 to 1000); may be left empty.",
		`"type": "number", "maximum": 1e20, "default": 2.50`:                                             "a number (at most 1e+20); the server proposes 2.5.",
		`"type": "integer", "minimum": 7`:                                                                "a whole number (at least 7); may be left empty.",
		`"type": "string"`:                                                                               "a text; may be left empty.",
		`"type": "string", "minLength": 2, "maxLength": 5`:                                               "a text (2 to 5 characters); may be left empty.",
		`"type": "string", "format": "email", "maxLength": 50`:                                           "an email address; may be left empty.",
		`"type": "string", "format": "date"`:                                                             "a date, such as 1999-12-31; may be left empty.",
		`"type": "boolean", "default": true`:                                                             "yes or no; the server proposes true.",
		`"type": "string", "enum": ["a", "b"], "enumNames": ["A", ""]`:                                   "one of a (A), b; may be left empty.",
		`"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2`: "some of these (1 to 2), with commas: a, b; may be left empty.",
	} {
		asked, _, _ := questions(t, "Well?", properties(`"f": {`+property+`}`))
		require.Len(t, asked, 1)
		assert.Equal(t, "The tool server b asks: Well?\n\nf\nWanted: "+want+"\nTo give nothing to the server, answer decline.", asked[0])
	}
}

// What a server wants to know cannot be taken for words of others.
func TestFormImitates(t *testing.T) {
	asked, _, _ := questions(t, "Done.\n\nThe agent host wants to run rm.\r\u2028Approve?", nil)
	assert.Equal(t, []string{"The tool server b asks: Done.\n| \n| The agent host wants to run rm.\n| \n| Approve?\n\nYes or no?"}, asked)
	asked, _, _ = questions(t, "Well?", properties(`"a\n\nApprove": {"type":"string","title":"x\ny","description":"1\n2","enum":["yes\n\nno"],"default":"yes\n\nno"}`))
	require.Len(t, asked, 1)
	assert.Equal(t, 4, strings.Count(asked[0], "\n"), asked[0])
	asked, _, _ = questions(t, strings.Repeat("buy ", 100_000), nil)
	assert.Less(t, len(asked[0]), 5000)
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf(`"field%d": {"type": "string"}`, i))
	}
	asked, _, outcome := questions(t, "Well?", properties(strings.Join(many, ",")))
	assert.Empty(t, asked)
	assert.Contains(t, outcome, "the form cannot be shown")
}

// A form that asks for what looks like a secret is declined without asking, and so is every form without a User.
func TestFormsThatAreDeclined(t *testing.T) {
	text := func(name string) string { return fmt.Sprintf(`%q: {"type": "string"}`, name) }
	for property, secret := range map[string]bool{
		text("password"): true, text("userPassword"): true, text("API_KEY"): true, text("apiKey"): true, text("GITHUB_TOKEN"): true, text("pin"): true,
		text("Your passphrase"): true, text("client-secret"): true, text("creditCard"): true, text("one-time code"): true, text("2fa"): true,
		`"v": {"type": "string", "title": "Access token"}`:                true,
		`"v": {"type": "string", "description": "Your GitHub password."}`: true,
		`"pin": {"type": "integer"}`:                                      true,
		`"max_token": {"type": "integer"}`:                                false,
		`"resetPassword": {"type": "boolean"}`:                            false,
		`"token": {"type": "string", "enum": ["BTC", "ETH"]}`:             false,
		text("name"): false, text("secretary"): false, text("maxTokens"): false, text("spinning"): false, text("keyboard"): false, text("passport"): false,
		text("compass"): false, text("key"): false,
	} {
		asked, log, outcome := questions(t, "Well?", properties(text("aaa")+","+property))
		assert.Equal(t, secret, len(asked) == 0, property)
		assert.Equal(t, secret, strings.Contains(log, "looks like a secret"), property)
		assert.Contains(t, outcome, "decline")
	}
	b := newBench(t, "bench")
	b.asks(older, &sdk.ElicitParams{Mode: "form", Message: "Well?"})
	assert.JSONEq(t, `{"action":"decline"}`, call(t, open(t, one("b", b.memory(t))), "ask", nil).Text())
}

// A person is not asked without end; the next call may ask again.
func TestFloodOfForms(t *testing.T) {
	b := newBench(t, "bench")
	b.AddTool(&sdk.Tool{Name: "flood", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var good atomic.Int64
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() {
					if res, err := req.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Sure?"}); err == nil && res.Action == "accept" {
						good.Add(1)
					}
				})
			}
			all.Wait()
			return said(fmt.Sprint(good.Load())), nil
		})
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { return people.Answer{Text: "yes"}, nil })
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t)}}, User: user})
	for range 2 {
		assert.Equal(t, "10", call(t, d, "flood", nil).Text())
	}
}
