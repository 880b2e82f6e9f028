package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
)

// aimock is a server that others wrote.
var aimock = adapterstest.Real{Adapter: adapter, Refusal: "content_filter", Input: "prompt_tokens", Used: "completion_tokens"}

func TestRealSuite(t *testing.T) { adapterstest.RunReal(t, aimock) }

// body is that of a request.
type body struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Format *struct {
		Type   string `json:"type"`
		Schema struct {
			Name   string          `json:"name"`
			Strict bool            `json:"strict"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens   int      `json:"max_completion_tokens"`
	Temperature *float64 `json:"temperature"`
}

// What it was sent is what we meant to say.
func TestRealRequest(t *testing.T) {
	server := realpartstest.Start(t, []realpartstest.Fixture{{
		Match:    map[string]any{"userMessage": "What is this?", "systemMessage": "You answer in JSON", "responseFormat": "json_schema"},
		Response: map[string]any{"content": `{"Answer": "a pixel"}`, "usage": map[string]any{"prompt_tokens": 85, "completion_tokens": 6}},
	}})
	resp, err := llm.Complete(t.Context(), aimock.At(t, server), everything(t))
	require.NoError(t, err)
	assert.Equal(t, llm.Response{
		Text: `{"Answer": "a pixel"}`, Model: "parrot", FinishReason: "stop", Usage: llm.Usage{InputTokens: 85, OutputTokens: 6},
	}, *resp)

	calls := server.Journal(t)
	require.Len(t, calls, 1)
	var got body
	require.NoError(t, json.Unmarshal(calls[0].Body, &got))
	assert.Equal(t, "/v1/chat/completions", calls[0].Path)
	assert.Contains(t, calls[0].Headers["user-agent"], "OpenAI/Go")
	assert.Equal(t, "parrot", got.Model)
	assert.Equal(t, 500, got.MaxTokens)
	assert.Equal(t, 0.0, *got.Temperature)
	assert.Equal(t, "answer", got.Format.Schema.Name)
	assert.False(t, got.Format.Schema.Strict)
	assert.JSONEq(t, string(everything(t).Schema.JSON), string(got.Format.Schema.Schema))
	require.Len(t, got.Messages, 4)
	assert.JSONEq(t, `[
		{"type": "text", "text": "What is this?"},
		{"type": "image_url", "image_url": {"url": "data:image/png;base64,AQL6"}},
		{"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lGODlh"}}
	]`, string(got.Messages[3].Content))
}

// A server without structured output is asked in the prompt, and remembered.
func TestRealFallback(t *testing.T) {
	refuses := realpartstest.Fixture{
		Match:    map[string]any{"responseFormat": "json_schema"},
		Response: realpartstest.Failure(http.StatusBadRequest, "This response_format type is unavailable now"),
	}
	reply := realpartstest.Fixture{
		Match:    map[string]any{"systemMessage": "fits this JSON Schema"},
		Response: map[string]any{"content": `{"Answer": "42"}`},
	}
	server := realpartstest.Start(t, []realpartstest.Fixture{refuses, reply})
	m := aimock.At(t, server)
	for range 2 {
		resp, err := llm.Complete(t.Context(), m, adapterstest.Structured(t, "how much?"))
		require.NoError(t, err)
		assert.Equal(t, `{"Answer": "42"}`, resp.Text)
	}
	var statuses []int
	for _, c := range server.Journal(t) {
		statuses = append(statuses, c.Response.Status)
	}
	assert.Equal(t, []int{http.StatusBadRequest, http.StatusOK, http.StatusOK}, statuses)
}
