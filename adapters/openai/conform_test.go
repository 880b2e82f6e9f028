package openai_test

import (
	"net/http"
	"testing"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestConformance(t *testing.T) {
	for name, change := range map[string]func(*openai.Config){
		"defaults": nil,
		"options": func(cfg *openai.Config) {
			cfg.SchemaInPrompt, cfg.OldMaxTokens = true, true
		},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(answer http.HandlerFunc) func(testing.TB) llm.Model {
				return func(t testing.TB) llm.Model {
					t.Helper()
					return serve(t, answer).model(t, change)
				}
			}
			llmtest.Run(t, llmtest.Backend{
				Good:        of(says(llmtest.GoodReply, "stop")),
				Slow:        of(adapterstest.Hangs),
				Calls:       of(adapterstest.JSON(http.StatusOK, adapter.Called("", adapterstest.Answer, "why"))),
				RateLimited: of(fails(http.StatusTooManyRequests, "rate_limit_exceeded", "slow down")),
				ServerError: of(adapterstest.Raw(http.StatusBadGateway, "text/html", "<html><body><h1>502 Bad Gateway</h1></body></html>")),
				Rejected:    of(fails(http.StatusUnauthorized, "invalid_api_key", llmtest.ErrorMessage(key))),
				Unavailable: of(adapterstest.BreaksOff),
				Refusal:     of(message(map[string]any{"role": "assistant", "content": nil, "refusal": "I'm sorry, I cannot assist with that."}, "stop")),
				Empty:       of(says("", "stop")),
				Cut:         of(says(`{"Answer": "for`, "length")),
				Key:         key,
			})
		})
	}
}

// A server that takes no response format is as good as any other.
func TestConformanceInPrompt(t *testing.T) {
	llmtest.Run(t, llmtest.Backend{
		Good: func(t testing.TB) llm.Model {
			t.Helper()
			refusal := fails(http.StatusBadRequest, "", "This response_format type is unavailable now")
			return serve(t, adapterstest.Refuses("response_format", refusal, says(llmtest.GoodReply, "stop"))).model(t, nil)
		},
		Slow: func(t testing.TB) llm.Model {
			t.Helper()
			return serve(t, adapterstest.Hangs).model(t, nil)
		},
		Key: key,
	})
}
