package adapterstest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
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

// Tooled is a question to a model that has tools.
func Tooled(text string) *llm.Request {
	req := Ask(text)
	req.Tools = []llm.Tool{
		{Name: "click", Description: "Click <it>.", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"id":{"type":"string"}},"required":["id"]}`), Strict: json.RawMessage(`{"type":"object","properties":{"z":{"type":["string","null"]},"id":{"anyOf":[{"type":"string"},{"type":"object","properties":{"$ref":{"type":"string"}},"required":["$ref"],"additionalProperties":false}]}},"required":["z","id"],"additionalProperties":false}`)},
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

func testCalls(t *testing.T, a Adapter) {
	for _, text := range []string{"I click.", ""} {
		s := Serve(t, JSON(http.StatusOK, a.Called(text, clicks(), "")))
		req := Tooled("click it")
		before := req.Clone()
		resp, err := llm.Complete(t.Context(), a.at(t, s), req)
		require.NoError(t, err)
		assert.Equal(t, before, req)
		assert.Equal(t, text, resp.Text)
		assert.Equal(t, clicks(), resp.Calls)
		assert.Nil(t, resp.Reasoning)
		assert.Equal(t, a.Usage, resp.Usage)
		assert.Contains(t, s.Sent()[0], `"properties":{"z":{"type":["string","null"]},"id"`, "in their order")
		assert.Contains(t, s.Sent()[0], a.Must)
		assert.Equal(t, 1, strings.Count(s.Sent()[0], `"strict":true`))
	}
}

// What the model thought goes back as it came, with its calls; not with those of somebody else.
func testResults(t *testing.T, a Adapter) {
	s := Serve(t, JSON(http.StatusOK, a.Called("I click.", clicks(), thought)))
	m := a.at(t, s)
	resp, err := llm.Complete(t.Context(), m, Tooled("click it"))
	require.NoError(t, err)
	require.NotNil(t, resp.Reasoning)
	raw, err := json.Marshal(resp) // as a journal keeps it
	require.NoError(t, err)
	var kept llm.Response
	require.NoError(t, json.Unmarshal(raw, &kept))
	for _, reply := range []*llm.Response{resp, &kept} {
		_, err = m.Complete(t.Context(), Told(reply))
		require.NoError(t, err)
	}
	other := resp.Clone()
	other.Reasoning = json.RawMessage(`"of another provider"`)
	_, err = m.Complete(t.Context(), Told(other))
	require.NoError(t, err)
	sent := s.Sent()
	assert.Equal(t, sent[1], sent[2])
	for _, part := range []string{thought, "I click.", "call_1", "call_2", "not done", "the id is wrong"} {
		assert.Contains(t, sent[1], part)
	}
	assert.NotContains(t, sent[3], thought)
	assert.NotContains(t, sent[3], "another provider")

	for name, change := range map[string]func(*llm.Request){
		"without a result": func(req *llm.Request) { req.Messages = req.Messages[:len(req.Messages)-1] },
		"after a question": func(req *llm.Request) { req.Messages = slices.Insert(req.Messages, 2, llm.Text(llm.User, "well?")) },
		"of no call":       func(req *llm.Request) { req.Messages[len(req.Messages)-1].CallID = "other" },
		"one id twice":     func(req *llm.Request) { req.Messages[1].Calls[1].ID = "call_1" },
		"of the user":      func(req *llm.Request) { req.Messages[0].Calls = clicks() },
		"no JSON":          func(req *llm.Request) { req.Tools[0].Parameters = nil },
	} {
		req := Told(resp.Clone())
		change(req)
		require.ErrorIs(t, CallError(t, m, req), llm.ErrRejected, name)
	}
	assert.Len(t, s.Sent(), 4, "nothing of that was sent")
}

// Arguments that are no JSON are a text, to be fed back; a server gets an object in their place.
func testOddCalls(t *testing.T, a Adapter) {
	odd := clicks()
	odd[0].Args = json.RawMessage(`["1"]`)
	s := Serve(t, JSON(http.StatusOK, a.Called("", odd, "")))
	m := a.at(t, s)
	resp, err := m.Complete(t.Context(), Tooled("click it"))
	require.NoError(t, err)
	assert.JSONEq(t, `["1"]`, string(resp.Calls[0].Args))
	for _, args := range []string{`["1"]`, `"{\"id\": "`, ``} {
		resp.Calls[0].Args = json.RawMessage(args)
		_, err = m.Complete(t.Context(), Told(resp))
		require.NoError(t, err)
		last := s.Sent()[len(s.Sent())-1]
		assert.NotContains(t, last, `[\"1\"]`)
		assert.NotContains(t, last, `["1"]`)
	}
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

// A server that does not let a model be made to call something is asked once more, and that is remembered.
func testChoice(t *testing.T, a Adapter) {
	called := JSON(http.StatusOK, a.Called("", clicks(), ""))
	refuses := func(words string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var body map[string]json.RawMessage
			if json.NewDecoder(r.Body).Decode(&body) != nil {
				panic(http.ErrAbortHandler)
			}
			if string(body[a.Choice]) == a.Must[strings.Index(a.Must, ":")+1:] {
				JSON(http.StatusBadRequest, a.Failure(words))(w, r)
				return
			}
			called(w, r)
		}
	}
	s := Serve(t, refuses("Thinking may not be enabled when tool_choice forces tool use."))
	m := a.at(t, s)
	for range 2 {
		resp, err := m.Complete(t.Context(), Tooled("click it"))
		require.NoError(t, err)
		assert.Equal(t, clicks(), resp.Calls)
		assert.Equal(t, []llm.Repair{{Kind: repair.NotForced, Count: 1}}, resp.Repairs)
	}
	sent := s.Sent()
	require.Len(t, sent, 3)
	assert.Contains(t, sent[0], a.Must)
	assert.NotContains(t, sent[1], a.Choice, "a server may not know the field")
	assert.NotContains(t, sent[2], a.Choice)

	// Where that does not help it was not the choice.
	s = Serve(t, JSON(http.StatusBadRequest, a.Failure("tool_choice is not supported, and nothing else is")))
	m = a.at(t, s)
	for range 2 {
		call := CallError(t, m, Tooled("click it"))
		require.ErrorIs(t, call, llm.ErrRejected)
		assert.Contains(t, call.Message, "does not take these tools")
	}
	assert.Len(t, s.Sent(), 4)
	assert.Contains(t, s.Sent()[2], a.Must)
}

func testToolsRefused(t *testing.T, a Adapter) {
	s := Serve(t, JSON(http.StatusBadRequest, a.Failure("this model does not support tools")))
	call := CallError(t, a.at(t, s), Tooled("click it"))
	require.ErrorIs(t, call, llm.ErrRejected)
	assert.Contains(t, call.Message, "does not take these tools: ")
	assert.Len(t, s.Sent(), 1)

	s = Serve(t, JSON(http.StatusBadRequest, a.Failure("the context is too long")))
	assert.NotContains(t, CallError(t, a.at(t, s), Tooled("click it")).Message, "tools")
	s = Serve(t, JSON(http.StatusTooManyRequests, a.Failure("too many tools")))
	require.ErrorIs(t, CallError(t, a.at(t, s), Tooled("click it")), llm.ErrRateLimited)
}

var sentName = regexp.MustCompile(`"name":"([^"]*)"`)

// A name that the protocol does not take is written in another way, and read back.
func testNames(t *testing.T, a Adapter) {
	names := []string{"desk.type", "desk/type", "desk_type", strings.Repeat("x", 65), strings.Repeat("x", 66), "grüß"}
	req := Ask("click it")
	for _, name := range names {
		req.Tools = append(req.Tools, llm.Tool{Name: name, Parameters: json.RawMessage(`{"type":"object"}`)})
	}
	s := Serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Tools json.RawMessage `json:"tools"`
		}
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			panic(http.ErrAbortHandler)
		}
		var calls []llm.Call
		for i, found := range sentName.FindAllStringSubmatch(string(body.Tools), -1) {
			calls = append(calls, llm.Call{ID: string(rune('a' + i)), Name: found[1]})
		}
		JSON(http.StatusOK, a.Called("", append(calls, llm.Call{ID: "z", Name: "made_up"}), ""))(w, r)
	})
	m := a.at(t, s)
	resp, err := m.Complete(t.Context(), req)
	require.NoError(t, err)
	require.Len(t, resp.Calls, len(names)+1)
	for i, name := range append(names, "made_up") {
		assert.Equal(t, name, resp.Calls[i].Name)
	}
	for _, found := range sentName.FindAllStringSubmatch(s.Sent()[0], -1) {
		assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, found[1])
	}

	told := Told(&llm.Response{Calls: []llm.Call{{ID: "1", Name: "desk.type"}, {ID: "2", Name: "not a tool"}}})
	told.Tools = req.Tools
	_, err = m.Complete(t.Context(), told)
	require.NoError(t, err)
	shown := sentName.FindAllStringSubmatch(s.Sent()[1], -1)
	for _, found := range shown {
		assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, found[1], "also in a call that is shown")
	}
}

