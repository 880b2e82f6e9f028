package rules_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
)

func serve(t testing.TB, opts *rules.Options) *rules.Server {
	t.Helper()
	s, err := rules.Start(opts)
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
func send(t testing.TB, s *rules.Server, method, path, key, body string) (int, response) {
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
	s := serve(t, nil)
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
	s := serve(t, nil)
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
		assert.Equal(t, rules.Name, r.Data[0].ID)
	}
}

func TestTooLarge(t *testing.T) {
	s := serve(t, nil)
	body := bytes.Repeat([]byte(" "), 16<<20+1)
	status, r := send(t, s, http.MethodPost, "/chat/completions", s.Key(), string(body))
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	assert.Equal(t, "request_too_large", deref(r.Error.Code))
}

// TestAnswer is a completion as the protocol has it.
func TestAnswer(t *testing.T) {
	s := serve(t, nil)
	body, err := json.Marshal(map[string]any{
		"model": rules.Name, "seed": 1, "temperature": 0,
		"messages": []any{
			map[string]any{"role": "developer", "content": "You are the host."},
			map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "text", "text": prompt(t, hostPrompt(nil))},
				map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,AQL6"}},
			}},
		},
	})
	require.NoError(t, err)
	status, r := send(t, s, http.MethodPost, "/chat/completions", s.Key(), string(body))
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "chat.completion", r.Object)
	assert.Equal(t, rules.Name, r.Model)
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

// TestThroughTheAdapter is how an agent meets the server: its answers become
// responses, and its errors become kinds.
func TestThroughTheAdapter(t *testing.T) {
	s := serve(t, nil)
	model := func(name, key string) llm.Model {
		m, err := openai.New(openai.Config{Model: name, BaseURL: s.URL(), APIKey: key})
		require.NoError(t, err)
		return m
	}
	request := func(text string) *llm.Request {
		return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}}
	}
	schema := &llm.Schema{Name: "reply", JSON: []byte(`{"type": "object", "properties": {"Status": {"type": "string"}}, "required": ["Status"]}`)}

	good := request(prompt(t, hostPrompt(nil)))
	good.Schema = schema
	resp, err := llm.Complete(t.Context(), model(rules.Name, s.Key()), good)
	require.NoError(t, err)
	assert.Equal(t, rules.Name, resp.Model)
	assert.Positive(t, resp.Usage.InputTokens)

	good.MaxTokens = 3
	_, err = llm.Complete(t.Context(), model(rules.Name, s.Key()), good)
	assert.ErrorIs(t, err, llm.ErrCut)

	odd := request(prompt(t, hostPrompt(nil)))
	odd.Schema = &llm.Schema{Name: "reply", JSON: []byte(`{"type": "object", "properties": {"Status": {"type": "integer"}}}`)}
	_, err = llm.Complete(t.Context(), model(rules.Name, s.Key()), odd)
	assert.ErrorIs(t, err, llm.ErrUnavailable, "a reply that does not fit is not sent")

	_, err = llm.Complete(t.Context(), model(rules.Name, s.Key()), request("What is the capital of France?"))
	assert.ErrorIs(t, err, llm.ErrRefused)
	_, err = llm.Complete(t.Context(), model("gpt-5", s.Key()), good)
	assert.ErrorIs(t, err, llm.ErrRejected)
	_, err = llm.Complete(t.Context(), model(rules.Name, "wrong"), good)
	assert.ErrorIs(t, err, llm.ErrRejected)

	require.NoError(t, s.Close())
	_, err = llm.Complete(t.Context(), model(rules.Name, s.Key()), good)
	assert.ErrorIs(t, err, llm.ErrUnavailable)
}

// TestListener is a server that is started again where it was.
func TestListener(t *testing.T) {
	first := serve(t, nil)
	address := strings.TrimSuffix(strings.TrimPrefix(first.URL(), "http://"), "/v1")
	require.NoError(t, first.Close())
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	require.NoError(t, err)
	calls := []int{}
	again := serve(t, &rules.Options{Listener: listener, Key: first.Key(), Asked: func(call int) { calls = append(calls, call) }})
	assert.Equal(t, first.URL(), again.URL())
	for range 2 {
		status, _ := send(t, again, http.MethodPost, "/chat/completions", first.Key(), "{}")
		assert.Equal(t, http.StatusBadRequest, status)
	}
	status, _ := send(t, again, http.MethodPost, "/chat/completions", "another", "{}")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Equal(t, []int{1, 2}, calls)
}
