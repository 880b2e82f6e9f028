//go:build e2e

package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
)

// aimock is a started server, and what this adapter asks of it.
type aimock struct{ *realpartstest.Aimock }

func startMock(t testing.TB, fixtures []realpartstest.Fixture, extra ...string) *aimock {
	t.Helper()
	return &aimock{realpartstest.Start(t, fixtures, extra...)}
}

func (a *aimock) model(t testing.TB) llm.Model {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m, err := openai.New(openai.Config{
		Model: "gpt-5-mini", BaseURL: a.URL + "/v1", APIKey: key, HTTPClient: &http.Client{Transport: transport},
	})
	require.NoError(t, err)
	return m
}

// call is what the journal of aimock has of a request.
type call struct {
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    struct {
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
	} `json:"body"`
	Response struct {
		Status int `json:"status"`
	} `json:"response"`
}

// journal is what the server was asked.
func (a *aimock) journal(t testing.TB) (calls []call) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL+"/__aimock/journal", http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&calls))
	return calls
}
