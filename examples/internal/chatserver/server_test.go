package chatserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/llm"
)

// serve serves a model that answers whoever says hello.
func serve(t testing.TB, opts chatserver.Options) *chatserver.Server {
	t.Helper()
	opts.Name = "rules"
	opts.Decide = func(prompt *llm.Request) (string, error) {
		switch prompt.Messages[len(prompt.Messages)-1].Text() {
		case "hello":
			return `{"Status": "ASSIGN"}`, nil
		case "break":
			return "", errors.New("broken")
		}
		return "", &chatserver.RefusalError{Reason: "not hello"}
	}
	s, err := chatserver.Start(opts)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// response is an answer of the server, of either kind.
type response struct {
	Object  string
	Model   string
	Choices []struct {
		Message struct {
			Role             string
			Content, Refusal *string
		}
		FinishReason string `json:"finish_reason"`
	}
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
	}
	Error *struct {
		Message, Type string
		Param, Code   *string
	}
	Data []struct{ ID string }
}

// send sends a request as it is.
func send(t testing.TB, s *chatserver.Server, method, path, key, body string) (int, response) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, "application/json", res.Header.Get("Content-Type"))
	var r response
	require.NoError(t, json.Unmarshal(text, &r), "%s", text)
	assert.Equal(t, res.StatusCode >= 400, r.Error != nil)
	return res.StatusCode, r
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestRequestsAreChecked(t *testing.T) {
	s := serve(t, chatserver.Options{})
	const ok = `"model": "rules", "messages": [{"role": "user", "content": "hello"}]`
	for name, c := range map[string]struct {
		body, param, code string
		status            int
	}{
		"no JSON":           {`{`, "", "", 400},
		"two bodies":        {`{` + ok + `} {}`, "", "", 400},
		"unknown member":    {`{` + ok + `, "temprature": 1}`, "", "", 400},
		"no model":          {`{"messages": []}`, "model", "", 400},
		"other model":       {`{"model": "gpt-5", "messages": []}`, "model", "model_not_found", 404},
		"no messages":       {`{"model": "rules", "messages": []}`, "messages", "", 400},
		"role":              {`{"model": "rules", "messages": [{"role": "boss", "content": "x"}]}`, "messages[0].role", "", 400},
		"no content":        {`{"model": "rules", "messages": [{"role": "user"}]}`, "messages[0].content", "", 400},
		"sound":             {`{"model": "rules", "messages": [{"role": "user", "content": [{"type": "input_audio"}]}]}`, "messages[0].content", "", 400},
		"image of system":   {`{"model": "rules", "messages": [{"role": "system", "content": [{"type": "image_url", "image_url": {}}]}]}`, "messages[0].content", "", 400},
		"stream":            {`{` + ok + `, "stream": true}`, "stream", "unsupported_value", 400},
		"two choices":       {`{` + ok + `, "n": 2}`, "n", "unsupported_value", 400},
		"no tokens":         {`{` + ok + `, "max_tokens": 0}`, "max_completion_tokens", "", 400},
		"format":            {`{` + ok + `, "response_format": {"type": "xml"}}`, "response_format.type", "", 400},
		"no schema":         {`{` + ok + `, "response_format": {"type": "json_schema"}}`, "response_format.json_schema", "", 400},
		"name of a schema":  {`{` + ok + `, "response_format": {"type": "json_schema", "json_schema": {"name": "a b", "schema": {"type": "object"}}}}`, "response_format.json_schema.name", "", 400},
		"strict":            {`{` + ok + `, "response_format": {"type": "json_schema", "json_schema": {"name": "a", "strict": true, "schema": {"type": "object"}}}}`, "response_format.json_schema.strict", "unsupported_value", 400},
		"schema of a list":  {`{` + ok + `, "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "array"}}}}`, "response_format.json_schema.schema", "", 400},
		"schema of nothing": {`{` + ok + `, "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object", "$ref": "#/gone"}}}}`, "response_format.json_schema.schema", "", 400},
	} {
		t.Run(name, func(t *testing.T) {
			status, r := send(t, s, http.MethodPost, "/chat/completions", s.Key(), c.body)
			assert.Equal(t, c.status, status)
			require.NotNil(t, r.Error)
			assert.Equal(t, "invalid_request_error", r.Error.Type)
			assert.Equal(t, c.param, deref(r.Error.Param), r.Error.Message)
			assert.Equal(t, c.code, deref(r.Error.Code))
			assert.NotEmpty(t, r.Error.Message)
		})
	}
}

