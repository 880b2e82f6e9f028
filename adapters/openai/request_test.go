package openai_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

var update = flag.Bool("update", false, "write the golden files")

// everything is a request that uses all there is.
func everything(t testing.TB) *llm.Request {
	t.Helper()
	req := adapterstest.Structured(t, "")
	temperature := 0.0
	req.MaxTokens, req.Temperature = 500, &temperature
	req.Messages = []llm.Message{
		llm.Text(llm.System, "You answer in JSON <b>."),
		{Role: llm.System},
		{Role: llm.User, Parts: []llm.Part{{Text: "first"}, {}, {Text: "second"}}},
		llm.Text(llm.Assistant, `{"Answer": "35"}`),
		{Role: llm.User, Parts: []llm.Part{
			{Text: "What is this?", Image: &llm.Image{MediaType: "image/png", Data: []byte{1, 2, 250}}},
			{Image: &llm.Image{Data: []byte("GIF89a")}},
		}},
	}
	return req
}

// What is sent is read in a review.
func TestRequestBody(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*openai.Config)
		req    *llm.Request
	}{
		"plain":      {nil, adapterstest.Ask("hello")},
		"everything": {nil, everything(t)},
		"options": {func(cfg *openai.Config) {
			cfg.SchemaInPrompt, cfg.OldMaxTokens = true, true
			cfg.Options = []option.RequestOption{option.WithJSONSet("reasoning_effort", "low")}
		}, everything(t)},
		"tools": {nil, adapterstest.Told(&llm.Response{
			Text: "I click.", Reasoning: json.RawMessage(`{"reasoning_content":"hm","reasoning_details":[{"type":"d"}],"extra_content":{"2":{"google":{"thought_signature":"s"}}}}`),
			Calls: []llm.Call{{ID: "1", Name: "desk.click", Args: json.RawMessage(`{"z":1,"a":"<"}`)}, {ID: "2", Name: "FINISH"}},
		})},
		"prompt_without_system": {func(cfg *openai.Config) { cfg.SchemaInPrompt = true }, adapterstest.Structured(t, "hello")},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, says("{}", "stop"))
			before := c.req.Clone()
			_, err := s.model(t, c.change).Complete(t.Context(), c.req)
			require.NoError(t, err)
			assert.Equal(t, before, c.req)

			var got bytes.Buffer
			require.NoError(t, json.Indent(&got, []byte(s.Sent()[0]), "", "  "))
			golden := filepath.Join("testdata", "request_"+name+".json")
			text := append(bytes.TrimSpace(got.Bytes()), '\n')
			if *update {
				require.NoError(t, os.WriteFile(golden, text, 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(text), "go test -update writes it")
			assert.Equal(t, "POST /v1/chat/completions", s.Heard()[0].Path)
			assert.Equal(t, "Bearer "+key, s.Heard()[0].Header.Get("Authorization"))
		})
	}
}

// A model sees properties in the order of the schema, which is that of thinking.
func TestSchemaKeepsItsOrder(t *testing.T) {
	s := serve(t, says("{}", "stop"))
	req := adapterstest.Ask("x")
	req.Schema = &llm.Schema{Name: "s", JSON: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{},"m":{}}}`)}
	_, err := s.model(t, nil).Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, s.Sent()[0], string(req.Schema.JSON))
}

// What cannot be asked fails before anything is sent.
func TestBadRequests(t *testing.T) {
	image := []llm.Part{{Text: "look"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte{1}}}}
	s := serve(t, says("hello", "stop"))
	m := s.model(t, nil)
	for want, req := range map[string]*llm.Request{
		"there is no request":       nil,
		"there is nothing to ask":   {Messages: []llm.Message{{Role: llm.User}, {Role: llm.Assistant, Parts: []llm.Part{{}}}}},
		`unknown role "function"`:   {Messages: []llm.Message{llm.Text("function", "x")}},
		"message 1 has an image":    {Messages: []llm.Message{{Role: llm.System, Parts: image}}},
		"allows of a user":          {Messages: []llm.Message{{Role: llm.Assistant, Parts: image}}},
		"has an image that is none": {Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{Data: []byte("hello")}}}}}},
		"message 2 has an image that": {Messages: []llm.Message{
			llm.Text(llm.User, "x"), {Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{MediaType: "application/pdf", Data: []byte{1}}}}},
		}},
		"message 1 has an image that": {Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{MediaType: "image/", Data: []byte{1}}}}}}},
		"has an image without data":   {Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Image: &llm.Image{}}}}}},
		"the schema is not JSON":      {Messages: []llm.Message{llm.Text(llm.User, "x")}, Schema: &llm.Schema{Name: "s"}},
	} {
		call := adapterstest.CallError(t, m, req)
		require.ErrorIs(t, call, llm.ErrRejected)
		assert.False(t, llm.Retryable(call))
		assert.ErrorContains(t, call, want)
	}
	assert.Empty(t, s.Sent())
}

// What a server puts beside a call goes back beside it.
func TestExtraContent(t *testing.T) {
	call := map[string]any{"id": "1", "type": "function", "function": map[string]any{"name": "click", "arguments": "{}"}, "extra_content": map[string]any{"google": "signed"}}
	s := serve(t, message(map[string]any{"role": "assistant", "tool_calls": []any{call, map[string]any{"id": "2", "type": "custom"}}}, "tool_calls"))
	m := s.model(t, nil)
	resp, err := m.Complete(t.Context(), adapterstest.Tooled("click it"))
	require.NoError(t, err)
	require.Len(t, resp.Calls, 2)
	assert.Empty(t, resp.Calls[1].Name, "another type is told of")
	_, err = m.Complete(t.Context(), adapterstest.Told(resp))
	require.NoError(t, err)
	assert.Contains(t, s.Sent()[1], `"extra_content":{"google":"signed"}`)
	assert.Equal(t, 1, strings.Count(s.Sent()[1], "extra_content"))
}

// Arguments that are no JSON are a text, which a journal can keep.
func TestOddArguments(t *testing.T) {
	for wrote, want := range map[string]string{`{"id": `: `"{\"id\": "`, "": "", ` { "id" : 1 } `: `{"id":1}`} {
		call := map[string]any{"id": "1", "type": "function", "function": map[string]any{"name": "click", "arguments": wrote}}
		s := serve(t, message(map[string]any{"role": "assistant", "tool_calls": []any{call}}, "tool_calls"))
		resp, err := s.model(t, nil).Complete(t.Context(), adapterstest.Tooled("click it"))
		require.NoError(t, err)
		assert.Equal(t, want, string(resp.Calls[0].Args))
		_, err = json.Marshal(resp)
		require.NoError(t, err)
	}
}
