package rules_test

import (
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