func TestRoutes(t *testing.T) {
	s := serve(t, chatserver.Options{})
	for _, c := range []struct {
		method, path, key, code string
		status                  int
	}{
		{http.MethodGet, "/models", s.Key(), "", 200},
		{http.MethodGet, "/models", "another", "invalid_api_key", 401},
		{http.MethodPost, "/chat/completions", "", "invalid_api_key", 401},
		{http.MethodGet, "/chat/completions", s.Key(), "method_not_supported", 405},
		{http.MethodPost, "/responses", s.Key(), "unknown_url", 404},
	} {
		status, r := send(t, s, c.method, c.path, c.key, "{}")
		assert.Equal(t, c.status, status, c)
		if r.Error != nil {
			assert.Equal(t, c.code, deref(r.Error.Code))
			continue
		}
		require.Len(t, r.Data, 1)
		assert.Equal(t, "rules", r.Data[0].ID)
	}
}

func TestTooLarge(t *testing.T) {
	s := serve(t, chatserver.Options{})
	body := bytes.Repeat([]byte(" "), 16<<20+1)
	status, r := send(t, s, http.MethodPost, "/chat/completions", s.Key(), string(body))
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	assert.Equal(t, "request_too_large", deref(r.Error.Code))
}

// TestAnswer is a completion as the protocol has it.
func TestAnswer(t *testing.T) {
	s := serve(t, chatserver.Options{})
	body, err := json.Marshal(map[string]any{
		"model": "rules", "seed": 1, "temperature": 0,
		"messages": []any{
			map[string]any{"role": "developer", "content": "You are the host."},
			map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "text", "text": "hello"},
				map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,AQL6"}},
			}},
		},
	})
	require.NoError(t, err)
	status, r := send(t, s, http.MethodPost, "/chat/completions", s.Key(), string(body))
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "chat.completion", r.Object)
	assert.Equal(t, "rules", r.Model)
	require.Len(t, r.Choices, 1)
	assert.Equal(t, "assistant", r.Choices[0].Message.Role)
	assert.Equal(t, "stop", r.Choices[0].FinishReason)
	assert.Nil(t, r.Choices[0].Message.Refusal)
	assert.Contains(t, deref(r.Choices[0].Message.Content), `"ASSIGN"`)
	assert.Positive(t, r.Usage.Prompt)
	assert.Positive(t, r.Usage.Completion)
	assert.Equal(t, r.Usage.Prompt+r.Usage.Completion, r.Usage.Total)
	assert.Equal(t, 1, s.Calls())
}

// A model that refuses says so; one that breaks is an error of the server.
func TestRefusalsAndErrors(t *testing.T) {
	s := serve(t, chatserver.Options{})
	ask := func(text string) (int, response) {
		return send(t, s, http.MethodPost, "/chat/completions", s.Key(), `{"model": "rules", "messages": [{"role": "user", "content": "`+text+`"}]}`)
	}
	status, r := ask("goodbye")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "not hello", deref(r.Choices[0].Message.Refusal))
	status, r = ask("break")
	assert.Equal(t, http.StatusInternalServerError, status)
	assert.Equal(t, "broken", r.Error.Message)
}

// TestListener is a server that is started again where it was.
func TestListener(t *testing.T) {
	first := serve(t, chatserver.Options{})
	address := strings.TrimSuffix(strings.TrimPrefix(first.URL(), "http://"), "/v1")
	require.NoError(t, first.Close())
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	require.NoError(t, err)
	calls := []int{}
	again := serve(t, chatserver.Options{Listener: listener, Key: first.Key(), Asked: func(call int) { calls = append(calls, call) }})
	assert.Equal(t, first.URL(), again.URL())
	for range 2 {
		status, _ := send(t, again, http.MethodPost, "/chat/completions", first.Key(), "{}")
		assert.Equal(t, http.StatusBadRequest, status)
	}
	status, _ := send(t, again, http.MethodPost, "/chat/completions", "another", "{}")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Equal(t, []int{1, 2}, calls)
}
