package anthropic_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

const key = adapterstest.Key

// server is a backend that speaks the protocol, and remembers what it was sent.
type server struct{ *adapterstest.Server }

func serve(t testing.TB, answers ...http.HandlerFunc) *server {
	t.Helper()
	return &server{adapterstest.Serve(t, answers...)}
}

// model returns a model that asks the server; change may be nil.
func (s *server) model(t testing.TB, change func(*anthropic.Config)) llm.Model {
	t.Helper()
	cfg := anthropic.Config{Model: "parrot", BaseURL: s.URL, APIKey: key, HTTPClient: s.Client()}
	if change != nil {
		change(&cfg)
	}
	m, err := anthropic.New(cfg)
	require.NoError(t, err)
	return m
}

// says answers as Anthropic does.
func says(text, stop string) http.HandlerFunc {
	return adapterstest.JSON(http.StatusOK, reply(text, stop))
}

func message(content []any, stop string) http.HandlerFunc {
	return adapterstest.JSON(http.StatusOK, whole(content, stop))
}

func reply(text, stop string) map[string]any {
	if text == "" {
		return whole([]any{}, stop)
	}
	return whole([]any{map[string]any{"type": "text", "text": text}}, stop)
}

func whole(content []any, stop string) map[string]any {
	return map[string]any{
		"id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant", "model": "parrot-2026-08-01",
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": 12, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": 10,
			"service_tier": "standard",
		},
	}
}

// fails answers with an error as Anthropic does.
func fails(status int, kind, words string) http.HandlerFunc {
	return adapterstest.JSON(status, failure(kind, words))
}

func failure(kind, words string) map[string]any {
	return map[string]any{
		"type": "error", "error": map[string]any{"type": kind, "message": words}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
	}
}