// InCalls is what a model says in the round of Turns that replies with calls.
var InCalls = [][]llm.Call{
	{{ID: "1", Name: "ASSIGN", Args: json.RawMessage(`{"ControlLabel": "0", "CurrentSubTask": "extract the table"}`)}},
	{{ID: "1", Name: "texts", Args: json.RawMessage(`{"id": "t1"}`)}},
	{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": [4, 7]}`)}},
	{{ID: "1", Name: "ASSIGN", Args: json.RawMessage(`{"ControlLabel": "1", "CurrentSubTask": "write the table"}`)}},
	{{ID: "1", Name: "replace_file", Args: json.RawMessage(`{}`)}, {ID: "2", Name: "CONTINUE", Args: json.RawMessage(`{}`)}},
	{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": "written"}`)}},
	{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": "The table is in Excel."}`)}},
}

// The round of Turns, with two calls that are fed back in between: text alone, and two statuses.
func testRoundInCalls(t *testing.T, a Adapter) {
	var answers []http.HandlerFunc
	for i, calls := range InCalls {
		switch i {
		case 1:
			answers = append(answers, a.says("I look at the table."))
		case 2:
			both := []llm.Call{{ID: "1", Name: "FINISH"}, {ID: "2", Name: "FAIL"}}
			answers = append(answers, JSON(http.StatusOK, a.Called("", both, thought)))
		}
		answers = append(answers, JSON(http.StatusOK, a.Called("", calls, thought)))
	}
	s := Serve(t, answers...)
	ran := RunRoundInCalls(t.Context(), t, a.at(t, s), &round.Options{})
	ran.Finishes(t)
	sent := s.Sent()
	require.Len(t, sent, 9)
	assert.NotContains(t, sent[2], thought, "that step is over")
	assert.Contains(t, sent[4], thought)
	assert.Contains(t, sent[4], "two statuses")
	assert.NotContains(t, sent[5], thought, "it is of the step before")
}
