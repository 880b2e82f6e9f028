package openai_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
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
func (s *server) model(t testing.TB, change func(*openai.Config)) llm.Model {
	t.Helper()
	cfg := openai.Config{Model: "parrot", BaseURL: s.URL + "/v1", APIKey: key, HTTPClient: s.Client()}
	if change != nil {
		change(&cfg)
	}
	m, err := openai.New(cfg)
	require.NoError(t, err)
	return m
}

// says answers as OpenAI does.
func says(text, finish string) http.HandlerFunc {
	return message(map[string]any{"role": "assistant", "content": text, "refusal": nil, "annotations": []any{}}, finish)
}

func message(said map[string]any, finish string) http.HandlerFunc {
	return adapterstest.JSON(http.StatusOK, completion(said, finish))
}

func reply(text, finish string) map[string]any {
	return completion(map[string]any{"role": "assistant", "content": text}, finish)
}

func completion(said map[string]any, finish string) map[string]any {
	return map[string]any{
		"id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1741569952, "model": "parrot-2026-08-01",
		"choices": []any{map[string]any{"index": 0, "message": said, "logprobs": nil, "finish_reason": finish}},
		"usage": map[string]any{
			"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
			"prompt_tokens_details":     map[string]any{"cached_tokens": 0, "audio_tokens": 0},
			"completion_tokens_details": map[string]any{"reasoning_tokens": 4, "audio_tokens": 0},
		},
		"service_tier": "default", "system_fingerprint": "fp_44709d6fcb",
	}
}

// fails answers with an error as OpenAI does.
func fails(status int, code, words string) http.HandlerFunc {
	return adapterstest.JSON(status, failure(code, words))
}

func failure(code, words string) map[string]any {
	return map[string]any{
		"error": map[string]any{"message": words, "type": "invalid_request_error", "param": nil, "code": code},
	}
}
