package adapterstest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// thought is what a reasoning model wants back.
const thought = "first the id"

// clicks are two calls.
func clicks() []llm.Call {
	return []llm.Call{
		{ID: "call_1", Name: "click", Args: json.RawMessage(`{"id":"1","twice":true}`)},
		{ID: "call_2", Name: "FINISH", Args: json.RawMessage(`{}`)},
	}
}

// Answer is what the backend of llmtest.Backend.Calls calls.
var Answer = []llm.Call{{ID: "call_9", Name: "answer", Args: json.RawMessage(llmtest.GoodReply)}}

// The open and the closed form of the parameters of a tool.
const (
	openForm   = `{"type":"object","properties":{"z":{"type":"string"},"id":{"type":"string"}},"required":["id"]}`
	closedForm = `{"type":"object","properties":{"z":{"type":["string","null"]},"id":{"anyOf":[{"type":"string"},` +
		`{"type":"object","properties":{"$ref":{"type":"string"}},"required":["$ref"],"additionalProperties":false}]}},` +
		`"required":["z","id"],"additionalProperties":false}`
)

// Tooled is a question to a model that has tools.
func Tooled(text string) *llm.Request {
	req := Ask(text)
	req.Tools = []llm.Tool{
		{Name: "click", Description: "Click <it>.", Parameters: json.RawMessage(openForm), Strict: json.RawMessage(closedForm)},
		{Name: "FINISH", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
	}
	return req
}

// Told is Tooled behind a reply of two calls, and what came of them.
func Told(reply *llm.Response) *llm.Request {
	req := Tooled("click it")
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.Assistant, Parts: []llm.Part{{Text: reply.Text}}, Calls: reply.Calls, Reasoning: reply.Reasoning},
		llm.Message{Role: llm.ToolResult, CallID: reply.Calls[0].ID, Parts: []llm.Part{{Text: "not done"}}},
		llm.Message{Role: llm.ToolResult, CallID: reply.Calls[1].ID, Parts: []llm.Part{{Text: "the id is wrong"}}})
	return req
}

// Calls go back with their results and with what the model thought, but not with the thoughts of another model.
// Arguments that are no object are returned as they came, and do not go back.
func testCalls(t *testing.T, a Adapter) {
	s := Serve(t, JSON(http.StatusOK, a.Called("I click.", clicks(), thought)))
	m := a.at(t, s)
	resp, err := llm.Complete(t.Context(), m, Tooled("click it"))
	require.NoError(t, err)
	assert.Equal(t, "I click.", resp.Text)
	assert.Equal(t, clicks(), resp.Calls)
	assert.Equal(t, a.Usage, resp.Usage)
	raw, err := json.Marshal(resp) // as a journal keeps it
	require.NoError(t, err)
	var kept llm.Response
	require.NoError(t, json.Unmarshal(raw, &kept))
	other := resp.Clone()
	other.Reasoning = json.RawMessage(`"of another provider"`)
	other.Calls[0].Args = json.RawMessage(`["1"]`)
	for _, reply := range []*llm.Response{resp, &kept, other} {
		_, err = m.Complete(t.Context(), Told(reply))
		require.NoError(t, err)
	}
	sent := s.Sent()
	assert.Contains(t, sent[0], `"properties":{"z":{"type":["string","null"]},"id"`, "in their order")
	assert.Equal(t, 1, strings.Count(sent[0], `"strict":true`))
	assert.Equal(t, sent[1], sent[2])
	for _, part := range []string{thought, "I click.", "call_1", "call_2", "not done", "the id is wrong"} {
		assert.Contains(t, sent[1], part)
	}
	for _, part := range []string{thought, "another provider", `[\"1\"]`, `["1"]`} {
		assert.NotContains(t, sent[3], part)
	}

	odd := clicks()
	odd[0].Args = json.RawMessage(`["1"]`)
	resp, err = a.at(t, Serve(t, JSON(http.StatusOK, a.Called("", odd, "")))).Complete(t.Context(), Tooled("click it"))
	require.NoError(t, err)
	assert.Equal(t, odd, resp.Calls)
	assert.Nil(t, resp.Reasoning)
}

