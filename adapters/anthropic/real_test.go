package anthropic_test

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
var aimock = adapterstest.Real{Adapter: adapter, Refusal: "refusal", Input: "input_tokens", Used: "output_tokens"}

func TestRealSuite(t *testing.T) { adapterstest.RunReal(t, aimock) }

// body is that of a request, in the form that aimock has for all protocols.
type body struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	MaxTokens   int      `json:"max_tokens"`
	Temperature *float64 `json:"temperature"`
}

// What it was sent is what we meant to say.
func TestRealRequest(t *testing.T) {
	server := realpartstest.Start(t, []realpartstest.Fixture{{
		Match:    map[string]any{"userMessage": "What is this?", "systemMessage": "You answer in JSON"},
		Response: map[string]any{"content": `{"Answer": "a pixel"}`, "usage": map[string]any{"input_tokens": 85, "output_tokens": 6}},
	}})
	resp, err := llm.Complete(t.Context(), aimock.At(t, server), everything(t))
	require.NoError(t, err)
	assert.Equal(t, llm.Response{
		Text: `{"Answer": "a pixel"}`, Model: "parrot", FinishReason: "end_turn", Usage: llm.Usage{InputTokens: 85, OutputTokens: 6},
	}, *resp)

	calls := server.Journal(t)
	require.Len(t, calls, 1)
	var got body
	require.NoError(t, json.Unmarshal(calls[0].Body, &got))
	assert.Equal(t, "/v1/messages", calls[0].Path)
	assert.Contains(t, calls[0].Headers["user-agent"], "Anthropic/Go")
	assert.NotEmpty(t, calls[0].Headers["anthropic-version"])
	assert.Equal(t, "parrot", got.Model)
	assert.Equal(t, 500, got.MaxTokens)
	assert.Equal(t, 0.0, *got.Temperature)
	var roles, texts []string
	for _, m := range got.Messages {
		roles, texts = append(roles, m.Role), append(texts, m.Content)
	}
	assert.Equal(t, []string{"system", "user", "assistant", "user"}, roles)
	assert.Equal(t, []string{"You answer in JSON <b>.", "firstsecond", `{"Answer": "35"}`, "What is this?"}, texts)
}

// Thoughts are not the reply.
func TestRealThoughts(t *testing.T) {
	server := realpartstest.Start(t, []realpartstest.Fixture{realpartstest.Always(map[string]any{"content": "42", "reasoning": "six times seven"})})
	resp, err := llm.Complete(t.Context(), aimock.At(t, server), adapterstest.Ask("how much?"))
	require.NoError(t, err)
	assert.Equal(t, "42", resp.Text)
}

// A server without structured output is asked in the prompt, and remembered.
func TestRealFallback(t *testing.T) {
	reply := realpartstest.Fixture{
		Match:    map[string]any{"systemMessage": "fits this JSON Schema"},
		Response: map[string]any{"content": `{"Answer": "42"}`},
	}
	refuses := realpartstest.Always(realpartstest.Failure(http.StatusBadRequest, "output_config: Extra inputs are not permitted"))
	server := realpartstest.Start(t, []realpartstest.Fixture{reply, refuses})
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
