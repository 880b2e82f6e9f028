package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/openai/openai-go/v3/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

// adapter is this one.
var adapter = adapterstest.Adapter{
	Model: func(t testing.TB, url string, client *http.Client, do adapterstest.Doer) llm.Model {
		t.Helper()
		cfg := openai.Config{Model: "parrot", BaseURL: url + "/v1", APIKey: key, HTTPClient: client}
		if do != nil {
			cfg.Options = append(cfg.Options, option.WithHTTPClient(do))
		}
		m, err := openai.New(cfg)
		require.NoError(t, err)
		return m
	},
	Reply: func(text string, whole bool) any {
		if whole {
			return reply(text, "stop")
		}
		return reply(text, "length")
	},
	Called: func(text string, calls []llm.Call, thought string) any {
		var list []any
		for _, c := range calls {
			list = append(list, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": string(c.Args)}})
		}
		said := map[string]any{"role": "assistant", "content": nil, "tool_calls": list}
		if text != "" {
			said["content"] = text
		}
		if thought != "" {
			said["reasoning_content"] = thought
		}
		return completion(said, "tool_calls")
	},
	Must:    `"tool_choice":"required"`,
	Failure: func(words string) any { return failure("", words) },
	Usage:   llm.Usage{InputTokens: 19, OutputTokens: 10, ReasoningTokens: 4},
	Blocks: func(t testing.TB, body string) (blocks []adapterstest.Block) {
		t.Helper()
		var sent struct {
			Messages []struct{ Content json.RawMessage }
		}
		require.NoError(t, json.Unmarshal([]byte(body), &sent))
		for _, m := range sent.Messages {
			var text string
			if json.Unmarshal(m.Content, &text) == nil {
				blocks = append(blocks, adapterstest.Block{Text: text})
				continue
			}
			var parts []struct{ Text string }
			require.NoError(t, json.Unmarshal(m.Content, &parts))
			require.Len(t, parts, 2, "a text and an image")
			blocks = append(blocks, adapterstest.Block{Text: parts[0].Text})
		}
		return blocks
	},
	Held: func(t testing.TB, body string) (json.RawMessage, map[string]json.RawMessage) {
		t.Helper()
		var sent struct {
			Format struct {
				Schema struct {
					Strict bool
					Schema json.RawMessage
				} `json:"json_schema"`
			} `json:"response_format"`
			Tools []struct {
				Function struct {
					Name       string
					Strict     bool
					Parameters json.RawMessage
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &sent))
		tools := map[string]json.RawMessage{}
		for _, tool := range sent.Tools {
			if tool.Function.Strict {
				tools[tool.Function.Name] = tool.Function.Parameters
			}
		}
		if !sent.Format.Schema.Strict {
			return nil, tools
		}
		return sent.Format.Schema.Schema, tools
	},
	HeldCalls: 1000,
}

// What every adapter must do, up to whole rounds.
func TestAdapter(t *testing.T) { adapterstest.Run(t, adapter) }

// Every conversation passes through it, in both forms of a reply.
func TestConversations(t *testing.T) { adapterstest.RunConversations(t, adapter) }

// Whatever a server answers, there is a reply or an error.
func FuzzAnswers(f *testing.F) {
	adapterstest.Fuzz(f, adapter,
		`{"choices": [{"message": {"content": "hi", "refusal": "No."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1e30, "total_tokens": -1}}`,
		`{"choices": [{"message": {"content": [{"type": "text", "text": "hi"}, 1]}, "error": {"code": 502}}], "error": [null]}`,
		`[{"error": {"message": {"detail": [{"loc": ["body", 1], "msg": "response_format"}]}, "code": 429, "innererror": {"code": "x"}}}]`,
	)
}

// The schemas and the screenshots of agents are sent.
func TestRequestsOfARound(t *testing.T) {
	var answers []http.HandlerFunc
	for _, turn := range adapterstest.Turns {
		answers = append(answers, says(turn, "stop"))
	}
	s := serve(t, answers...)
	adapterstest.RunRound(t, s.model(t, nil), false)
	require.Len(t, s.Sent(), len(adapterstest.Turns))
	for _, body := range s.Sent() {
		assert.Contains(t, body, `"response_format"`)
		assert.Contains(t, body, "data:image/png;base64,")
	}
}
