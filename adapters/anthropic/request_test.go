package anthropic_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
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

// roles is a conversation whose roles do not alternate.
func roles() *llm.Request {
	image := llm.Part{Image: &llm.Image{MediaType: "image/webp", Data: []byte{1}}}
	return &llm.Request{Messages: []llm.Message{
		llm.Text(llm.User, "one"),
		{Role: llm.User, Parts: []llm.Part{{Text: "two"}, image, {Text: "three"}}},
		llm.Text(llm.System, "Be brief."),
		llm.Text(llm.User, "four"),
		llm.Text(llm.Assistant, "five"),
		llm.Text(llm.Assistant, " \n"),
		llm.Text(llm.System, "Be kind."),
		llm.Text(llm.Assistant, "six"),
		{Role: llm.User, Parts: []llm.Part{image, image}},
	}}
}

// breakpoints is a request with more of them than can be sent.
func breakpoints() *llm.Request {
	end := func(text string) llm.Part { return llm.Part{Text: text, CacheBreakpoint: true} }
	image := llm.Part{Image: &llm.Image{MediaType: "image/webp", Data: []byte{1}}, CacheBreakpoint: true}
	return &llm.Request{Messages: []llm.Message{
		{Role: llm.System, Parts: []llm.Part{{Text: "You are Anna."}, {Text: "\n"}, end("The tools: none.")}},
		llm.Text(llm.System, "Be brief."),
		{Role: llm.User, Parts: []llm.Part{end(" \n"), end("The task."), end(""), {Text: " The history:"}, end(" one,"), end(" two"), {Text: ", three."}, end(" "), image}},
		{Role: llm.User, Parts: []llm.Part{{Text: "Once more:"}, end(" please"), {Text: " \n"}}},
		llm.Text(llm.User, "now."),
	}}
}

// What is sent is read in a review.
func TestRequestBody(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*anthropic.Config)
		req    *llm.Request
	}{
		"plain":      {nil, adapterstest.Ask("hello")},
		"everything": {nil, everything(t)},
		"options": {func(cfg *anthropic.Config) {
			cfg.SchemaInPrompt = true
			cfg.Options = []option.RequestOption{option.WithJSONSet("thinking.type", "adaptive")}
		}, everything(t)},
		"limit":       {func(cfg *anthropic.Config) { cfg.MaxTokens = 100_000 }, adapterstest.Ask("hello")},
		"roles":       {nil, roles()},
		"breakpoints": {nil, breakpoints()},
		"tools": {nil, adapterstest.Told(&llm.Response{
			Text: "I click.", Reasoning: json.RawMessage(`[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"redacted_thinking","data":"d"}]`),
			Calls: []llm.Call{{ID: "1", Name: "desk.click", Args: json.RawMessage(`{"z":1,"a":"<"}`)}, {ID: "2", Name: "FINISH"}},
		})},
		"prompt_without_system": {func(cfg *anthropic.Config) { cfg.SchemaInPrompt = true }, adapterstest.Structured(t, "hello")},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, says("{}", "end_turn"))
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
			assert.Equal(t, "POST /v1/messages", s.Heard()[0].Path)
			assert.Equal(t, key, s.Heard()[0].Header.Get("X-Api-Key"))
			assert.NotEmpty(t, s.Heard()[0].Header.Get("Anthropic-Version"))
		})
	}
}

// A model sees properties in the order of the schema, which is that of thinking.
func TestSchemaKeepsItsOrder(t *testing.T) {
	s := serve(t, says("{}", "end_turn"))
	req := adapterstest.Ask("x")
	req.Schema = &llm.Schema{Name: "s", JSON: json.RawMessage(`{"type":"object","properties":{"z":{"const":1},"a":{"const":2},"m":{"const":3}},"additionalProperties":false}`)}
	_, err := s.model(t, nil).Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, s.Sent()[0], string(req.Schema.JSON))
}

// What cannot be asked fails before anything is sent.
func TestBadRequests(t *testing.T) {
	image := []llm.Part{{Text: "look"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte{1}}}}
	s := serve(t, says("hello", "end_turn"))
	m := s.model(t, nil)
	for want, req := range map[string]*llm.Request{
		"there is no request":       nil,
		"a message of the user":     {Messages: []llm.Message{llm.Text(llm.System, "x")}},
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
