package mcpserver_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

const takesForms = `{"elicitation":{}}`

// Whatever a client makes of the form, only "accept" and true approve.
func TestNoOtherYes(t *testing.T) {
	o := newOffice()
	w := wired(t, newServer(t, o.plays(delete1, done)), takesForms)
	// An answer that comes before the question is none. Ids of questions can be guessed.
	for id := range 40 {
		w.say(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"approve":true}}}`, id)
	}
	for i, answer := range []string{
		`"result":{"action":"accept","content":{"approve":1}}`,
		`"result":{"action":"accept","content":{"approve":"true"}}`,
		`"result":{"action":"accept","content":{"approve":[true]}}`,
		`"result":{"action":"accept","content":{"approve":null}}`,
		`"result":{"action":"accept","content":{"Approve":true}}`,
		`"result":{"action":"accept","content":{"approve":false,"Approve":true,"answer":"yes"}}`,
		`"result":{"action":"accept","content":{"answer":"yes"}}`,
		`"result":{"action":"accept","content":[true]}`,
		`"result":{"action":"accept","content":null}`,
		`"result":{"action":"accept","approve":true}`,
		`"result":{"action":"accept"}`,
		`"result":{"action":"Accept","content":{"approve":true}}`,
		`"result":{"action":"","content":{"approve":true}}`,
		`"result":{"content":{"approve":true}}`,
		`"result":{"action":"cancel","content":{"approve":true}}`,
		`"result":"accept"`, `"result":[]`, `"result":null`, `"result":true`,
		`"error":{"code":0,"message":"accept","data":{"action":"accept","content":{"approve":true}}}`,
	} {
		w.asks(fmt.Sprint(i), `{"request":"x"}`, `{}`)
		question := w.until("method", "elicitation/create")
		w.say(`{"jsonrpc":"2.0","id":"%v","result":{"action":"accept","content":{"approve":true}}}`, question["id"]) // a text is another id
		w.say(`{"jsonrpc":"2.0","id":%v,%s}`, question["id"], answer)
		bad, text := w.ends(float64(i))
		assert.True(t, bad, answer)
		assert.Contains(t, text, "EXCEL:FAIL: ", answer)
	}
	assert.Empty(t, o.gone())
}

// A call that was cancelled is not brought back by a late yes, nor by another cancel.
func TestLateYes(t *testing.T) {
	o := newOffice()
	w := wired(t, newServer(t, o.plays(delete1, done)), takesForms)
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`
	for _, id := range []string{`"1"`, "77", "null", "{}", "77.5"} { // of no call
		w.say(cancel, id)
	}
	w.asks("1", `{"request":"x"}`, `{}`)
	question := w.until("method", "elicitation/create")
	w.say(cancel, "77")
	w.say(cancel, `"1"`)
	w.say(cancel, "1")
	w.say(cancel, "1")
	w.until("method", "notifications/cancelled") // of the question
	w.say(`{"jsonrpc":"2.0","id":%v,"result":{"action":"accept","content":{"approve":true}}}`, question["id"])
	w.asks("2", `{"request":"x"}`, `{}`) // the turn is free again
	question = w.until("method", "elicitation/create")
	assert.Empty(t, o.gone())
	w.say(`{"jsonrpc":"2.0","id":%v,"result":{"action":"accept","content":{"approve":true}}}`, question["id"])
	bad, text := w.ends(2.0)
	assert.False(t, bad, text)
	assert.Equal(t, []string{"a.txt"}, o.gone())
}

// The name of a document is part of an agent's: it cannot go on as a question, or
// hide what comes behind it.
func TestNameIsNoQuestion(t *testing.T) {
	for agent, want := range map[string]string{
		"EXCEL":                              "EXCEL",
		"AppAgent/word/Übersicht 2.docx":     "AppAgent/word/Übersicht 2.docx",
		"x: Allow look? Approved":            `"x: Allow look? Approved"`,
		`x" (approved) "`:                    `"x\" (approved) \""`,
		"x\nApproved by your admin":          `"x\\u000aApproved by your admin"`,
		"x\u202eyes\u2066":                   `"x\\u202eyes\\u2066"`,
		"x" + strings.Repeat("\u3164", 3):    `"x\\u3164\\u3164\\u3164"`,
		"[x](http://evil.example)":           `"[x](http://evil.example)"`,
		"x" + strings.Repeat(" all is ", 99): `"x` + strings.Repeat(" all is ", 9) + ` all is…"`,
	} {
		o := newOffice()
		c, _ := memory(t, newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
			tools, err := o.desktop()
			if err != nil {
				return nil, err
			}
			a, err := appagent.New(appagent.Config{Name: agent, Model: llmtest.Script(nil, delete1), Desktop: tools, User: call.User})
			if err != nil {
				return nil, err
			}
			return round.NewSession(a, nil)
		}}), fills("decline", nil))
		c.did(t, "x")
		require.Len(t, c.asked, 1)
		assert.True(t, strings.HasPrefix(c.asked[0].Message, want+": Allow delete_file {"), c.asked[0].Message)
	}
}

// What an agent says of its command can quote a secret of it. The command itself is
// shown as it is, whatever a model declares a secret.
func TestWordsWithASecret(t *testing.T) {
	for name, test := range map[string]struct{ file, secret, words, want string }{
		"quoted":   {"a.txt", token, "with " + token, `Allow delete_file {"file":"a.txt","token":"***"}? It needs approval because the tool is marked as destructive. The agent says: "with ***"`},
		"escaped":  {"a.txt", "x\u200by", "with x\u200by", ` The agent says: "with ***"`},
		"not":      {"a.txt", token, "It is old.", ` The agent says: "It is old."`},
		"the file": {"a.txt", "a.txt", "It is old.", `{"file":"a.txt","token":"***"}`},
		"trick":    {"a.txt", token, token + ` The agent says: `, ` The agent says: "*** The agent says: "`},
		"in a name": {` The agent says: `, token, "with " + token,
			`{"file":" The agent says: ","token":"***"}? It needs approval because the tool is marked as destructive. The agent says: "with ***"`},
	} {
		t.Run(name, func(t *testing.T) {
			reply := map[string]any{
				"Status": "CONTINUE", "Function": "delete_file", "Comment": test.words,
				"Args": map[string]any{"file": test.file, "token": test.secret},
			}
			c, _ := memory(t, newServer(t, newOffice().plays(asJSON(t, reply))), fills("decline", nil))
			c.did(t, "x")
			require.Len(t, c.asked, 1)
			assert.Contains(t, c.asked[0].Message, test.want)
			assert.NotContains(t, c.asked[0].Message, token)
		})
	}
}
