package anthropic_test

import (
	"net/http"
	"testing"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestConformance(t *testing.T) {
	for name, change := range map[string]func(*anthropic.Config){
		"defaults": nil,
		"options": func(cfg *anthropic.Config) {
			cfg.SchemaInPrompt, cfg.MaxTokens = true, 64_000
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
				Good:        of(says(llmtest.GoodReply, "end_turn")),
				Slow:        of(adapterstest.Hangs),
				Calls:       of(adapterstest.JSON(http.StatusOK, adapter.Called("", adapterstest.Answer, "why"))),
				RateLimited: of(fails(http.StatusTooManyRequests, "rate_limit_error", "slow down")),
				ServerError: of(adapterstest.Raw(http.StatusBadGateway, "text/html", "<html><body><h1>502 Bad Gateway</h1></body></html>")),
				Rejected:    of(fails(http.StatusUnauthorized, "authentication_error", llmtest.ErrorMessage(key))),
				Unavailable: of(adapterstest.BreaksOff),
				Refusal:     of(message([]any{}, "refusal")),
				Empty:       of(says("", "end_turn")),
				Cut:         of(says(`{"Answer": "for`, "max_tokens")),
				Key:         key,
			})
		})
	}
}

// A server that takes no output format is as good as any other.
func TestConformanceInPrompt(t *testing.T) {
	llmtest.Run(t, llmtest.Backend{
		Good: func(t testing.TB) llm.Model {
			t.Helper()
			refusal := fails(http.StatusBadRequest, "invalid_request_error", "output_config: Extra inputs are not permitted")
			return serve(t, adapterstest.Refuses("output_config", refusal, says(llmtest.GoodReply, "end_turn"))).model(t, nil)
		},
		Slow: func(t testing.TB) llm.Model {
			t.Helper()
			return serve(t, adapterstest.Hangs).model(t, nil)
		},
		Key: key,
	})
}
