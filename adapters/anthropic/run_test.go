package anthropic_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

// adapter is this one.
var adapter = adapterstest.Adapter{
	Model: func(t testing.TB, url string, client *http.Client, do adapterstest.Doer) llm.Model {
		t.Helper()
		cfg := anthropic.Config{Model: "parrot", BaseURL: url, APIKey: key, HTTPClient: client}
		if do != nil {
			cfg.Options = append(cfg.Options, option.WithHTTPClient(do))
		}
		m, err := anthropic.New(cfg)
		require.NoError(t, err)
		return m
	},
	Reply: func(text string, whole bool) any {
		if whole {
			return reply(text, "end_turn")
		}
		return reply(text, "max_tokens")
	},
	Called: func(text string, calls []llm.Call, thought string) any {
		content := []any{}
		if thought != "" {
			content = append(content, map[string]any{"type": "thinking", "thinking": thought, "signature": "s1g<n"})
		}
		if text != "" {
			content = append(content, map[string]any{"type": "text", "text": text})
		}
		for _, c := range calls {
			input := c.Args
			if input == nil {
				input = json.RawMessage(`{}`)
			}
			content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": input})
		}
		return whole(content, "tool_use")
	},
	Must:    `"tool_choice":{"type":"any"}`,
	Failure: func(words string) any { return failure("an_error", words) },
	Usage:   llm.Usage{InputTokens: 19, OutputTokens: 10, CacheReadTokens: 5, CacheCreationTokens: 2},
	Blocks: func(t testing.TB, body string) (blocks []adapterstest.Block) {
		t.Helper()
		type block struct {
			Text         string
			CacheControl struct{ Type string } `json:"cache_control"`
		}
		var sent struct {
			System   []block
			Messages []struct{ Content []block }
		}
		require.NoError(t, json.Unmarshal([]byte(body), &sent))
		all := sent.System
		for _, m := range sent.Messages {
			all = append(all, m.Content...)
		}
		for _, b := range all {
			blocks = append(blocks, adapterstest.Block{Text: b.Text, Cache: b.CacheControl.Type == "ephemeral"})
		}
		return blocks
	},
	Caches: true,
	Held: func(t testing.TB, body string) (json.RawMessage, map[string]json.RawMessage) {
		t.Helper()
		var sent struct {
			Config struct {
				Format struct{ Schema json.RawMessage }
			} `json:"output_config"`
			Tools []struct {
				Name   string
				Strict bool
				Schema json.RawMessage `json:"input_schema"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &sent))
		tools := map[string]json.RawMessage{}
		for _, tool := range sent.Tools {
			if tool.Strict {
				tools[tool.Name] = tool.Schema
			}
		}
		return sent.Config.Format.Schema, tools
	},
	HeldCalls: 0, // their tools have more choices than it takes
}

// What every adapter must do, up to whole rounds.
func TestAdapter(t *testing.T) { adapterstest.Run(t, adapter) }

// Every conversation passes through it, in both forms of a reply.
func TestConversations(t *testing.T) { adapterstest.RunConversations(t, adapter) }

// Whatever a server answers, there is a reply or an error.
func FuzzAnswers(f *testing.F) {
	adapterstest.Fuzz(f, adapter,
		`{"content": [{"type": "text", "text": "hi"}, 1, null], "stop_reason": "end_turn", "usage": {"input_tokens": 1e30, "output_tokens": -1}}`,
		`{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "content": []}`,
		`[{"error": {"message": {"detail": [{"loc": ["body", 1], "msg": "output_config"}]}, "code": "429"}}]`,
	)
}

// The schemas and the screenshots of agents are sent.
func TestRequestsOfARound(t *testing.T) {
	var answers []http.HandlerFunc
	for _, turn := range adapterstest.Turns {
		answers = append(answers, says(turn, "end_turn"))
	}
	s := serve(t, answers...)
	adapterstest.RunRound(t, s.model(t, nil), false)
	require.Len(t, s.Sent(), len(adapterstest.Turns))
	for _, body := range s.Sent() {
		assert.Contains(t, body, `"output_config":{"format":{"type":"json_schema"`)
		assert.Contains(t, body, `"media_type":"image/png"`)
	}
}