// A call of a model that has no tools is none: it can only be the server's own.
func testUncalled(t *testing.T, a Adapter) {
	s := Serve(t, JSON(http.StatusOK, a.Called("hello", clicks(), thought)))
	resp, err := a.at(t, s).Complete(t.Context(), Ask("hello"))
	require.NoError(t, err)
	assert.Empty(t, resp.Calls)
	assert.Nil(t, resp.Reasoning)
	assert.Equal(t, "hello", resp.Text)
}

// A server that does not hold a model to tools, or does not force a call, is asked without that.
func testRefusedTools(t *testing.T, a Adapter) {
	good := JSON(http.StatusOK, a.Called("", clicks(), ""))
	refuses := func(word, words string) http.HandlerFunc {
		return Refuses(word, a.fails(http.StatusBadRequest, words), good)
	}
	odd := Tooled("click it")
	odd.Tools[0].Strict = []byte(strings.Replace(closedForm, `"z"`, `"Odd"`, 2))
	plain := Tooled("click it")
	for name, c := range map[string]struct {
		server http.HandlerFunc
		asked  []*llm.Request
		sent   string // each request: + as it should be, o with open tools, c without a forced call
		repair string // of each response but the last
		fails  string
	}{
		"taken":           {good, []*llm.Request{plain, plain}, "++", "", ""},
		"unknown field":   {refuses(`"strict":true`, "tools.0.custom.strict: Extra inputs are not permitted"), []*llm.Request{plain, odd}, "+oo", repair.NotStrict, ""},
		"no such schema":  {refuses("Odd", "Invalid schema for function 'click'"), []*llm.Request{odd, odd, plain}, "+oo+", repair.NotStrict, ""},
		"no forced call":  {refuses(a.Must, "Thinking may not be enabled when tool_choice forces tool use."), []*llm.Request{plain, plain}, "+cc", repair.NotForced, ""},
		"no tools at all": {Raw(http.StatusBadRequest, "text/plain", "this model does not support tools"), []*llm.Request{plain}, "+", "", "does not take these tools: "},
	} {
		t.Run(name, func(t *testing.T) {
			s := Serve(t, c.server)
			m := a.at(t, s)
			for i, req := range c.asked {
				resp, err := m.Complete(t.Context(), req)
				if c.fails != "" {
					require.ErrorContains(t, err, c.fails)
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, clicks(), resp.Calls)
				if c.repair != "" && i < 2 {
					assert.Equal(t, []llm.Repair{{Kind: c.repair, Count: 1}}, resp.Repairs)
				}
			}
			var sent strings.Builder
			for _, body := range s.Sent() {
				switch {
				case !strings.Contains(body, a.Must):
					assert.NotContains(t, body, "tool_choice", "a server may not know the field")
					sent.WriteString("c")
				case !strings.Contains(body, `"strict":true`):
					assert.Contains(t, body, `{"type":"object","properties":{"z":{"type":"string"},`)
					sent.WriteString("o")
				default:
					sent.WriteString("+")
				}
			}
			assert.Equal(t, c.sent, sent.String())
		})
	}
}

var sentName = regexp.MustCompile(`"name":"([^"]*)"`)

// A name that the protocol does not take is written in another way, and read back.
func testNames(t *testing.T, a Adapter) {
	s := Serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Tools json.RawMessage `json:"tools"`
		}
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			panic(http.ErrAbortHandler)
		}
		JSON(http.StatusOK, a.Called("", []llm.Call{{ID: "1", Name: sentName.FindStringSubmatch(string(body.Tools))[1]}}, ""))(w, r)
	})
	req := Told(&llm.Response{Calls: []llm.Call{{ID: "1", Name: "desk.click"}, {ID: "2", Name: "not a tool"}}})
	req.Tools[0].Name = "desk.click"
	resp, err := a.at(t, s).Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, "desk.click", resp.Calls[0].Name)
	for _, found := range sentName.FindAllStringSubmatch(s.Sent()[0], -1) {
		assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, found[1])
	}
}
